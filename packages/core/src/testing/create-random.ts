import { InvalidOptionError } from '../errors.ts';
import type { Random } from '../internal/random.ts';

/** A source of chance that draws the same numbers for the same seed, so that a failing run can be run again. */
export function createRandom(seed: number): Random {
  if (!Number.isSafeInteger(seed)) throw new InvalidOptionError('seed', 'a whole number', seed);
  let state = seed | 0;
  // mulberry32: 32 bits of state, which is enough for tests and for nothing that must be secret.
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
