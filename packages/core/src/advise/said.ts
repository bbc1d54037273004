import type { AdviceRule } from './advice.ts';
import type { SaidBefore } from './advisor-state.ts';
import { STATE_BOUNDS } from './advisor-state.ts';
import { withLast } from './history.ts';

/** How urgent each rule is. The same thing is said again when it has become more urgent. */
export const RULE_RANKS: Readonly<Record<AdviceRule, number>> = Object.freeze({
  'tool-failures': 1,
  'same-error': 2,
  'same-call': 3,
  'no-progress': 3,
  'unknown-tool': 3,
  cycle: 4,
  'step-back': 5,
  'ask-the-user': 6,
});

/** After this often there is silence. */
const MOST_TIMES = 2;

/** After this many rounds it is as if it had never been said. */
const FORGOTTEN_AFTER = 50;

/**
 * Whether something may be said, and what is remembered of having said it; undefined to be silent. In one
 * round only one thing is said, unless a more urgent one comes up.
 */
export function sayOnce(
  said: readonly SaidBefore[],
  about: string,
  rule: AdviceRule,
  round: number,
): readonly SaidBefore[] | undefined {
  const rank = RULE_RANKS[rule];
  const known = said.filter((before) => round - before.round < FORGOTTEN_AFTER);
  if (known.some((before) => before.round === round && before.rank >= rank)) return undefined;
  const before = known.find((one) => one.about === about);
  const isMoreUrgent = before !== undefined && rank > before.rank;
  const times = before === undefined || isMoreUrgent ? 1 : before.times + 1;
  if (times > MOST_TIMES) return undefined;
  const others = known.filter((one) => one !== before);
  const now = { about, times, rank: Math.max(rank, before?.rank ?? 0), round };
  return withLast(others, now, STATE_BOUNDS.said);
}
