import type { JsonValue } from '../../types.ts';

/** A larger answer is content: errors are short. */
const MAX_LENGTH = 64 * 1024;

/** `status: False message: not logged in`, on one line: how it went, then what is said of it. */
const RECORD =
  /^(status|ok|success|succeeded)[:=] ?(true|false)[,;]? (message|msg|error|reason|detail)[:=] ?(\S.{0,2000})$/i;

/**
 * The JSON object a tool returned, or a record in one line that says as much; undefined when the output is anything
 * else. JSON is strict here: the tolerant reader is for what models write.
 */
export function parseBody(output: string): Readonly<Record<string, JsonValue>> | undefined {
  if (output.length > MAX_LENGTH) return undefined;
  const text = output.trim();
  const [, flag, value, key, said] = RECORD.exec(text) ?? [];
  if (flag !== undefined && value !== undefined && key !== undefined && said !== undefined) {
    return { [flag.toLowerCase()]: /true/i.test(value), [key.toLowerCase()]: said };
  }
  if (!text.startsWith('{') || !text.endsWith('}')) return undefined;
  try {
    // eslint-disable-next-line no-restricted-properties -- its size is bounded, and only the top is looked at
    const value = JSON.parse(text) as JsonValue;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isObject(
  value: JsonValue | undefined,
): value is Readonly<Record<string, JsonValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
