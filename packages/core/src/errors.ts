/** What an error of Holdfast is, to branch on. */
export type ErrorCode =
  | 'parse-timeout'
  | 'parse-too-large'
  | 'invalid-option'
  | 'duplicate-parser'
  | 'cannot-render'
  | 'circuit-open'
  | 'bulkhead-full'
  | 'circuit-store'
  | 'tool-timeout'
  | 'tool-failed'
  | 'answer-broke-off';

/** What an error says besides its code and message. */
export interface HoldfastErrorOptions {
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** The base of every error Holdfast throws. Branch on `code`; read `message` to a person. */
export class HoldfastError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, options: HoldfastErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** A parser went past one of its limits. Inside a chain it is caught, reported, and the next parser is tried. */
export class ToolParseError extends HoldfastError {}

/** A dialect has no way to write something so that it reads back as the same. Says what, and why. */
export class ToolRenderError extends HoldfastError {
  constructor(message: string) {
    super('cannot-render', message);
  }
}

/** The circuit refused the call: the tool was not asked. */
export class CircuitOpenError extends HoldfastError {
  readonly circuit: string;
  declare readonly retryAfterMs: number;

  constructor(circuit: string, retryAfterMs: number, reason?: 'store-lost') {
    const message = openCircuitMessage(circuit, retryAfterMs, reason);
    super('circuit-open', message, { retryable: true, retryAfterMs });
    this.circuit = circuit;
  }
}

/** What is said of a refusal, thrown or returned. */
export function openCircuitMessage(
  circuit: string,
  retryAfterMs: number,
  reason?: 'store-lost',
): string {
  const when =
    retryAfterMs === Infinity ? 'when it is reset' : `in ${Math.ceil(retryAfterMs / 1000)} s`;
  const why = reason === undefined ? 'is open' : 'takes no calls while its store is away';
  return `circuit ${circuit} ${why}; retry ${when}`;
}

/** The call did not end in time. Its work was told to stop. */
export class ToolTimeoutError extends HoldfastError {
  /** What was running: `<tool>:timeout` where the tool is known. */
  readonly label: string;
  readonly timeoutMs: number;

  constructor(label: string, timeoutMs: number) {
    super('tool-timeout', `${label}: no answer within ${timeoutMs} ms`, { retryable: true });
    this.label = label;
    this.timeoutMs = timeoutMs;
  }
}

/** As many calls as allowed are running, and as many as allowed wait. */
export class BulkheadFullError extends HoldfastError {
  constructor(limit: number, queue: number) {
    super(
      'bulkhead-full',
      `as many calls as allowed are running (${limit}) and waiting (${queue})`,
      {
        retryable: true,
      },
    );
  }
}

/** A store of circuits could not do what it was asked to. The circuits of whoever asked go on without it. */
export class CircuitStoreError extends HoldfastError {
  constructor(message: string, cause?: unknown) {
    super('circuit-store', message, { retryable: true, cause });
  }
}

/** An option has a value that cannot work. Thrown at construction, never later. */
export class InvalidOptionError extends HoldfastError {
  constructor(option: string, expected: string, received: unknown) {
    super('invalid-option', `${option}: expected ${expected}, got ${show(received)}`);
  }
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return 'an array';
  if (value instanceof Promise) return 'a promise';
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an object';
  const shown = keys.slice(0, MOST_KEYS).join(', ');
  return `an object with the keys ${shown}${keys.length > MOST_KEYS ? ', …' : ''}`;
}

/** More of them identify no object better. */
const MOST_KEYS = 5;
