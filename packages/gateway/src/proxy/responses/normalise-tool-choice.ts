import type { JsonObject, JsonValue } from '@holdfast/core';
import { isSameList } from '../json/is-same-list.ts';
import { isObject, listOf, objectOf } from '../json/json-fields.ts';
import type { NormaliseRules } from '../normalise-rules.ts';
import { toolsNamed } from './request-tools.ts';
import type { ResponseTool } from './response-tools.ts';

/**
 * A choice of tools under the names that the rules give them. Undefined for one of a tool that was left out; the
 * same value where nothing changes.
 */
export function normaliseToolChoice(
  choice: JsonValue | undefined,
  tools: readonly ResponseTool[],
  rules: NormaliseRules,
): JsonValue | undefined {
  if (!isObject(choice)) return choice;
  const { type } = choice;
  if (type === 'allowed_tools') return normaliseAllowed(choice, tools, rules);
  if (type !== 'function' && type !== 'custom') return rules.hostedTools ? undefined : choice;
  return entries(choice, tools, rules)[0] ?? choice;
}

function normaliseAllowed(
  choice: JsonObject,
  tools: readonly ResponseTool[],
  rules: NormaliseRules,
): JsonValue {
  const before = listOf(choice['tools']);
  const allowed = before.flatMap((entry) => {
    const named = entries(objectOf(entry), tools, rules);
    return named.length === 0 && !rules.hostedTools ? [entry] : named;
  });
  // Without the choice, all tools would be allowed.
  if (allowed.length === 0) return 'none';
  return isSameList(allowed, before) ? choice : { ...choice, tools: allowed };
}

function entries(
  entry: JsonObject,
  tools: readonly ResponseTool[],
  rules: NormaliseRules,
): JsonObject[] {
  return toolsNamed(tools, entry).map((tool) => {
    const type = rules.customTools ? 'function' : tool.kind;
    const name = rules.namespaceTools ? tool.flatName : tool.name;
    const namespace = rules.namespaceTools ? undefined : tool.namespace;
    const isSame =
      entry['type'] === type &&
      entry['name'] === name &&
      (entry['namespace'] ?? undefined) === namespace;
    return isSame ? entry : { type, name, ...(namespace !== undefined && { namespace }) };
  });
}
