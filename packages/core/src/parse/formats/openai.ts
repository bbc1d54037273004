import type { JsonValue } from '../../types.ts';
import { isJsonObject, ownKey } from '../call-keys.ts';
import { readCalls } from '../call-shape.ts';
import type { RawCall } from '../format.ts';
import { FormatParser } from '../format-parser.ts';
import type { ParseLimits } from '../limits.ts';
import { bareJsonFormats } from '../readers/bare-json-formats.ts';
import type { JsonBodyOptions } from '../readers/json-body-options.ts';

const TELLING_KEYS = ['tool_calls', 'function_call'] as const;
const FIRST_KEYS: ReadonlySet<string> = new Set([
  ...TELLING_KEYS,
  'type',
  'id',
  'index',
  'function',
  'role',
  'content',
  'choices',
]);

const OPTIONS: JsonBodyOptions = {
  shape: readResponse,
  resembles: (value) => isJsonObject(value) && ownKey(value, TELLING_KEYS) !== undefined,
};

/** Only what can be nothing but a call: plain `{"name": …}` is data as often as a call. */
function readResponse(value: JsonValue, maxDepth: number): readonly RawCall[] | string {
  const items = listCalls(value);
  if (items === undefined || items.length === 0) return 'it is JSON, but no call';
  const calls = readCalls(items, maxDepth);
  // In this format the arguments are a string by design, so that taking them out is no repair.
  return typeof calls === 'string' ? calls : calls.map(withoutEncoding);
}

/** The calls in a message, a list, a content list or a whole response; undefined where anything else stands in it. */
function listCalls(value: JsonValue): readonly JsonValue[] | undefined {
  if (Array.isArray(value)) {
    const blocks = (value as readonly JsonValue[]).filter((item) => !isOtherBlock(item));
    return blocks.every(isCall) || blocks.every(isMessage) ? blocks : undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const choices = value['choices'];
  if (Array.isArray(choices)) {
    const [first] = choices as readonly JsonValue[];
    return isJsonObject(first) ? listCalls(first['message'] ?? null) : undefined;
  }
  const isMessageWithContent = value['type'] === 'message' || value['role'] === 'assistant';
  if (isMessageWithContent && Array.isArray(value['content'])) return listCalls(value['content']);
  return isCall(value) || isMessage(value) ? [value] : undefined;
}

function isMessage(item: JsonValue): boolean {
  return (
    isJsonObject(item) && (Array.isArray(item['tool_calls']) || isJsonObject(item['function_call']))
  );
}

function isCall(item: JsonValue): boolean {
  if (!isJsonObject(item)) return false;
  if (item['type'] === 'tool_use')
    return typeof item['name'] === 'string' && isJsonObject(item['input']);
  const inner = item['function'];
  const isTyped = item['type'] === 'function' || item['type'] === undefined;
  return (
    isTyped &&
    isJsonObject(inner) &&
    typeof inner['name'] === 'string' &&
    Object.hasOwn(inner, 'arguments')
  );
}

/** A block of an Anthropic content list that is no call. It stays in the source of the calls. */
function isOtherBlock(item: JsonValue): boolean {
  return isJsonObject(item) && (item['type'] === 'text' || item['type'] === 'thinking');
}

function withoutEncoding(call: RawCall): RawCall {
  if (!call.repairs.includes('double-encoded')) return call;
  return { ...call, repairs: call.repairs.filter((repair) => repair !== 'double-encoded') };
}

/** OpenAI's `tool_calls`, its older `function_call`, and Anthropic's `tool_use` blocks, written out as JSON. */
export class OpenAIToolParser extends FormatParser {
  constructor(limits?: Partial<ParseLimits>) {
    super({
      name: 'openai',
      formats: bareJsonFormats({ firstKeys: FIRST_KEYS, options: () => OPTIONS }),
      sample:
        '{"tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "read_file", "arguments": "{\\"path\\": \\"notes.md\\"}"}}]}',
      models: ['gpt', 'claude'],
      limits,
    });
  }
}
