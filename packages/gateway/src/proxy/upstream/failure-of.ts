import type { Failure, FailureClass } from '@holdfast/core/guard';
import type { TurnError } from '../turn/turn-error.ts';

/** What a failed turn says of its upstream, for the circuit. */
export function failureOf(error: TurnError): Failure {
  const { message, retryAfterMs, status } = error;
  return {
    class: classOf(error),
    message,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(status !== undefined && { status }),
  };
}

function classOf({ kind, status }: TurnError): FailureClass {
  switch (kind) {
    case 'timeout':
      return 'timeout';
    case 'upstream':
      return status === undefined ? 'transport' : 'server';
    case 'overloaded':
    case 'internal':
      return 'server';
    case 'rate-limited':
      return 'rate-limited';
    case 'not-found':
      return 'not-found';
    case 'authentication':
    case 'permission':
      return 'auth';
    default:
      return 'invalid-arguments';
  }
}

/**
 * Where a turn that failed before its first byte may be asked for again: anywhere, at another upstream only, or
 * nowhere, because the request would fail everywhere.
 */
export function whereToAskAgain({ kind, status }: TurnError): 'anywhere' | 'elsewhere' | 'nowhere' {
  switch (kind) {
    case 'upstream':
    case 'overloaded':
    case 'rate-limited':
      return status === NOT_IMPLEMENTED ? 'elsewhere' : 'anywhere';
    // Who has let us wait in vain would do so again; a model that is not there is not loaded a second later.
    case 'timeout':
    case 'not-found':
      return 'elsewhere';
    default:
      return 'nowhere';
  }
}

const NOT_IMPLEMENTED = 501;
