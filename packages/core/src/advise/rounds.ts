import type { AdvisedCall } from './advised-call.ts';
import type { AdvisorState } from './advisor-state.ts';
import { STATE_BOUNDS } from './advisor-state.ts';
import { withLast } from './history.ts';

/** The part of the state that knows which calls belong together. */
export type RoundState = Pick<AdvisorState, 'round' | 'roundIsOpen' | 'namedRound' | 'pending'>;

/**
 * A call begins. Calls that begin before any of them has ended are one round. The first end closes it: a
 * call whose end is never told must not hold its round open for the rest of the conversation.
 */
export function beginCall(state: RoundState, call: AdvisedCall, hash: string): RoundState {
  const named = nameOf(call);
  const isSame = named === '' ? state.roundIsOpen : named === state.namedRound;
  const round = isSame ? state.round : state.round + 1;
  const pending = withLast(state.pending, { key: keyOf(call, hash), round }, STATE_BOUNDS.pending);
  return { round, roundIsOpen: true, namedRound: named, pending };
}

/** A call ends: the round it belongs to, and the state without it. */
export function endCall(
  { round, namedRound, pending }: RoundState,
  call: AdvisedCall,
  hash: string,
): { readonly own: number; readonly rounds: RoundState } {
  const key = keyOf(call, hash);
  const at = pending.findIndex((each) => each.key === key);
  const begun = pending[at];
  if (begun !== undefined) {
    const left = pending.toSpliced(at, 1);
    return {
      own: begun.round,
      rounds: { round, roundIsOpen: false, namedRound, pending: left },
    };
  }
  const named = nameOf(call);
  const isSame = named !== '' && named === namedRound;
  const own = isSame ? round : round + 1;
  return { own, rounds: { round: own, roundIsOpen: false, namedRound: named, pending } };
}

/** A call was stopped before it ran. */
export function dropCall(state: RoundState, call: AdvisedCall, hash: string): RoundState {
  const at = state.pending.findLastIndex(({ key }) => key === keyOf(call, hash));
  return at < 0 ? state : { ...state, pending: state.pending.toSpliced(at, 1) };
}

function keyOf(call: AdvisedCall, hash: string): string {
  return call.id === undefined ? hash : `${call.id.slice(0, 200)} ${hash}`;
}

function nameOf({ round }: AdvisedCall): string {
  return round === undefined ? '' : `${typeof round} ${String(round).slice(0, 200)}`;
}
