import { isJsonObject } from '../../parse/call-keys.ts';
import type { JsonValue, ToolDefinition } from '../../types.ts';
import { objectOf, textOf } from './json-fields.ts';

/** A function as a request offers it, with its schema under `schemaField`; none where it has no name. */
export function functionTool(
  offered: JsonValue | undefined,
  schemaField: 'parameters' | 'input_schema',
): readonly ToolDefinition[] {
  const { name, description, [schemaField]: parameters } = objectOf(offered);
  if (textOf(name) === '') return [];
  return [
    {
      name: textOf(name),
      ...(typeof description === 'string' && { description }),
      ...(isJsonObject(parameters) && { parameters }),
    },
  ];
}
