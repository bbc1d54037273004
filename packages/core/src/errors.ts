export type ErrorCode =
  'parse-timeout' | 'parse-too-large' | 'invalid-option' | 'duplicate-parser' | 'cannot-render';

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

/** An option has a value that cannot work. Thrown at construction, never later. */
export class InvalidOptionError extends HoldfastError {
  constructor(option: string, expected: string, received: unknown) {
    super('invalid-option', `${option}: expected ${expected}, got ${show(received)}`);
  }
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value) ? 'an array' : 'an object';
  return String(value);
}
