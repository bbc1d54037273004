import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, listOf, objectOf, textOf, without } from '../json/json-fields.ts';
import type { NormaliseRules } from '../normalise-rules.ts';

type Applied = Set<keyof NormaliseRules>;

/** The tools of a Responses request and the choice of them as those of Chat Completions; all are functions by now. */
export function chatToolFields(
  body: JsonObject,
  rules: NormaliseRules,
  applied: Applied,
): JsonObject {
  const { tool_choice: choice, parallel_tool_calls: isParallel } = body;
  const tools = listOf(body['tools'])
    .filter(isObject)
    .filter((tool) => isAllowed(tool, choice))
    .map((tool) => chatTool(tool, rules, applied));
  // A choice without tools is refused.
  if (tools.length === 0) return {};
  return {
    tools,
    ...chatToolChoice(choice),
    ...(typeof isParallel === 'boolean' && { parallel_tool_calls: isParallel }),
  };
}

/** Chat Completions can say which tools are allowed too, but local servers do not read it. */
function isAllowed({ name }: JsonObject, choice: JsonValue | undefined): boolean {
  const { type, tools } = objectOf(choice);
  if (type !== 'allowed_tools') return true;
  return listOf(tools).some((entry) => objectOf(entry)['name'] === name);
}

function chatTool(tool: JsonObject, rules: NormaliseRules, applied: Applied): JsonObject {
  // Others are only there where the rule about them is off.
  if (tool['type'] !== 'function') return tool;
  const { name, description, parameters, strict } = tool;
  const unknown = without(tool, TRANSLATED);
  if (rules.unknownFields && Object.keys(unknown).length > 0) applied.add('unknownFields');
  return {
    type: 'function',
    function: {
      ...(rules.unknownFields ? {} : unknown),
      name: textOf(name),
      ...(typeof description === 'string' && { description }),
      ...(isObject(parameters) && { parameters }),
      ...(typeof strict === 'boolean' && { strict }),
    },
  };
}

const TRANSLATED: ReadonlySet<string> = new Set([
  'type',
  'name',
  'description',
  'parameters',
  'strict',
]);

function chatToolChoice(choice: JsonValue | undefined): JsonObject {
  if (typeof choice === 'string') return { tool_choice: choice };
  const { type, name, mode } = objectOf(choice);
  if (type === 'allowed_tools') return { tool_choice: mode === 'required' ? mode : 'auto' };
  if (type !== 'function') return {};
  return { tool_choice: { type, function: { name: textOf(name) } } };
}
