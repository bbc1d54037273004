import type { JsonObject } from '@holdfast/core';
import { didYouMean } from '../cli/nearest.ts';
import { RequestError } from '../http/request-error.ts';

type QueryValue = string | number | boolean;

/** What stands behind the `?`, by what may stand there. Throws a `RequestError` that says what does not fit. */
export function readQuery(
  query: string,
  known: Readonly<Record<string, JsonObject>> = {},
): Readonly<Record<string, QueryValue>> {
  const read: Record<string, QueryValue> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    const schema = Object.hasOwn(known, name) ? known[name] : undefined;
    if (schema === undefined) {
      const names = Object.keys(known);
      const expected = names.length === 0 ? 'nothing' : names.join(', ');
      const near = didYouMean(name, names);
      throw unfit(`?${quoted(name)}: expected ${expected} behind the ?${near}`);
    }
    read[name] = readValue(name, value, schema);
  }
  return read;
}

function readValue(name: string, value: string, schema: JsonObject): QueryValue {
  const { type, enum: words } = schema;
  if (type === 'integer') {
    const number = Number(value);
    const least = Number(schema['minimum'] ?? 0);
    const most = Number(schema['maximum'] ?? Number.MAX_SAFE_INTEGER);
    if (/^\d{1,16}$/.test(value) && number >= least && number <= most) return number;
    const range = `a whole number from ${least} to ${most}`;
    throw unfit(`?${name}: expected ${range}, got ${quoted(value)}`);
  }
  if (type === 'boolean') {
    if (value === '1' || value === 'true') return true;
    if (value === '0' || value === 'false') return false;
    throw unfit(`?${name}: expected 1 or 0, got ${quoted(value)}`);
  }
  if (Array.isArray(words) && !words.includes(value)) {
    throw unfit(`?${name}: expected ${words.join(', ')}, got ${quoted(value)}`);
  }
  return value;
}

function quoted(value: string): string {
  return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
}

function unfit(message: string): RequestError {
  return new RequestError(400, 'invalid-request', message);
}
