import { pino, stdTimeFunctions } from 'pino';
import type { Logger as PinoLogger } from 'pino';
import { safeText } from '../cli/safe-text.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { formatLogLine } from './format-log-line.ts';
import type { LogFields, Logger } from './logger.ts';
import { redactFields, Redactor } from '../redact/redactor.ts';
import { StderrLines } from './stderr-lines.ts';

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
  /** Lines wait to be written until it settles. Default: they do not wait. */
  readonly after?: Promise<unknown>;
  /** Called with the number of records that the destination did not take. */
  readonly onDrop?: (records: number) => void;
}

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** Logs one line per event. No line holds a secret, or a character that could pass for another line. */
export function createLogger(options: CreateLoggerOptions): Logger {
  const { destination, format = 'json', redactor = new Redactor(), onDrop } = options;
  let dropped = 0;
  let reported = 0;
  const drop = (records: number): void => {
    dropped += records;
    onDrop?.(records);
  };
  if (destination !== undefined) return logTo(withoutErrors(destination, drop), options, redactor);
  const log = logTo(
    new StderrLines({
      isSync: format === 'text',
      onDrop: drop,
      onWritten: () => {
        if (dropped === reported) return;
        reported = dropped;
        log.warn({ dropped }, 'log records were dropped, as standard error could not be written');
      },
    }),
    options,
    redactor,
  );
  return log;
}

/** A destination that fails costs records, never the call that logs. */
function withoutErrors(lines: LogDestination, drop: (records: number) => void): LogDestination {
  return {
    write: (line) => {
      try {
        lines.write(line);
      } catch {
        drop(1);
      }
    },
  };
}

function logTo(
  lines: LogDestination,
  { level, writeFrom = level, format = 'json', onLine, after }: CreateLoggerOptions,
  redactor: Redactor,
): Logger {
  const isWritten = writtenFrom(writeFrom);
  let waiting: string[] | undefined = after && [];
  const written = {
    write: (line: string): void => {
      if (!isWritten(line)) return;
      if (waiting !== undefined) waiting.push(line);
      else lines.write(format === 'json' ? line : `${formatLogLine(line)}\n`);
    },
  };
  const release = (): void => {
    const late = waiting ?? [];
    waiting = undefined;
    for (const line of late) written.write(line);
  };
  void after?.then(release, release);
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
