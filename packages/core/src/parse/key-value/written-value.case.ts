import type { JsonValue } from '../../types.ts';

/** Writes values as these dialects do, with `quote` on both sides of a string. */
export function writtenValue(value: JsonValue, quote: string): string {
  if (typeof value === 'string') return quote + value + quote;
  if (Array.isArray(value))
    return `[${(value as readonly JsonValue[]).map((item) => writtenValue(item, quote)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => {
    const name = /^[a-z]\w*$/i.test(key) ? key : quote + key + quote;
    return `${name}:${writtenValue(member, quote)}`;
  });
  return `{${members.join(',')}}`;
}
