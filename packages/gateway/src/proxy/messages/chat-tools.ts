import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, textOf, without } from '../json/json-fields.ts';
import type { NormaliseRules } from '../normalise-rules.ts';
import { isHosted } from './normalise-messages-tools.ts';

/** The tools of a Messages request as those of Chat Completions. */
export function chatTools(
  tools: readonly JsonValue[],
  rules: NormaliseRules,
  applied: Set<keyof NormaliseRules>,
): JsonObject[] {
  return tools.filter(isObject).map((tool) => {
    // Only there where the rule about them is off.
    if (isHosted(tool)) return tool;
    const { name, description, input_schema: schema } = tool;
    const unknown = without(tool, TRANSLATED);
    if (rules.unknownFields && Object.keys(unknown).length > 0) applied.add('unknownFields');
    return {
      type: 'function',
      function: {
        ...(rules.unknownFields ? {} : unknown),
        name: textOf(name),
        ...(typeof description === 'string' && { description }),
        ...(isObject(schema) && { parameters: schema }),
      },
    };
  });
}

const TRANSLATED: ReadonlySet<string> = new Set(['type', 'name', 'description', 'input_schema']);

/** Which tools the model may or must call, and whether several at once. */
export function chatToolChoice(choice: JsonObject): JsonObject {
  const { type, name, disable_parallel_tool_use: isSingle } = choice;
  return {
    ...choiceOf(type, textOf(name)),
    ...(isSingle === true && { parallel_tool_calls: false }),
  };
}

function choiceOf(type: JsonValue | undefined, name: string): JsonObject {
  switch (type) {
    case 'auto':
    case 'none':
      return { tool_choice: type };
    case 'any':
      return { tool_choice: 'required' };
    case 'tool':
      return { tool_choice: { type: 'function', function: { name } } };
    default:
      return {};
  }
}
