import { isStringOnly, valueFromText } from '../internal/schema-values.ts';
import type { Untyped } from '../internal/schema-values.ts';
import type { JsonValue } from '../types.ts';
import { isJsonObject } from './call-keys.ts';
import type { ReadContext } from './format.ts';
import { parseJson } from './json/parse-json.ts';

/** What the text written for a tool's parameter means, by the tool's schema where one was given. */
export function parameterValue(
  context: Pick<ReadContext, 'tools'>,
  tool: string,
  parameter: string,
  text: string,
  untyped: Untyped,
): JsonValue {
  const root = context.tools?.parametersOf(tool);
  const schema = parameterSchema(context, tool, parameter);
  return valueFromText(text, schema, root, untyped, parseLoosely);
}

/** Whether a parameter is a string whatever is written for it, so that it can be streamed. */
export function isStringParameter(context: ReadContext, tool: string, parameter: string): boolean {
  const schema = parameterSchema(context, tool, parameter);
  return schema !== undefined && isStringOnly(schema, context.tools?.parametersOf(tool));
}

/** The schema of one parameter; undefined when none was given. */
export function parameterSchema(
  context: Pick<ReadContext, 'tools'>,
  tool: string,
  parameter: string,
): JsonValue | undefined {
  const properties = context.tools?.parametersOf(tool)?.['properties'];
  if (!isJsonObject(properties) || !Object.hasOwn(properties, parameter)) return undefined;
  return properties[parameter];
}

/** The value of a text that is JSON, or Python close to it; undefined when it would have to be guessed. */
export function parseLoosely(text: string): JsonValue | undefined {
  const read = parseJson(text);
  return read.ok && read.complete && !read.lossy ? read.value : undefined;
}
