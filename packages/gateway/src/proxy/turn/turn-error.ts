import type { JsonObject } from '@holdfast/core';

/** What kind of failure a client is told of; each protocol has its own word and status for it. */
export type TurnErrorKind =
  | 'invalid-request'
  | 'authentication'
  | 'permission'
  | 'not-found'
  | 'too-large'
  | 'rate-limited'
  | 'upstream'
  | 'overloaded'
  | 'timeout'
  | 'internal';

/** Why a turn could not be finished. */
export interface TurnError {
  readonly kind: TurnErrorKind;
  /** What happened, what was expected, what arrived. */
  readonly message: string;
  /** What the upstream answered with, where it answered at all. */
  readonly status?: number;
  /** The gateway had too little of something, or aborted the request: that says nothing of the upstream. */
  readonly isLocal?: true;
  /** How long the upstream asked to wait. */
  readonly retryAfterMs?: number;
  /** What the client's SDK acts on, in its own words. */
  readonly details?: JsonObject;
}
