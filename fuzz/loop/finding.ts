import type { FuzzInput } from './fuzz-input.ts';
import { BrokenLaw } from './fuzz-target.ts';

/** An input for which something does not hold. */
export interface Finding {
  readonly target: string;
  /** What is wrong, in words that are the same for every input that shows it. */
  readonly key: string;
  /** All that is known of it. */
  readonly message: string;
  readonly input: FuzzInput;
}

/** What tells this problem from others: the law that does not hold, or where it was thrown. */
export function keyOf(error: unknown): string {
  if (error instanceof BrokenLaw) return error.law;
  if (!(error instanceof Error)) return `threw ${String(error)}`;
  const [place = ''] = /packages\/[^\s)]+/.exec(error.stack ?? '') ?? [];
  return `threw ${error.name} ${place}`.trim();
}

export function messageOf(error: unknown): string {
  if (error instanceof BrokenLaw) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
