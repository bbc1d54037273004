import { destination, pino, stdTimeFunctions } from 'pino';
import type { Logger as PinoLogger } from 'pino';
import { safeText } from '../cli/safe-text.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { formatLogLine } from './format-log-line.ts';
import type { LogFields, Logger } from './logger.ts';
import { redactFields } from './redact-value.ts';
import { Redactor } from './redactor.ts';

/** Where lines go. */
export interface LogDestination {
  write(line: string): void;
}

export interface CreateLoggerOptions {
  readonly level: GatewayConfig['log']['level'];
  /** Default `json`; `text` is for a terminal. */
  readonly format?: 'json' | 'text';
  /** Default: one that knows the shapes and names of secrets only. */
  readonly redactor?: Redactor;
  /** Default: standard error. */
  readonly destination?: LogDestination;
}

/** Lines that wait for a reader that has stopped reading; what comes on top of them is dropped. */
const MAX_WAITING_BYTES = 4_194_304;

/** Logs one line per event. No line holds a secret, or a character that could pass for another line. */
export function createLogger(options: CreateLoggerOptions): Logger {
  const { level, format = 'json', redactor = new Redactor() } = options;
  const lines = options.destination ?? standardError(format);
  const target =
    format === 'json'
      ? lines
      : { write: (line: string) => lines.write(`${formatLogLine(line)}\n`) };
  const settings = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return wrap(pino(settings, target), redactor);
}

function standardError(format: 'json' | 'text'): LogDestination {
  // A person sees lines in the order in which they were written, between those of the command itself.
  const isSync = format === 'text';
  // What still waits at the end is written when the process exits; pino sees to that.
  return destination({ fd: 2, sync: isSync, maxLength: MAX_WAITING_BYTES });
}

function wrap(log: PinoLogger, redactor: Redactor): Logger {
  const clean = (text: string): string => safeText(redactor.text(text));
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (fields: LogFields, message: string): void => {
      if (log.isLevelEnabled(level)) log[level](redactFields(fields, clean), clean(message));
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => wrap(log.child(redactFields(fields, clean)), redactor),
  };
}
