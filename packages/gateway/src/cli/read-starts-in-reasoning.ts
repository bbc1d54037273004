import type { StartsInReasoning } from '../config/gateway-config.ts';
import type { Arguments } from './command.ts';
import { readChoice } from './read-choice.ts';

/** The value of `--starts-in-reasoning`; undefined when it was not given. */
export function readStartsInReasoning(given: Arguments): StartsInReasoning | undefined {
  const written = readChoice(given, 'starts-in-reasoning', ['auto', 'true', 'false']);
  return written === undefined || written === 'auto' ? written : written === 'true';
}
