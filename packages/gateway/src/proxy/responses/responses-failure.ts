import type { JsonObject, JsonValue } from '@holdfast/core';
import { errorFrom } from '../chat/read-chat-error.ts';
import { isObject, textOf } from '../json/json-fields.ts';
import type { TurnError, TurnErrorKind } from '../turn/turn-error.ts';
import type { ResponseEvent } from './response-event.ts';

/**
 * The codes that clients act on: Codex gives up at `invalid_prompt`, waits as long as the message says at
 * `rate_limit_exceeded`, says that the model is busy at `server_is_overloaded`, and tries others again.
 */
const CODES: Readonly<Record<TurnErrorKind, string>> = Object.freeze({
  'invalid-request': 'invalid_prompt',
  authentication: 'invalid_prompt',
  permission: 'invalid_prompt',
  'not-found': 'invalid_prompt',
  'too-large': 'invalid_prompt',
  'rate-limited': 'rate_limit_exceeded',
  upstream: 'server_error',
  overloaded: 'server_is_overloaded',
  timeout: 'server_error',
  internal: 'server_error',
});

/** The `error` of a response that failed. */
export function responseError(error: TurnError): JsonObject {
  const code = textOf(error.details?.['code']) || CODES[error.kind];
  const { retryAfterMs } = error;
  // The words that Codex looks for.
  const wait =
    retryAfterMs === undefined ? '' : ` Please try again in ${Math.ceil(retryAfterMs / 1000)}s.`;
  return { code, message: error.message + wait };
}

/**
 * The event that OpenAI's SDK throws over; it takes `response.failed`, which Codex needs, for an answer like
 * any other. So both are sent, this one first, as OpenAI does.
 */
export function errorEvent({ code = '', message = '' }: JsonObject): ResponseEvent {
  return { type: 'error', code, message, param: null };
}

/** Reads the failure in an `error` event, a response that failed, or whatever an upstream sends in their place. */
export function readResponsesError(said: JsonValue | undefined): TurnError {
  const body = isObject(said) ? said : {};
  const inner = isObject(body['error']) ? body['error'] : body;
  const error = typeof body['error'] === 'string' ? { message: body['error'] } : inner;
  const code = textOf(error['code']);
  const { type: _type, ...fields } = error;
  const read = errorFrom(isWord(error['type']) ? error : fields);
  const kind = KINDS.get(code) ?? read.kind;
  return { ...read, kind, ...(code !== '' && { details: { code } }) };
}

/** `error` is the name of the event, and says nothing. */
function isWord(type: JsonValue | undefined): boolean {
  return typeof type === 'string' && type !== 'error';
}

const KINDS: ReadonlyMap<string, TurnErrorKind> = new Map<string, TurnErrorKind>([
  ['invalid_prompt', 'invalid-request'],
  ['context_length_exceeded', 'invalid-request'],
  ['insufficient_quota', 'rate-limited'],
  ['slow_down', 'overloaded'],
  ['server_is_overloaded', 'overloaded'],
]);
