import type { TurnPlan } from '../turn-plan.ts';
import type { TurnRecord } from '../turn-record.ts';
import type { TurnError } from '../turn/turn-error.ts';

/** Where a request to an upstream stands among those of its turn. */
export interface AttemptPlace {
  /** From 1. */
  readonly attempt: number;
  /** Whether it goes to another upstream than the one that was asked first. */
  readonly isFailover: boolean;
}

/** Told how one request to an upstream goes. */
export interface UpstreamWatch {
  /** Sent with it, in place of those of the same name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sends it. */
  run<T>(send: () => T): T;
  /** The first bytes of the answer are there. */
  answered(statusCode: number): void;
  /** It is over: with an error, or with all that was told in it. The first word counts. */
  ended(error: TurnError | undefined, record?: TurnRecord): void;
  /** The client went away meanwhile. */
  abandoned(): void;
}

/** Watches a request that is about to be sent. */
export type WatchUpstream = (plan: TurnPlan, place: AttemptPlace) => UpstreamWatch;
