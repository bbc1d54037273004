import type { JsonObject, ToolDefinition } from '@holdfast/core/parse';

/** A list of tools that is none: what was expected, and what arrived. */
export class ToolListError extends Error {
  override readonly name = 'ToolListError';
}

/** Tools in the shape of OpenAI, Anthropic, MCP or our own. `name` says where the list stands, for messages. */
export function readToolList(name: string, value: unknown): readonly ToolDefinition[] {
  const list = isObject(value) ? value['tools'] : value;
  if (!Array.isArray(list)) {
    const expected = 'an array of tools, or an object with an array "tools"';
    throw new ToolListError(`${name}: expected ${expected}, got ${describe(value)}`);
  }
  return list.map((item: unknown, index) => toolFrom(`${name}: tool ${index + 1}`, item));
}

const SHAPES =
  '{"type":"function","function":{"name":…,"parameters":…}}, {"name":…,"input_schema":…}, ' +
  '{"name":…,"inputSchema":…} or {"name":…,"parameters":…}';

function toolFrom(place: string, item: unknown): ToolDefinition {
  const tool = isObject(item) && isObject(item['function']) ? item['function'] : item;
  if (!isObject(tool) || !Object.hasOwn(tool, 'name')) {
    throw new ToolListError(`${place}: expected ${SHAPES}, got ${describe(item)}`);
  }
  const { name, description } = tool;
  if (typeof name !== 'string' || name === '') {
    throw new ToolListError(`${place}: expected a name, got ${describe(name)}`);
  }
  return {
    name,
    ...(typeof description === 'string' && { description }),
    ...schemaOf(`${place} (${name})`, tool),
  };
}

function schemaOf(
  place: string,
  tool: Readonly<Record<string, unknown>>,
): Pick<ToolDefinition, 'parameters'> {
  for (const key of ['parameters', 'input_schema', 'inputSchema']) {
    const schema = tool[key];
    if (schema === undefined || schema === null) continue;
    if (isObject(schema)) return { parameters: schema };
    throw new ToolListError(
      `${place}: expected "${key}" to be a JSON Schema object, got ${describe(schema)}`,
    );
  }
  return {};
}

/** What `JSON.parse` returned is JSON. */
function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string' && value.length > 40) return 'a string';
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).slice(0, 5);
  const more = Object.keys(value).length > keys.length ? ', …' : '';
  if (keys.length === 0) return 'an empty object';
  return `an object with ${keys.map((key) => `"${key}"`).join(', ')}${more}`;
}
