import type { JsonObject, JsonValue } from '@holdfast/core';
import type { Refused } from '../client-protocol.ts';
import { isObject, listOf, textOf } from '../json/json-fields.ts';
import { quoteText } from '../json/quote-text.ts';
import type { NormaliseRules } from '../normalise-rules.ts';
import { isHostedItem } from './normalise-response-items.ts';
import { BRING_TOOLS } from './request-tools.ts';

/** Refuses a conversation with an item that cannot be told in Chat Completions and must not be left out. */
export function refuseItem(request: JsonObject, rules: NormaliseRules): Refused | undefined {
  const items = listOf(request['input']);
  const at = items.findIndex((item) => isObject(item) && mustNotBeLost(item['type'], rules));
  const item = items[at];
  if (!isObject(item)) return undefined;
  const param = `input[${at}].type`;
  const type = textOf(item['type']);
  const why = VENDORS_OWN.get(type) ?? NOT_TOLD;
  const message = `${param}: ${why}, got ${quoteText(type)}`;
  return { ok: false, error: { kind: 'invalid-request', message, details: { param } } };
}

function mustNotBeLost(type: JsonValue | undefined, rules: NormaliseRules): boolean {
  return VENDORS_OWN.has(type) || (!rules.unknownFields && !isTranslatable(type));
}

/** Left out, the first would take most of the conversation with it; the other asks for an answer of its own kind. */
const VENDORS_OWN: ReadonlyMap<JsonValue | undefined, string> = new Map([
  [
    'compaction',
    'a compacted conversation can be read only by the server that made it; expected the conversation itself',
  ],
  [
    'compaction_trigger',
    "only the vendor's servers compact a conversation like this; expected a message that asks for a summary",
  ],
]);

const NOT_TOLD =
  'expected a message, a call, a result or reasoning, as the upstream speaks Chat Completions';

/** Whether an item of a type can be told in Chat Completions, or is left out on purpose. */
export function isTranslatable(type: JsonValue | undefined): boolean {
  return TOLD.has(type ?? 'message') || BRING_TOOLS.has(type) || isHostedItem(type);
}

const TOLD: ReadonlySet<JsonValue> = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'local_shell_call_output',
  'shell_call',
  'shell_call_output',
  'apply_patch_call',
  'apply_patch_call_output',
]);
