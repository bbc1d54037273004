import type { JsonObject, JsonValue } from '@holdfast/core';
import { NO_OUTPUT, validArguments } from '../chat/normalise-chat-message.ts';
import { isSameList } from '../json/is-same-list.ts';
import { isObject, listOf, textOf, without } from '../json/json-fields.ts';
import type { NormaliseRules } from '../normalise-rules.ts';
import { asFunctionItem } from './as-function-item.ts';
import { customInputJson } from './custom-as-function.ts';
import { BRING_TOOLS } from './request-tools.ts';
import { flatName } from './response-tools.ts';

type Applied = Set<keyof NormaliseRules>;

/** The rules that concern what is in a conversation. Returns the same body where none applies. */
export function normaliseResponseItems(
  body: JsonObject,
  rules: NormaliseRules,
  applied: Applied,
): JsonObject {
  const before = listOf(body['input']);
  const input: JsonValue[] = [];
  for (const item of before) {
    const kept = normaliseItem(item, rules, applied);
    if (kept !== undefined) input.push(kept);
  }
  return isSameList(input, before) ? body : { ...body, input };
}

/** Undefined for an item that is left out. */
function normaliseItem(
  item: JsonValue,
  rules: NormaliseRules,
  applied: Applied,
): JsonValue | undefined {
  if (!isObject(item)) return item;
  const { type } = item;
  // The tools in it are offered from the start, as no local server loads them later.
  if (rules.deferLoading && BRING_TOOLS.has(type)) {
    applied.add('deferLoading');
    return undefined;
  }
  if (!rules.hostedTools) return normaliseCall(item, rules, applied);
  if (isHostedItem(type)) {
    applied.add('hostedTools');
    return undefined;
  }
  const plain = asFunctionItem(item);
  if (plain !== item) applied.add('hostedTools');
  return normaliseCall(plain, rules, applied);
}

/** Whether an item tells of something that the vendor's servers did; what they found was told in the answer. */
export function isHostedItem(type: JsonValue | undefined): boolean {
  return HOSTED.has(type);
}

const HOSTED: ReadonlySet<JsonValue | undefined> = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'computer_call',
  'computer_call_output',
  'mcp_call',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
  'program',
  'program_output',
]);

function normaliseCall(item: JsonObject, rules: NormaliseRules, applied: Applied): JsonObject {
  let changed = item;
  if (rules.namespaceTools && NAMED.has(changed['type']) && textOf(changed['namespace']) !== '') {
    applied.add('namespaceTools');
    changed = flattened(changed);
  }
  const made = rules.customTools ? fromCustom(changed) : changed;
  if (made !== changed) applied.add('customTools');
  if (made['type'] === 'function_call')
    return rules.callArguments ? withValidArguments(made, applied) : made;
  const isEmptyResult =
    rules.emptyToolResults && RESULTS.has(made['type']) && isEmpty(made['output']);
  if (!isEmptyResult) return made;
  applied.add('emptyToolResults');
  return { ...made, output: NO_OUTPUT };
}

const RESULTS: ReadonlySet<JsonValue | undefined> = new Set([
  'function_call_output',
  'custom_tool_call_output',
]);
const NAMED: ReadonlySet<JsonValue | undefined> = new Set([
  ...RESULTS,
  'function_call',
  'custom_tool_call',
]);
const NAMESPACE: ReadonlySet<string> = new Set(['namespace']);

/** The model knows the tool by its flat name only, so it has to find its earlier calls under it. */
function flattened(item: JsonObject): JsonObject {
  const name = textOf(item['name']);
  const plain = without(item, NAMESPACE);
  return name === '' ? plain : { ...plain, name: flatName(textOf(item['namespace']), name) };
}

/** Ids of custom calls and their results begin with letters that servers refuse on functions. */
const CUSTOM_FIELDS: ReadonlySet<string> = new Set(['id', 'input']);

function fromCustom(item: JsonObject): JsonObject {
  const { type, input } = item;
  if (type === 'custom_tool_call')
    return {
      ...without(item, CUSTOM_FIELDS),
      type: 'function_call',
      arguments: customInputJson(input),
    };
  if (type !== 'custom_tool_call_output') return item;
  return { ...without(item, CUSTOM_FIELDS), type: 'function_call_output' };
}

function withValidArguments(call: JsonObject, applied: Applied): JsonObject {
  const json = validArguments(call['arguments']);
  if (json === call['arguments']) return call;
  applied.add('callArguments');
  return { ...call, arguments: json };
}

/** Models take an empty result for one that is yet to come, and wait. */
function isEmpty(output: JsonValue | undefined): boolean {
  if (Array.isArray(output))
    return listOf(output).every(
      (part) => isObject(part) && 'text' in part && textOf(part['text']).trim() === '',
    );
  return (
    output === undefined || output === null || (typeof output === 'string' && output.trim() === '')
  );
}
