import type { JsonObject, JsonValue } from '@holdfast/core';
import type { TurnError, TurnErrorKind } from '../turn/turn-error.ts';
import { countOf, isObject, textOf } from '../json/json-fields.ts';
import { quoteText } from '../json/quote-text.ts';

/**
 * What an OpenAI-compatible server says of a failure: `{"error": {…}}`, `{"error": "…"}`, or the older
 * `{"object": "error", …}`. Undefined for a body that tells of none. `status` is that of the HTTP answer.
 */
export function readChatError(body: JsonObject, status?: number): TurnError | undefined {
  const said = body['error'];
  if (isObject(said)) return errorFrom(said, status);
  if (typeof said === 'string' && said !== '') return errorFrom({ ...body, message: said }, status);
  if (body['object'] === 'error') return errorFrom(body, status);
  return undefined;
}

/** A failure that an object describes, whatever of it is there. */
export function errorFrom(said: JsonObject, status?: number): TurnError {
  const code = status ?? statusIn(said['code']) ?? statusIn(said['status']);
  const message = textOf(said['message']) || textOf(said['detail']);
  const words = [said['type'], said['code']].map(textOf).join(' ');
  return {
    kind: kindOf(code, words),
    message: (message || `the upstream failed, and said ${quoteText(JSON.stringify(said))}`).slice(
      0,
      MOST_CHARACTERS,
    ),
    ...(code !== undefined && { status: code }),
  };
}

/** A message is shown to people; a page of HTML in it would bury them. */
const MOST_CHARACTERS = 2_000;

function statusIn(value: JsonValue | undefined): number | undefined {
  const number = countOf(value);
  return number !== undefined && number >= 400 && number < 600 ? number : undefined;
}

function kindOf(status: number | undefined, words: string): TurnErrorKind {
  const byWord = WORDS.find(([word]) => words.includes(word));
  return (status === undefined ? undefined : kindOfStatus(status)) ?? byWord?.[1] ?? 'upstream';
}

/** The kind of failure a status tells of. */
function kindOfStatus(status: number): TurnErrorKind | undefined {
  return STATUSES.get(status) ?? (status >= 400 && status < 500 ? 'invalid-request' : undefined);
}

const STATUSES: ReadonlyMap<number, TurnErrorKind> = new Map<number, TurnErrorKind>([
  [401, 'authentication'],
  [403, 'permission'],
  [404, 'not-found'],
  [408, 'timeout'],
  [413, 'too-large'],
  [429, 'rate-limited'],
  [503, 'overloaded'],
  [504, 'timeout'],
  [529, 'overloaded'],
]);

const WORDS: readonly (readonly [string, TurnErrorKind])[] = [
  ['rate_limit', 'rate-limited'],
  ['overloaded', 'overloaded'],
  ['unavailable', 'overloaded'],
  ['timeout', 'timeout'],
  ['authentication', 'authentication'],
  ['invalid_api_key', 'authentication'],
  ['permission', 'permission'],
  ['not_found', 'not-found'],
  ['invalid_request', 'invalid-request'],
  ['BadRequest', 'invalid-request'],
  ['context_length', 'invalid-request'],
];
