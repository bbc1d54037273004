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
  /** Lines below this one are not written there, only told. Default: all are written. */
  readonly writtenFrom?: GatewayConfig['log']['level'];
  /** Told of every line as well, as one JSON object without secrets. */
  readonly onLine?: (line: string) => void;
}

/** Lines that wait for a reader that has stopped reading; what comes on top of them is dropped. */
const MAX_WAITING_BYTES = 4_194_304;

/** Logs one line per event. No line holds a secret, or a character that could pass for another line. */
export function createLogger(options: CreateLoggerOptions): Logger {
  const { destination: given, redactor = new Redactor() } = options;
  if (given !== undefined) return logTo(given, options, redactor);
  const { format = 'json' } = options;
  // Standard error of a person shows lines in the order they were written, between those of the command. Of a
  // program it may be a pipe that nobody reads: that costs lines, never the answer to a request. What still
  // waits when the process exits is written then; pino sees to that.
  const stderr = destination({ fd: 2, sync: format === 'text', maxLength: MAX_WAITING_BYTES });
  const log = logTo(stderr, options, redactor);
  let dropped = 0;
  stderr.on('drop', () => dropped++);
  stderr.on('drain', () => {
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    log.warn({ lines }, 'lines of the log were dropped, as standard error was not read');
  });
  return log;
}

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'];

/** Of a line of ours: the level stands first. */
const levelOf = (line: string): string => /^\{"level":"(\w+)"/.exec(line)?.[1] ?? 'error';

function logTo(
  lines: LogDestination,
  { level, format = 'json', writtenFrom = level, onLine }: CreateLoggerOptions,
  redactor: Redactor,
): Logger {
  const written =
    format === 'json'
      ? lines
      : { write: (line: string) => lines.write(`${formatLogLine(line)}\n`) };
  const isWritten = (line: string): boolean =>
    writtenFrom === level || LEVELS.indexOf(levelOf(line)) >= LEVELS.indexOf(writtenFrom);
  const target =
    onLine === undefined
      ? written
      : {
          write: (line: string) => {
            onLine(line);
            if (isWritten(line)) written.write(line);
          },
        };
  const settings = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return wrap(pino(settings, target), redactor);
}

/** Every request has a logger and most of them log nothing, so what is bound is looked at only when something is. */
function wrap(log: PinoLogger, redactor: Redactor, bound: LogFields = {}): Logger {
  const clean = (text: string): string => safeText(redactor.text(text));
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (fields: LogFields, message: string): void => {
      if (!log.isLevelEnabled(level)) return;
      log[level](redactFields({ ...bound, ...fields }, clean), clean(message));
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => wrap(log, redactor, { ...bound, ...fields }),
  };
}
