import type { JsonObject, JsonValue } from '@holdfast/core';
import { partOfValue } from '../log/part-of-value.ts';
import { inTurns } from '../proxy/fair-share.ts';
import { credentialsIn, redactFields, urlWithoutSecrets } from '../redact/redactor.ts';
import type { Mask, Redactor } from '../redact/redactor.ts';
import type { TraceRecord } from './trace-record.ts';

/** The longest text that is kept whole; an image in a request is one. */
const MAX_TEXT_LENGTH = 100_000;
/** Where a text is cut before it is searched for secrets, so that none is found half. */
export const SEARCHED_LENGTH = MAX_TEXT_LENGTH + 4_096;
/** The largest body of a request that is kept. */
const MAX_BODY_LENGTH = 1_000_000;

/** A trace as it is written: bounded, and without secrets, those of the request's own headers among them. */
export async function redactTrace(
  record: TraceRecord,
  redactor: Redactor,
): Promise<Record<string, unknown>> {
  const { request, upstream } = record;
  const known = redactor.with(credentialsIn(request.headers));
  const mask = (text: string): string => cut(known.text(text.slice(0, SEARCHED_LENGTH)), text);
  const { body, ...rest } = request;
  return {
    id: record.id,
    request: { ...redactFields(rest, mask), body: await redactBody(body, mask) },
    upstream: redactFields({ ...upstream, url: urlWithoutSecrets(upstream.url) }, mask),
    response: redactFields(record.response, mask),
    ...(record.advice !== undefined && { advice: mask(record.advice) }),
    durationMs: Math.round(record.durationMs),
  };
}

function cut(masked: string, text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return masked;
  return `${masked.slice(0, MAX_TEXT_LENGTH)}… [cut, ${text.length} characters in all]`;
}

/** Of a long body no more is searched for secrets than is kept, and other work runs meanwhile: that takes long. */
async function redactBody(body: JsonObject, mask: Mask): Promise<unknown> {
  const options = { room: MAX_BODY_LENGTH, from: 'start', mostText: SEARCHED_LENGTH } as const;
  const part = partOfValue(body, options);
  const redacted = await inTurns(redactInSteps(part.value as JsonObject, mask));
  const json = JSON.stringify(redacted);
  if (!part.isCut && json.length <= MAX_BODY_LENGTH) return redacted;
  const length = part.isCut ? 'more' : `${json.length} characters in all`;
  return `${json.slice(0, MAX_BODY_LENGTH)}… [cut, ${length}]`;
}

/** Field by field, and long lists, such as that of the messages, part by part. */
function* redactInSteps(
  body: JsonObject,
  mask: Mask,
): Generator<undefined, Record<string, unknown>, undefined> {
  const redacted: [string, unknown][] = [];
  for (const [key, member] of Object.entries<JsonValue>(body)) {
    const parts = Array.isArray(member) && member.length > 0 ? partsOf(member) : [member];
    const read: [string, unknown][] = [];
    for (const part of parts) {
      read.push(...Object.entries(redactFields({ [key]: part }, mask)));
      yield;
    }
    const [[name] = [key]] = read;
    redacted.push([
      name,
      Array.isArray(member) ? read.flatMap(([, value]) => value) : read[0]?.[1],
    ]);
  }
  return Object.fromEntries(redacted);
}

const ITEMS_OF_A_PART = 100;

function partsOf(list: readonly JsonValue[]): (readonly JsonValue[])[] {
  const count = Math.ceil(list.length / ITEMS_OF_A_PART);
  return Array.from({ length: count }, (_, at) =>
    list.slice(at * ITEMS_OF_A_PART, (at + 1) * ITEMS_OF_A_PART),
  );
}
