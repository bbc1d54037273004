/** What the parts of the gateway log through; nothing else writes to standard error. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /** A logger that adds these fields to everything. */
  child(fields: LogFields): Logger;
}

/** Plain values; what holds a secret is masked before it is written. */
export type LogFields = Readonly<Record<string, unknown>>;
