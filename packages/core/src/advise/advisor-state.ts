import type { Advice } from './advice.ts';
import type { FailureRecord } from './history.ts';
import type { RecentCall } from './recent-call.ts';
import type { StepBackState } from './step-back.ts';

/** Where hosts keep the state among other data of a conversation. */
export const ADVISOR_STATE_KEY = '_tool_failures';

/** What was said about one thing, so that it is not said for ever. */
export interface SaidBefore {
  /** Hash of what it was about. */
  readonly about: string;
  readonly times: number;
  /** How urgent it was when it was last said. */
  readonly rank: number;
  /** The round it was last said in. */
  readonly round: number;
}

/** A call that was stopped. */
export interface VetoRecord {
  readonly call: string;
  readonly times: number;
}

/** A call that has begun. */
export interface PendingCall {
  readonly key: string;
  readonly round: number;
}

/** Everything an advisor remembers of a conversation: plain JSON, of bounded size. */
export interface AdvisorState {
  readonly version: 1;
  /** The last failures, the newest last. */
  readonly history: readonly FailureRecord[];
  /** Failures in a row by tool. */
  readonly consecutive: Readonly<Record<string, number>>;
  readonly stepBack: StepBackState;
  /** The last calls, the newest last. */
  readonly calls: readonly RecentCall[];
  readonly said: readonly SaidBefore[];
  readonly vetoes: readonly VetoRecord[];
  readonly pending: readonly PendingCall[];
  readonly round: number;
  /** Whether calls that begin now belong to the round that is running. */
  readonly roundIsOpen: boolean;
  /** The round as the host named it, or ''. */
  readonly namedRound: string;
  /** Advice that waits for the next call, where the host cannot speak after one. */
  readonly queued: Advice | null;
}

/** How much is kept. */
export const STATE_BOUNDS: Readonly<
  Record<'history' | 'tools' | 'window' | 'calls' | 'said' | 'vetoes' | 'pending', number>
> = Object.freeze({
  history: 20,
  tools: 50,
  window: 1000,
  calls: 50,
  said: 50,
  vetoes: 20,
  pending: 50,
});

export const EMPTY_STATE: AdvisorState = Object.freeze({
  version: 1,
  history: [],
  consecutive: {},
  stepBack: { window: [], isShown: false, successes: 0 },
  calls: [],
  said: [],
  vetoes: [],
  pending: [],
  round: 0,
  roundIsOpen: false,
  namedRound: '',
  queued: null,
});
