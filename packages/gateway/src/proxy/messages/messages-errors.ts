import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject } from '../json/json-fields.ts';
import type { ErrorAnswer } from '../client-protocol.ts';
import type { TurnError, TurnErrorKind } from '../turn/turn-error.ts';
import type { MessagesEvent } from './messages-event.ts';

const WORDS: Readonly<Record<TurnErrorKind, { readonly status: number; readonly type: string }>> = {
  'invalid-request': { status: 400, type: 'invalid_request_error' },
  authentication: { status: 401, type: 'authentication_error' },
  permission: { status: 403, type: 'permission_error' },
  'not-found': { status: 404, type: 'not_found_error' },
  'too-large': { status: 413, type: 'request_too_large' },
  'rate-limited': { status: 429, type: 'rate_limit_error' },
  upstream: { status: 502, type: 'api_error' },
  overloaded: { status: 529, type: 'overloaded_error' },
  timeout: { status: 504, type: 'timeout_error' },
  internal: { status: 500, type: 'api_error' },
};

/** The `error` event of a stream; nothing may follow it. */
export function messagesErrorEvent(error: TurnError, requestId?: string): MessagesEvent {
  return {
    type: 'error',
    error: { type: WORDS[error.kind].type, message: error.message },
    ...(requestId !== undefined && { request_id: requestId }),
  };
}

/** Status, headers and body for a request that failed before anything was answered. */
export function messagesErrorAnswer(error: TurnError, requestId: string): ErrorAnswer {
  const { kind, status, retryAfterMs } = error;
  const isFailure = status !== undefined && status >= 400 && status <= 599;
  return {
    status: isFailure ? status : WORDS[kind].status,
    headers:
      retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) },
    body: messagesErrorEvent(error, requestId),
  };
}

const KINDS: ReadonlyMap<string, TurnErrorKind> = new Map([
  ['invalid_request_error', 'invalid-request'],
  ['authentication_error', 'authentication'],
  ['billing_error', 'permission'],
  ['permission_error', 'permission'],
  ['not_found_error', 'not-found'],
  ['request_too_large', 'too-large'],
  ['rate_limit_error', 'rate-limited'],
  ['overloaded_error', 'overloaded'],
  ['timeout_error', 'timeout'],
]);

/** Reads an upstream's error in any shape: Anthropic's, OpenAI's, or a bare text. */
export function readMessagesError(body: JsonObject): TurnError {
  const said = body['error'];
  const error = isObject(said) ? said : body;
  const type = error['type'];
  const kind = typeof type === 'string' ? KINDS.get(type) : undefined;
  return { kind: kind ?? 'upstream', message: messageOf(error['message'], said) };
}

function messageOf(message: JsonValue | undefined, said: JsonValue | undefined): string {
  if (typeof message === 'string' && message !== '') return message;
  if (typeof said === 'string' && said !== '') return said;
  return 'the upstream reported an error and did not say which';
}
