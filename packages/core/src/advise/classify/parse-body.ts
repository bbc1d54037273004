import type { JsonValue } from '../../types.ts';

/** A larger answer is content: errors are short. */
const MAX_LENGTH = 64 * 1024;

/**
 * The JSON object a tool answered with; undefined when the output is anything else. What came back from a
 * tool is strict JSON or none: the tolerant reader is for what models write.
 */
export function parseBody(output: string): Readonly<Record<string, JsonValue>> | undefined {
  if (output.length > MAX_LENGTH) return undefined;
  const text = output.trim();
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
