import fc from 'fast-check';
import type { JsonValue } from '../../types.ts';

/** Writes a value as Python does. */
export function writtenPython(value: JsonValue): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value))
    return `[${(value as readonly JsonValue[]).map(writtenPython).join(', ')}]`;
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${writtenPython(member)}`,
  );
  return `{${members.join(', ')}}`;
}

export function writtenCall(name: string, args: Readonly<Record<string, JsonValue>>): string {
  const all = Object.entries(args).map(([key, value]) => `${key}=${writtenPython(value)}`);
  return `${name}(${all.join(', ')})`;
}

/** Arguments whose names Python can write. */
export const pythonArguments: fc.Arbitrary<Record<string, JsonValue>> = fc.dictionary(
  fc.stringMatching(/^[a-z_][a-z_0-9]{0,7}$/),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>,
  { maxKeys: 4 },
);
