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

/** Whether something may be said, and what is remembered of having said it; undefined to be silent. */
export function sayOnce(
  said: readonly SaidBefore[],
  about: string,
  rule: AdviceRule,
  round: number,
): readonly SaidBefore[] | undefined {
  const rank = RULE_RANKS[rule];
  const known = said.filter((before) => round - before.round < FORGOTTEN_AFTER);
  const before = known.find((one) => one.about === about);
  const others = known.filter((one) => one !== before);
  const isMoreUrgent = before !== undefined && rank > before.rank;
  if (before !== undefined && !isMoreUrgent)
    if (before.times >= MOST_TIMES || before.round === round) return undefined;
  const times = before === undefined || isMoreUrgent ? 1 : before.times + 1;
  return withLast(
    others,
    { about, times, rank: Math.max(rank, before?.rank ?? 0), round },
    STATE_BOUNDS.said,
  );
}
