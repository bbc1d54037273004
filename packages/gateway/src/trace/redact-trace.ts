import { credentialsIn } from '../log/credentials-in.ts';
import { redactFields, redactValue } from '../log/redact-value.ts';
import type { Redactor } from '../log/redactor.ts';
import type { TraceRecord } from './trace-record.ts';
import { urlWithoutSecrets } from './url-without-secrets.ts';

/** The longest text that is kept whole; an image in a request is one. */
const MAX_TEXT_LENGTH = 100_000;
/** Where a text is cut before it is searched for secrets, so that none is found half. */
export const SEARCHED_LENGTH = MAX_TEXT_LENGTH + 4_096;
/** The largest body of a request that is kept. */
const MAX_BODY_LENGTH = 1_000_000;

/** A trace as it is written: bounded, and without secrets, those of the request's own headers among them. */
export function redactTrace(record: TraceRecord, redactor: Redactor): Record<string, unknown> {
  const { request, upstream } = record;
  const known = redactor.with(credentialsIn(request.headers));
  const mask = (text: string): string => cut(known.text(text.slice(0, SEARCHED_LENGTH)), text);
  const { body, ...rest } = request;
  return {
    id: record.id,
    request: { ...redactFields(rest, mask), body: bounded(redactValue(body, mask)) },
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

function bounded(body: unknown): unknown {
  const json = JSON.stringify(body) as string | undefined;
  if (json === undefined || json.length <= MAX_BODY_LENGTH) return body;
  return `${json.slice(0, MAX_BODY_LENGTH)}… [cut, ${json.length} characters in all]`;
}
