import { InvalidOptionError } from '../errors.ts';
import type { Failure } from '../internal/failure-class.ts';
import { readReturned, readThrown } from '../internal/read-failure.ts';
import { LastGood } from './last-good.ts';

/** What to give instead of a failure. */
export type Fallback<T> =
  /** Always the same. */
  | { readonly value: T }
  /** What the same question was last answered with, if that is not too old. */
  | { readonly lastGood: LastGood<T> }
  /** What it returns; what was thrown or returned is `failure.cause`. */
  | ((failure: Failure) => T | Promise<T>);

/** What one run of `withFallback` is given. */
export interface FallbackRun {
  /** What is asked for. Needed with `lastGood`: the answer to another question must not be given. */
  readonly key?: string | undefined;
  /** A call that the caller took back gets no fallback. */
  readonly signal?: AbortSignal | undefined;
}

/** What the work is given. */
export interface FallbackWork {
  readonly signal: AbortSignal | undefined;
}

/**
 * Does the work, and gives something else where it fails; a returned `isError` is a failure too. Where there is
 * nothing to give, the failure stays as it was.
 */
export async function withFallback<T>(
  work: (context: FallbackWork) => T | Promise<T>,
  fallback: Fallback<T>,
  run: FallbackRun = {},
): Promise<T> {
  checkFallback(fallback);
  const { key = '', signal } = run;
  if (run.key === undefined && 'lastGood' in fallback)
    throw new InvalidOptionError('key', 'what is asked for, with lastGood', undefined);
  signal?.throwIfAborted();
  let value: T;
  try {
    value = await work({ signal });
  } catch (error) {
    const instead = await insteadOf(readThrown(error, signal), fallback, key, signal);
    if (instead === undefined) throw error;
    return instead.value;
  }
  const failure = readReturned(value);
  if (failure !== undefined)
    return ((await insteadOf(failure, fallback, key, signal)) ?? { value }).value;
  if ('lastGood' in fallback) fallback.lastGood.remember(key, value);
  return value;
}

/** Throws on a fallback that is none. */
export function checkFallback(fallback: unknown): void {
  if (typeof fallback === 'function') return;
  if (typeof fallback === 'object' && fallback !== null) {
    if ('value' in fallback) return;
    if ('lastGood' in fallback && fallback.lastGood instanceof LastGood) return;
  }
  const expected = 'a function, { value } or { lastGood: LastGood }';
  throw new InvalidOptionError('fallback', expected, fallback);
}

/** In an object, since what is given instead may be undefined. */
async function insteadOf<T>(
  failure: Failure,
  fallback: Fallback<T>,
  key: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly value: T } | undefined> {
  if (signal?.aborted === true) return undefined;
  if (typeof fallback === 'function') return { value: await fallback(failure) };
  return 'value' in fallback ? fallback : fallback.lastGood.recall(key);
}
