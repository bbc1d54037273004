import { listOf } from '../../internal/schema-walk.ts';
import type { JsonObject, JsonValue, ToolDefinition } from '../../types.ts';
import { isJsonObject } from '../call-keys.ts';
import { setOwn } from '../../internal/set-own.ts';
import type { RenderableCall } from './render-dialect.ts';

/** A call that shows how a tool is called: with what it requires, or else with what it takes first. */
export function exampleCall(tool: ToolDefinition): RenderableCall {
  const { name, parameters = {} } = tool;
  const args = exampleOf(parameters, parameters, 'value', 0);
  return { name, arguments: isJsonObject(args) ? args : {} };
}

const DEEPEST = 4;
const OPTIONAL_SHOWN = 2;

function exampleOf(schema: JsonValue, root: JsonObject, key: string, depth: number): JsonValue {
  if (!isJsonObject(schema)) return `some ${key}`;
  const given = schema['const'] ?? schema['default'] ?? listOf(schema, 'examples')[0];
  const known = given ?? listOf(schema, 'enum')[0];
  if (known !== undefined) return known;
  if (depth > DEEPEST) return {};
  const other = target(schema, root) ?? listOf(schema, 'anyOf')[0] ?? listOf(schema, 'oneOf')[0];
  if (other !== undefined) return exampleOf(other, root, key, depth + 1);
  switch (kindOf(schema)) {
    case 'integer':
    case 'number':
      return numberFrom(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return [exampleOf(schema['items'] ?? true, root, key, depth + 1)];
    case 'object':
      return exampleObject(schema, root, depth);
    default:
      return EXAMPLES.get(schema['format']) ?? `some ${key}`;
  }
}

function exampleObject(schema: JsonObject, root: JsonObject, depth: number): JsonObject {
  const { properties } = schema;
  const object: Record<string, JsonValue> = {};
  if (!isJsonObject(properties)) return object;
  const required = listOf(schema, 'required').filter((key) => typeof key === 'string');
  const all = Object.keys(properties);
  const shown = required.length > 0 ? required : all.slice(0, OPTIONAL_SHOWN);
  for (const key of shown) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    setOwn(object, key, exampleOf(property ?? true, root, key, depth + 1));
  }
  return object;
}

function kindOf(schema: JsonObject): JsonValue | undefined {
  const type = schema['type'];
  const kind = Array.isArray(type)
    ? (type as readonly JsonValue[]).find((one) => one !== 'null')
    : type;
  return kind ?? (schema['properties'] === undefined ? undefined : 'object');
}

function numberFrom({ minimum, maximum }: JsonObject): number {
  if (typeof minimum === 'number') return Math.max(1, Math.ceil(minimum));
  return typeof maximum === 'number' ? Math.min(1, Math.floor(maximum)) : 1;
}

/** What `#/$defs/name` points at. */
function target(schema: JsonObject, root: JsonObject): JsonValue | undefined {
  const reference = schema['$ref'];
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
  let found: JsonValue | undefined = root;
  for (const part of reference.slice(2).split('/')) {
    found = isJsonObject(found) && Object.hasOwn(found, part) ? found[part] : undefined;
  }
  return found;
}

const EXAMPLES: ReadonlyMap<JsonValue | undefined, string> = new Map([
  ['date', '2026-01-31'],
  ['date-time', '2026-01-31T12:00:00Z'],
  ['time', '12:00:00Z'],
  ['email', 'someone@example.com'],
  ['uri', 'https://example.com'],
]);
