import { readStrictJson } from '../../internal/schema-text.ts';
import type { JsonObject, JsonValue } from '../../types.ts';
import { ARGUMENT_KEYS, isJsonObject } from '../call-keys.ts';
import type { ReadContext } from '../format.ts';
import { parseJson } from '../json/parse-json.ts';

const WRAPPERS: ReadonlySet<string> = new Set([...ARGUMENT_KEYS, 'properties']);

/** Whether a parameter may be no parameter but an object around all of them, as `arguments` often is. */
export function mayWrapArguments(context: ReadContext, tool: string, key: string): boolean {
  const properties = propertiesOf(context, tool);
  return properties !== undefined && WRAPPERS.has(key) && !Object.hasOwn(properties, key);
}

/** The arguments in an object that wraps them; undefined when it holds anything else. */
export function unwrappedArguments(
  context: ReadContext,
  tool: string,
  value: JsonValue,
): JsonObject | undefined {
  const properties = propertiesOf(context, tool);
  const inner = typeof value === 'string' ? objectIn(value) : value;
  if (properties === undefined || !isJsonObject(inner)) return undefined;
  const keys = Object.keys(inner);
  const areKnown = keys.length > 0 && keys.every((key) => Object.hasOwn(properties, key));
  return areKnown ? inner : undefined;
}

function propertiesOf(context: ReadContext, tool: string): JsonObject | undefined {
  const properties = context.tools?.parametersOf(tool)?.['properties'];
  return isJsonObject(properties) ? properties : undefined;
}

function objectIn(text: string): JsonValue | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  const strict = readStrictJson(text.trim());
  if (strict !== undefined) return strict;
  const read = parseJson(text);
  return read.ok && read.complete && !read.lossy ? read.value : undefined;
}
