import type { JsonValue } from '../../types.ts';
import { anchoredErrorKind } from './error-line.ts';
import { isObject } from './parse-body.ts';

/** What a JSON answer says about itself. */
export interface BodyVerdict {
  readonly isError: boolean;
  /** What it says of the error, most telling first: codes, types, messages. */
  readonly lines: readonly string[];
  /** An HTTP status or a code of JSON-RPC among them. */
  readonly status?: number;
}

type Body = Readonly<Record<string, JsonValue>>;

const BAD_STATUS: ReadonlySet<string> = new Set(['error', 'fail', 'failed', 'failure', 'denied']);
const GOOD_STATUS: ReadonlySet<string> = new Set([
  'ok',
  'success',
  'succeeded',
  'done',
  'completed',
]);

/** Keys that only say how it went. A body with others may be about something that failed elsewhere. */
const ENVELOPE_KEYS: ReadonlySet<string> = new Set(
  (
    'ok success succeeded status statuscode status_code api_status code type error errors message msg errmsg errcode ' +
    'error_code errorcode error_description detail details title instance suggestion hint path reason ' +
    'request_id requestid documentation_url doc_url help jsonrpc id data result iserror is_error content ' +
    'timestamp retryable retry_after trace_id'
  ).split(' '),
);

/** Reads the usual ways of saying how it went. Values count, not keys: `"error": null` is no error. */
export function readBody(body: Body): BodyVerdict | undefined {
  const status = statusOf(body);
  const says = complaintOf(body, status);
  if (says === true) {
    return { isError: true, lines: linesOf(body), ...(status !== undefined && { status }) };
  }
  return says === false ? { isError: false, lines: [] } : undefined;
}

/** Whether the body says nothing but how it went. */
export function isOnlyEnvelope(body: Body): boolean {
  return Object.keys(body).every((key) => ENVELOPE_KEYS.has(key.toLowerCase()));
}

/** What stands at a path such as `result.error`. */
export function readErrorPath(body: Body, path: string): BodyVerdict {
  let value: JsonValue | undefined = body;
  for (const key of path.split('.')) {
    value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  if (!isFilled(value)) return { isError: false, lines: [] };
  return { isError: true, lines: isObject(value) ? linesOf(value) : textsOf(value) };
}

/** True for an error, false for success, undefined when it does not say. */
function complaintOf(body: Body, status: number | undefined): boolean | undefined {
  const flags = [body['ok'], body['success'], body['succeeded']].filter(
    (flag) => typeof flag === 'boolean',
  );
  const failed = body['isError'] ?? body['is_error'];
  if (flags.includes(false) || failed === true) return true;
  if (isFilled(body['error']) || isFilled(body['errors'])) return true;
  if (status !== undefined && (status >= 400 || status < -32000)) return true;
  const word = wordOf(body['status']);
  const explains = ['message', 'msg', 'code', 'type', 'detail', 'reason'].some(
    (key) => key in body,
  );
  if (BAD_STATUS.has(word) && explains) return true;
  const reply = replyOf(body);
  if (body['status'] === false && reply !== '') return true;
  if (anchoredErrorKind(reply) === 'fatal') return true;
  if (wordOf(body['type']) === 'error') return true;
  const code = body['errcode'] ?? body['error_code'] ?? body['errorCode'];
  if (typeof code === 'number') return code !== 0;
  const plain = body['code'];
  const isSaid = 'msg' in body || 'message' in body;
  if (typeof plain === 'number' && isSaid) return plain !== 0 && (plain < 200 || plain > 299);
  if (isFilled(body['detail']) && Object.keys(body).length === 1) return true;
  if ('documentation_url' in body && 'message' in body) return true;
  const isGood =
    flags.length > 0 || failed === false || status !== undefined || GOOD_STATUS.has(word);
  return isGood || 'error' in body || 'errors' in body ? false : undefined;
}

const REPLIES = ['message', 'msg', 'content', 'text', 'result', 'output', 'response', 'detail'];

/** What a body says whose only text is that, beside flags; '' for any other. A record with more may be data. */
function replyOf(body: Body): string {
  const rest = Object.entries(body).filter(
    ([, value]) => value !== null && typeof value !== 'boolean',
  );
  const [key = '', value] = rest.length === 1 ? (rest[0] ?? []) : [];
  return typeof value === 'string' && REPLIES.includes(key) ? value.slice(0, 1000) : '';
}

/** A status that is a number, or the text of one. */
function statusOf(body: Body): number | undefined {
  const inner = isObject(body['error']) ? body['error'] : {};
  const candidates = [
    body['status'],
    body['statusCode'],
    body['status_code'],
    inner['status'],
    inner['code'],
  ];
  for (const value of candidates) {
    const number = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isInteger(number)) continue;
    if ((number >= 100 && number < 600) || number < -32000) return number;
  }
  return undefined;
}

/** Anything but null, false, 0, nothing, and words that mean nothing. */
function isFilled(value: JsonValue | undefined): boolean {
  if (typeof value === 'string')
    return value !== '' && !/^(?:none|null|ok|false|no|0|success)$/i.test(value);
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value === true || (typeof value === 'number' && value !== 0);
}

const TELLING = [
  'code',
  'type',
  'status',
  'reason',
  'errmsg',
  'msg',
  'message',
  'error_description',
  'detail',
  'title',
];

function linesOf(body: Body): string[] {
  const lines: string[] = [];
  const inner = [body['error'], firstOf(body['errors']), firstOf(body['content']), body['detail']];
  for (const part of inner) {
    if (isObject(part)) lines.push(...linesOfPart(part));
    else lines.push(...textsOf(firstOf(part) ?? part));
  }
  return [...lines, ...linesOfPart(body)].filter((line) => line !== '').slice(0, 12);
}

function linesOfPart(part: Body): string[] {
  const extensions = isObject(part['extensions']) ? textsOf(part['extensions']['code']) : [];
  return [
    ...extensions,
    ...[...TELLING, 'text', 'content', 'name'].flatMap((key) => textsOf(part[key])),
  ];
}

function firstOf(value: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(value) ? (value as readonly JsonValue[])[0] : undefined;
}

function textsOf(value: JsonValue | undefined): string[] {
  return typeof value === 'string' ? [value.slice(0, 1000)] : [];
}

function wordOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value.slice(0, 40).toLowerCase() : '';
}
