import { hashText } from '../../internal/hash-text.ts';
import type { RecentCall } from '../recent-call.ts';

/** One round: a call, or the calls that ran in parallel. */
export interface Step {
  /** The same for rounds that did the same and got the same. */
  readonly key: string;
  /** The same for rounds that did the same. */
  readonly doing: string;
  readonly round: number;
  readonly tools: readonly string[];
  /** Whether to repeat it is its use. */
  readonly mayRepeat: boolean;
}

/** The rounds of a list of calls, in order. The order of calls inside a round means nothing. */
export function stepsOf(calls: readonly RecentCall[]): readonly Step[] {
  const rounds = new Map<number, RecentCall[]>();
  for (const call of calls) {
    const round = rounds.get(call.round);
    if (round === undefined) rounds.set(call.round, [call]);
    else round.push(call);
  }
  return [...rounds].map(([round, members]) => ({
    round,
    key: joined(members.map((member) => `${member.call} ${resultOf(member)}`)),
    doing: joined(members.map((member) => member.call)),
    tools: [...new Set(members.map(({ tool }) => tool))],
    mayRepeat: members.every(({ mayRepeat }) => mayRepeat),
  }));
}

/** A result that nobody told is like no other. */
function resultOf({ result, round }: RecentCall): string {
  return result === '' ? `round ${round}` : result;
}

function joined(keys: readonly string[]): string {
  const [only, ...more] = new Set(keys);
  return only !== undefined && more.length === 0
    ? only
    : hashText([...new Set(keys)].sort().join());
}
