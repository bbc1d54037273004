import fc from 'fast-check';
import type { JsonValue } from '../../types.ts';

type Args = Readonly<Record<string, JsonValue>>;

/** Arguments whose names can be written in an attribute or a tag. */
export const namedArgs: fc.Arbitrary<Args> = fc.dictionary(
  fc.stringMatching(/^[a-z][a-z0-9_]{0,7}$/),
  fc.jsonValue({ maxDepth: 2 }),
  { maxKeys: 4 },
) as fc.Arbitrary<Args>;

/** Writes strings as they are and everything else as JSON. */
export function written(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Writes `<invoke name="f"><parameter name="k">v</parameter></invoke>` with the given names of elements. */
export function writeInvoke(
  name: string,
  args: Args,
  { invoke = 'invoke', parameter = 'parameter' } = {},
): string {
  const parameters = Object.entries(args).map(
    ([key, value]) => `<${parameter} name="${key}">${written(value)}</${parameter}>\n`,
  );
  return `<${invoke} name="${name}">\n${parameters.join('')}</${invoke}>\n`;
}

/** The same for formats in which white space around a value is layout. */
export const trimmedArgs: typeof namedArgs = namedArgs.map((args) =>
  Object.fromEntries(
    Object.entries(args).map(([key, value]) => [
      key,
      typeof value === 'string' ? value.trim() : value,
    ]),
  ),
);
