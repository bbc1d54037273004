import type { IncomingHttpHeaders } from 'node:http';

/** What describes a body that is forwarded as it is. */
const OF_THE_BODY: ReadonlySet<string> = new Set([
  'accept-ranges',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-range',
  'content-type',
]);

/** What else SDKs and agents read: limits, retries, and the id by which the upstream's support finds a request. */
const OF_LIMITS: ReadonlySet<string> = new Set([
  'apim-request-id',
  'request-id',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
]);
const PREFIXES_OF_LIMITS: readonly string[] = [
  'anthropic-',
  'openai-',
  'ratelimit',
  'x-codex-',
  'x-ratelimit-',
];

/** The headers of an upstream's response that describe its body. */
export function bodyHeaders(headers: Readonly<IncomingHttpHeaders>): Record<string, string> {
  return pick(headers, (name) => OF_THE_BODY.has(name));
}

/** The headers of an upstream's response that clients read and that act on nothing else. */
export function limitHeaders(headers: Readonly<IncomingHttpHeaders>): Record<string, string> {
  return pick(
    headers,
    (name) => OF_LIMITS.has(name) || PREFIXES_OF_LIMITS.some((prefix) => name.startsWith(prefix)),
  );
}

function pick(
  headers: Readonly<IncomingHttpHeaders>,
  passes: (name: string) => boolean,
): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && passes(name)) passed[name] = String(value);
  }
  return passed;
}
