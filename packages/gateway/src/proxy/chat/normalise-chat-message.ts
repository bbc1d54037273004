import type { JsonObject, JsonValue } from '@holdfast/core';
import { writeExactJson } from '@holdfast/core/check';
import { parseJson } from '@holdfast/core/parse';
import type { NormaliseRules } from '../normalise-rules.ts';
import { isObject, listOf } from '../json/json-fields.ts';

type Applied = Set<keyof NormaliseRules>;

/** The rules that concern a single message. Returns the same one where none applies. */
export function normaliseChatMessage(
  message: JsonValue,
  rules: NormaliseRules,
  applied: Applied,
): JsonValue {
  if (!isObject(message)) return message;
  const { role } = message;
  if (role === 'tool' || role === 'function') return normaliseResult(message, rules, applied);
  if (role === 'assistant' && rules.callArguments) return normaliseCalls(message, applied);
  return message;
}

function normaliseResult(message: JsonObject, rules: NormaliseRules, applied: Applied): JsonObject {
  let { content } = message;
  const text = Array.isArray(content) ? textOfParts(listOf(content)) : undefined;
  if (rules.toolResultBlocks && text !== undefined) {
    applied.add('toolResultBlocks');
    content = text;
  }
  if (rules.emptyToolResults && isEmpty(content)) {
    applied.add('emptyToolResults');
    content = NO_OUTPUT;
  }
  return content === undefined || content === message['content']
    ? message
    : { ...message, content };
}

/** Models take an empty result for one that is yet to come, and wait. */
export const NO_OUTPUT = '(no output)';

function isEmpty(content: JsonValue | undefined): boolean {
  if (content === undefined || content === null) return true;
  const text = Array.isArray(content) ? textOfParts(listOf(content)) : content;
  return typeof text === 'string' && text.trim() === '';
}

/** Undefined where a part is no text, such as an image: it must not be lost. */
function textOfParts(parts: readonly JsonValue[]): string | undefined {
  const texts = parts.map((part) => (isObject(part) ? part['text'] : part));
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : undefined;
}

function normaliseCalls(message: JsonObject, applied: Applied): JsonObject {
  const calls = listOf(message['tool_calls']);
  const valid = calls.map((call) => {
    const called = isObject(call) ? call['function'] : undefined;
    if (!isObject(call) || !isObject(called)) return call;
    const json = validArguments(called['arguments']);
    if (json === called['arguments']) return call;
    return { ...call, function: { ...called, arguments: json } };
  });
  if (valid.every((call, at) => call === calls[at])) return message;
  applied.add('callArguments');
  return { ...message, tool_calls: valid };
}

/** Servers read the arguments again for their template, and answer with an error where they cannot. */
export function validArguments(args: JsonValue | undefined): string {
  if (isObject(args)) return writeExactJson(args);
  if (typeof args !== 'string' || args.trim() === '') return '{}';
  if (isValidObject(args)) return args;
  const read = parseJson(args);
  if (read.ok && isObject(read.value)) return JSON.stringify(read.value);
  return read.ok && read.value === null ? '{}' : JSON.stringify({ input: args });
}

function isValidObject(json: string): boolean {
  try {
    return isObject(JSON.parse(json));
  } catch {
    return false;
  }
}
