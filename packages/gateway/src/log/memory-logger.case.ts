import type { LogFields, Logger } from './logger.ts';

export interface LogEntry {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: LogFields;
  readonly message: string;
}

export interface MemoryLogger extends Logger {
  /** What was logged, by this logger and its children. */
  readonly entries: readonly LogEntry[];
}

/** A logger for tests. */
export function memoryLogger(): MemoryLogger {
  const entries: LogEntry[] = [];
  const make = (bound: LogFields): Logger => {
    const at =
      (level: LogEntry['level']) =>
      (fields: LogFields, message: string): void =>
        void entries.push({ level, fields: { ...bound, ...fields }, message });
    return {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      child: (fields) => make({ ...bound, ...fields }),
    };
  };
  return { ...make({}), entries };
}
