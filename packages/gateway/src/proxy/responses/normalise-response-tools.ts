import type { JsonObject, JsonValue } from '@holdfast/core';
import { isSameList } from '../json/is-same-list.ts';
import { isObject, listOf, objectOf, without } from '../json/json-fields.ts';
import { normaliseOffer } from '../normalise-offer.ts';
import type { NormaliseRules } from '../normalise-rules.ts';
import { customAsFunction } from './custom-as-function.ts';
import { normaliseToolChoice } from './normalise-tool-choice.ts';
import { loadedTools, requestTools } from './request-tools.ts';
import { readResponseTools } from './response-tools.ts';

type Applied = Set<keyof NormaliseRules>;

/** The rules that concern the tools of a Responses request. Returns the same body where none applies. */
export function normaliseResponseTools(
  body: JsonObject,
  rules: NormaliseRules,
  applied: Applied,
): JsonObject {
  const before = listOf(body['tools']);
  const loaded = rules.deferLoading ? loadedTools(body['input']) : [];
  const offered = [...before, ...loaded].flatMap((tool) => normaliseTool(tool, rules, applied));
  const tools = loaded.length === 0 ? offered : firstOfEachName(offered);
  if (isSameList(tools, before)) return body;
  // A list without tools, or a choice of a tool that was left out, would only be refused.
  if (tools.length === 0) return without(body, TOOL_FIELDS);
  const choice = normaliseToolChoice(body['tool_choice'], requestTools(body), rules);
  if (choice === body['tool_choice']) return { ...body, tools };
  if (choice === undefined) return { ...without(body, CHOICE_FIELDS), tools };
  return { ...body, tools, tool_choice: choice };
}

const CHOICE_FIELDS: ReadonlySet<string> = new Set(['tool_choice']);
const TOOL_FIELDS: ReadonlySet<string> = new Set(['tools', 'tool_choice', 'parallel_tool_calls']);

function normaliseTool(tool: JsonValue, rules: NormaliseRules, applied: Applied): JsonValue[] {
  if (!isObject(tool)) return [tool];
  if (tool['type'] === 'namespace') return normaliseNamespace(tool, rules, applied);
  const offered = normaliseOffer(tool, isHostedTool(tool), rules, applied);
  if (offered === undefined) return [];
  if (offered['type'] === 'custom' && rules.customTools) {
    applied.add('customTools');
    return [customAsFunction(offered)];
  }
  return [withProperties(offered, rules, applied)];
}

/** A tool of any other type runs at the vendor's, or is built into the vendor's models. */
function isHostedTool({ type }: JsonObject): boolean {
  return type !== 'function' && type !== 'custom' && type !== 'namespace';
}

function normaliseNamespace(
  namespace: JsonObject,
  rules: NormaliseRules,
  applied: Applied,
): JsonValue[] {
  if (rules.namespaceTools) {
    applied.add('namespaceTools');
    return readResponseTools([namespace]).flatMap(({ source, flatName, description }) =>
      normaliseTool(
        { ...source, name: flatName, ...(description !== '' && { description }) },
        rules,
        applied,
      ),
    );
  }
  const before = listOf(namespace['tools']);
  // Namespaces are not nested; what is anyway is left to the upstream to judge.
  const tools = before.flatMap((tool) =>
    objectOf(tool)['type'] === 'namespace' ? [tool] : normaliseTool(tool, rules, applied),
  );
  return [isSameList(tools, before) ? namespace : { ...namespace, tools }];
}

function withProperties(tool: JsonObject, rules: NormaliseRules, applied: Applied): JsonObject {
  if (!rules.parameterProperties || tool['type'] !== 'function') return tool;
  const schema = objectOf(tool['parameters']);
  if (isObject(schema['properties'])) return tool;
  applied.add('parameterProperties');
  const parameters = { ...schema, type: schema['type'] ?? 'object', properties: {} };
  return { ...tool, parameters };
}

/** What a search loaded may have been offered before. */
function firstOfEachName(tools: readonly JsonValue[]): JsonValue[] {
  const names = new Set<JsonValue>();
  return tools.filter((tool) => {
    const name = objectOf(tool)['name'];
    if (name === undefined) return true;
    const isNew = !names.has(name);
    names.add(name);
    return isNew;
  });
}
