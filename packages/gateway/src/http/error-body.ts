import type { JsonObject } from '@holdfast/core';
import type { TurnErrorKind } from '../proxy/turn/turn-error.ts';

/** An error as the SDKs of both families read it: Anthropic's envelope, with OpenAI's fields in `error`. */
export interface ErrorBody {
  readonly type: 'error';
  readonly error: {
    readonly type: string;
    readonly message: string;
    readonly param: null;
    readonly code: string;
    readonly details?: JsonObject;
  };
  readonly request_id: string;
}

/** What is answered in place of a turn. */
export function errorBody(
  kind: TurnErrorKind,
  message: string,
  requestId: string,
  details?: JsonObject,
): ErrorBody {
  return {
    type: 'error',
    error: {
      type: TYPES[kind],
      message,
      param: null,
      code: kind.replaceAll('-', '_'),
      ...(details !== undefined && { details }),
    },
    request_id: requestId,
  };
}

/** Anthropic's words; OpenAI's SDK goes by the status. */
const TYPES: Readonly<Record<TurnErrorKind, string>> = {
  'invalid-request': 'invalid_request_error',
  authentication: 'authentication_error',
  permission: 'permission_error',
  'not-found': 'not_found_error',
  'too-large': 'request_too_large',
  'rate-limited': 'rate_limit_error',
  upstream: 'api_error',
  overloaded: 'overloaded_error',
  timeout: 'timeout_error',
  internal: 'api_error',
};
