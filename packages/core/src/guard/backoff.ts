import { systemRandom } from '../internal/random.ts';
import type { Random } from '../internal/random.ts';

/** How much of a delay is left to chance. */
export type Jitter =
  /** Anything from nothing to the whole delay: spreads callers that failed together the most. */
  | 'full'
  /** Half the delay for certain, the other half by chance. */
  | 'equal'
  /** From the first delay to three times the last one, whatever the multiplier. */
  | 'decorrelated'
  /** Nothing: callers that failed together come back together. */
  | 'none';

/** How delays grow. */
export interface BackoffSettings {
  /** The delay before the first retry. */
  readonly initialDelayMs: number;
  /** How many times longer each delay is than the one before it. */
  readonly multiplier: number;
  /** No delay is longer. */
  readonly maxDelayMs: number;
  readonly jitter: Jitter;
}

/** How delays grow unless told otherwise. */
export const BACKOFF_DEFAULTS: BackoffSettings = Object.freeze({
  initialDelayMs: 500,
  multiplier: 2,
  maxDelayMs: 30_000,
  jitter: 'full',
});

/** By how much a decorrelated delay may outgrow the one before it: the factor of the AWS article that named it. */
const DECORRELATED_GROWTH = 3;

/**
 * How long to wait before a retry; `retry` counts from 1. In whole milliseconds, as timers count. `previousMs` is
 * the delay before it, which only decorrelated jitter looks at. What `settings` lacks is as in `BACKOFF_DEFAULTS`.
 */
export function backoffDelay(
  retry: number,
  settings: Partial<BackoffSettings> = {},
  random: Random = systemRandom,
  previousMs: number = settings.initialDelayMs ?? BACKOFF_DEFAULTS.initialDelayMs,
): number {
  const { initialDelayMs, multiplier, maxDelayMs, jitter } = { ...BACKOFF_DEFAULTS, ...settings };
  if (jitter === 'decorrelated') {
    const spread = Math.max(0, previousMs * DECORRELATED_GROWTH - initialDelayMs);
    return Math.floor(Math.min(initialDelayMs + random() * spread, maxDelayMs));
  }
  // A high power is Infinity, and nothing times Infinity would be no number.
  const grown = initialDelayMs === 0 ? 0 : initialDelayMs * multiplier ** (retry - 1);
  const delayMs = Math.min(grown, maxDelayMs);
  if (jitter === 'none') return Math.floor(delayMs);
  const certain = jitter === 'equal' ? delayMs / 2 : 0;
  return Math.floor(certain + random() * (delayMs - certain));
}
