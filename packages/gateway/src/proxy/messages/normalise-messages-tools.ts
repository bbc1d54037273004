import type { JsonObject, JsonValue } from '@holdfast/core';
import { isSameList } from '../json/is-same-list.ts';
import { isObject, objectOf, without } from '../json/json-fields.ts';
import { normaliseOffer } from '../normalise-offer.ts';
import type { NormaliseRules } from '../normalise-rules.ts';

/** The rules that concern the tools of a Messages request. Returns the same body where none applies. */
export function normaliseMessagesTools(
  body: JsonObject,
  rules: NormaliseRules,
  applied: Set<keyof NormaliseRules>,
): JsonObject {
  const { tools, tool_choice: choice } = body;
  if (!Array.isArray(tools)) return body;
  const before: readonly JsonValue[] = tools;
  const after = before.flatMap((tool) => normaliseTool(tool, rules, applied));
  if (isSameList(after, before)) return body;
  if (after.length === 0) return without(body, TOOL_FIELDS);
  const isOffered = after.some((tool) => objectOf(tool)['name'] === objectOf(choice)['name']);
  // To insist on a tool that was left out would only be refused.
  const isStale = objectOf(choice)['type'] === 'tool' && !isOffered;
  return { ...(isStale ? without(body, CHOICE_FIELDS) : body), tools: after };
}

const CHOICE_FIELDS: ReadonlySet<string> = new Set(['tool_choice']);
const TOOL_FIELDS: ReadonlySet<string> = new Set(['tools', 'tool_choice']);

function normaliseTool(
  tool: JsonValue,
  rules: NormaliseRules,
  applied: Set<keyof NormaliseRules>,
): JsonValue[] {
  if (!isObject(tool)) return [tool];
  const offered = normaliseOffer(tool, isHosted(tool), rules, applied);
  if (offered === undefined) return [];
  let changed = offered;
  if (rules.parameterProperties && !isHosted(tool) && !hasProperties(changed)) {
    applied.add('parameterProperties');
    const schema = objectOf(changed['input_schema']);
    const type = schema['type'] ?? 'object';
    changed = { ...changed, input_schema: { ...schema, type, properties: {} } };
  }
  return [changed];
}

/** A tool without a schema and with a type of its own, such as `web_search_20250305`, runs at the vendor's. */
export function isHosted({ type, input_schema: schema }: JsonObject): boolean {
  return typeof type === 'string' && type !== 'custom' && !isObject(schema);
}

function hasProperties({ input_schema: schema }: JsonObject): boolean {
  return isObject(schema) && isObject(schema['properties']);
}
