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
  /** Only lines of this level and above are written; `onLine` is told of all. Default: those that are logged. */
  readonly writeFrom?: GatewayConfig['log']['level'];
  /** Default `json`; `text` is for a terminal. */
  readonly format?: 'json' | 'text';
  /** Default: one that knows the shapes and names of secrets only. */
  readonly redactor?: Redactor;
  /** Default: standard error. */
  readonly destination?: LogDestination;
  /** Told of every line as well, as one JSON object without secrets. */
  readonly onLine?: (line: string) => void;
}

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

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

function logTo(
  lines: LogDestination,
  { level, writeFrom = level, format = 'json', onLine }: CreateLoggerOptions,
  redactor: Redactor,
): Logger {
  const isWritten = writtenFrom(writeFrom);
  const written = {
    write: (line: string): void => {
      if (isWritten(line)) lines.write(format === 'json' ? line : `${formatLogLine(line)}\n`);
    },
  };
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

/** Tells by the level, with which every line begins. */
function writtenFrom(level: GatewayConfig['log']['level']): (line: string) => boolean {
  const left = LEVELS.slice(0, LEVELS.indexOf(level)).map((each) => `{"level":"${each}"`);
  return (line) => !left.some((start) => line.startsWith(start));
}

/** Every request has a logger and most of them log nothing, so what is bound is looked at only when something is. */
function wrap(log: PinoLogger, redactor: Redactor, bound: LogFields = {}): Logger {
  const clean = (text: string): string => safeText(redactor.text(text));
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (fields: LogFields, message: string): void => {
      if (!log.isLevelEnabled(level)) return;
      log[level](besideOwn(redactFields({ ...bound, ...fields }, clean)), clean(message));
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => wrap(log, redactor, { ...bound, ...fields }),
  };
}

/** A key may be there twice in a line, and who reads it takes the last: a field would pass for the level of its line. */
function besideOwn(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [OWN.has(name) ? `field.${name}` : name, value]),
  );
}

const OWN: ReadonlySet<string> = new Set(['level', 'time', 'msg']);
