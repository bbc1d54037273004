import { parseRetryAfter } from './parse-retry-after.ts';
import type { TurnError, TurnErrorKind } from '../turn/turn-error.ts';

/** An answer of an upstream that is no turn. */
export interface ErrorAnswer {
  readonly upstream: string;
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The beginning of its body. */
  readonly body: string;
  /** When it came: Retry-After may be a date. */
  readonly wallTime: number;
}

/** What a client is told of an upstream's error: its own message, where it has one. */
export function readErrorAnswer(answer: ErrorAnswer): TurnError {
  const { upstream, status, retryAfter, body, wallTime } = answer;
  const said = messageIn(body);
  const message = `upstream "${upstream}" answered ${status}${said === '' ? '' : `: ${said}`}`;
  const retryAfterMs = retryAfter === undefined ? undefined : parseRetryAfter(retryAfter, wallTime);
  const error = { kind: kindOf(status), message, status };
  return retryAfterMs === undefined ? error : { ...error, retryAfterMs };
}

function kindOf(status: number): TurnErrorKind {
  switch (status) {
    case 401:
      return 'authentication';
    case 403:
      return 'permission';
    case 404:
      return 'not-found';
    case 408:
    case 504:
      return 'timeout';
    case 413:
      return 'too-large';
    case 429:
      return 'rate-limited';
    case 503:
    case 529:
      return 'overloaded';
    default:
      return status >= 400 && status < 500 ? 'invalid-request' : 'upstream';
  }
}

/** `{"error": {"message"}}`, `{"error": "…"}`, `{"message"}`, `{"detail"}`, or the first line of the text. */
function messageIn(body: string): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return shorten(body);
  }
  for (const path of [['error', 'message'], ['error'], ['message'], ['detail']]) {
    const found = path.reduce<unknown>(memberOf, value);
    if (typeof found === 'string' && found !== '') return shorten(found);
  }
  return shorten(body);
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE)}…` : line;
}

const LONGEST_MESSAGE = 500;
