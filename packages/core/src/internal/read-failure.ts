import { firstIn, layersOf } from './error-layers.ts';
import { messageStart, statusOf } from './error-signals.ts';
import type { Failure, FailureClass } from './failure-class.ts';
import type { FailureSign } from './failure-codes.ts';
import { describeFailure } from './failure-message.ts';
import { signOfMessages, signOfStructure } from './failure-signs.ts';
import { QUOTA } from './failure-wording.ts';
import { makeFailure } from './make-failure.ts';
import { readErrorResult } from './read-error-result.ts';
import { retryAfterIn } from './retry-after.ts';

/**
 * Reads what was thrown. With `signal`, an abort of the caller is told from one of the tool; with `wallTime`,
 * milliseconds since 1970, a Retry-After that is a date can be counted down. Never throws.
 */
export function readThrown(error: unknown, signal?: AbortSignal, wallTime?: number): Failure {
  const layers = layersOf(error);
  const sign = signOfStructure(layers) ?? signOfMessages(layers);
  if (signal?.aborted === true && isByAbort(sign, layers, signal.reason))
    return { class: 'cancelled', message: 'the caller cancelled it', cause: error };
  const failureClass = classOf(sign, layers, wallTime);
  return makeFailure(failureClass, describeFailure(layers), layers, wallTime);
}

/** Reads what a tool returned: undefined unless the result itself says that it is an error. Never throws. */
export function readReturned(value: unknown): Failure | undefined {
  // Every call that succeeds comes through here: two reads, and nothing is made.
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    const { is_error: snake, isError: camel } = value as { is_error?: unknown; isError?: unknown };
    if ((snake ?? camel) !== true) return undefined;
  } catch {
    // What cannot be asked has not said that it is an error.
    return undefined;
  }
  return readErrorResult(value);
}

/**
 * Whether the caller's abort explains it. Libraries tell an abort as a reset, as a timeout or as an error of
 * their own, so what comes after one is believed only where it is an answer of the tool.
 */
function isByAbort(
  sign: FailureSign | undefined,
  layers: readonly unknown[],
  reason: unknown,
): boolean {
  if (layers.includes(reason)) return true;
  if (firstIn(layers, statusOf) !== undefined) return false;
  return sign === undefined || ENDS_OF_AN_ABORT.has(sign);
}

const ENDS_OF_AN_ABORT: ReadonlySet<FailureSign> = new Set([
  'abort',
  'transport',
  'timeout',
  'tool-error',
] as const);

function classOf(
  sign: FailureSign | undefined,
  layers: readonly unknown[],
  wallTime: number | undefined,
): FailureClass {
  // Nobody but the tool can have aborted it: its connection ended.
  if (sign === 'abort') return 'transport';
  if (sign !== undefined) return sign;
  const isQuota = layers.some((layer) => QUOTA.test(messageStart(layer) ?? ''));
  const hasReset = isQuota && retryAfterIn(layers, true, wallTime) !== undefined;
  return hasReset ? 'rate-limited' : 'tool-error';
}
