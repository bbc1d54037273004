import type { JsonObject } from '@holdfast/core';
import type { TurnErrorKind } from '../proxy/turn/turn-error.ts';

/** An error as the SDKs of both families read it: Anthropic's envelope, with OpenAI's fields in `error`. */
export interface ErrorBody {
  readonly type: 'error';
  readonly error: {
    readonly type: string;
    readonly message: string;
    /** The field of the request that is at fault. */
    readonly param: string | null;
    readonly code: string;
    readonly details?: JsonObject;
  };
  readonly request_id: string;
}

/** What is answered in place of a turn. `param` and `code` among the details are told where OpenAI's SDK looks. */
export function errorBody(
  kind: TurnErrorKind,
  message: string,
  requestId: string,
  details?: JsonObject,
): ErrorBody {
  const { param, code, ...others } = details ?? {};
  return {
    type: 'error',
    error: {
      type: TYPES[kind],
      message,
      param: typeof param === 'string' ? param : null,
      code: typeof code === 'string' ? code : kind.replaceAll('-', '_'),
      ...(Object.keys(others).length > 0 && { details: others }),
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
