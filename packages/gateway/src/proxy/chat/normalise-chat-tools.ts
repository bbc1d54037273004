import type { JsonObject, JsonValue } from '@holdfast/core';
import { normaliseOffer } from '../normalise-offer.ts';
import type { NormaliseRules } from '../normalise-rules.ts';
import { isSameList } from '../json/is-same-list.ts';
import { isObject, listOf, objectOf, without } from '../json/json-fields.ts';

type Applied = Set<keyof NormaliseRules>;

/** The rules that concern the tools of a chat request. Returns the same body where none applies. */
export function normaliseChatTools(
  body: JsonObject,
  rules: NormaliseRules,
  applied: Applied,
): JsonObject {
  const tools = listOf(body['tools']);
  const kept = tools.flatMap((tool) => normaliseTool(tool, rules, applied));
  const older = listOf(body['functions']);
  const olderKept = older.map((tool) => withProperties(tool, rules, applied));
  let changed = body;
  if (!isSameList(olderKept, older)) changed = { ...changed, functions: olderKept };
  if (isSameList(kept, tools)) return changed;
  // A list without tools, or a choice of a tool that was left out, would only be refused.
  if (kept.length === 0) return without(changed, TOOL_FIELDS);
  const isStale = kept.length < tools.length && isChoiceOfNone(body['tool_choice'], kept);
  return { ...(isStale ? without(changed, CHOICE_FIELDS) : changed), tools: kept };
}

const CHOICE_FIELDS: ReadonlySet<string> = new Set(['tool_choice']);
const TOOL_FIELDS: ReadonlySet<string> = new Set(['tools', 'tool_choice', 'parallel_tool_calls']);

function normaliseTool(tool: JsonValue, rules: NormaliseRules, applied: Applied): JsonValue[] {
  if (!isObject(tool)) return [tool];
  const changed = normaliseOffer(tool, isHosted(tool), rules, applied);
  if (changed === undefined) return [];
  const called = changed['function'];
  if (called === undefined) return [changed];
  const fitting = withProperties(called, rules, applied);
  return [fitting === called ? changed : { ...changed, function: fitting }];
}

/** A tool of a kind that is neither the client's function nor its custom tool runs at the vendor's. */
function isHosted(tool: JsonObject): boolean {
  const { type } = tool;
  return typeof type === 'string' && type !== 'function' && type !== 'custom';
}

function withProperties(called: JsonValue, rules: NormaliseRules, applied: Applied): JsonValue {
  if (!rules.parameterProperties || !isObject(called)) return called;
  const schema = objectOf(called['parameters']);
  if (isObject(schema['properties'])) return called;
  applied.add('parameterProperties');
  const parameters = { ...schema, type: schema['type'] ?? 'object', properties: {} };
  return { ...called, parameters };
}

function isChoiceOfNone(choice: JsonValue | undefined, tools: readonly JsonValue[]): boolean {
  if (!isObject(choice)) return false;
  const { type, function: called } = choice;
  if (type !== 'function') return typeof type === 'string' && type !== 'allowed_tools';
  const wanted = objectOf(called)['name'];
  return !tools.some((tool) => objectOf(objectOf(tool)['function'])['name'] === wanted);
}
