import type { JsonObject } from '@holdfast/core';
import type { TurnError, TurnErrorKind } from '../turn/turn-error.ts';

/** How a client of Chat Completions is told of a failure. */
export interface ChatError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

interface Words {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
}

const WORDS: Readonly<Record<TurnErrorKind, Words>> = Object.freeze({
  'invalid-request': { status: 400, type: 'invalid_request_error', code: null },
  authentication: { status: 401, type: 'authentication_error', code: 'invalid_api_key' },
  permission: { status: 403, type: 'permission_error', code: null },
  'not-found': { status: 404, type: 'not_found_error', code: null },
  'too-large': { status: 413, type: 'invalid_request_error', code: 'request_too_large' },
  'rate-limited': { status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  upstream: { status: 502, type: 'upstream_error', code: 'upstream_error' },
  overloaded: { status: 503, type: 'overloaded_error', code: 'overloaded' },
  timeout: { status: 504, type: 'timeout_error', code: 'timeout' },
  internal: { status: 500, type: 'server_error', code: 'internal_error' },
});

/** `{"error": {…}}`, for a body and for a stream alike. */
export function chatErrorBody({ kind, message }: TurnError): JsonObject {
  const { type, code } = WORDS[kind];
  return { error: { message, type, param: null, code } };
}

/** The status is the upstream's where it answered with a failure, as clients decide by it whether to try again. */
export function chatError(error: TurnError): ChatError {
  const said = error.status;
  const isFailure = said !== undefined && said >= 400 && said < 600;
  return {
    status: isFailure ? said : WORDS[error.kind].status,
    headers: retryHeaders(error.retryAfterMs),
    body: chatErrorBody(error),
  };
}

function retryHeaders(retryAfterMs: number | undefined): Readonly<Record<string, string>> {
  if (retryAfterMs === undefined) return {};
  return {
    'retry-after': String(Math.ceil(retryAfterMs / 1000)),
    'retry-after-ms': String(Math.ceil(retryAfterMs)),
  };
}
