import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, listOf, objectOf, textOf, without } from '../json/json-fields.ts';
import type { NormaliseRules } from '../normalise-rules.ts';
import type { NormalisedRequest } from '../normalised-request.ts';
import { asFunctionItem } from './as-function-item.ts';
import { chatToolFields } from './chat-function-tools.ts';
import { ConversationTurns } from './conversation-turns.ts';
import type { Turn } from './conversation-turns.ts';
import { normaliseResponsesRequest } from './normalise-responses-request.ts';
import { isTranslatable, refuseItem } from './refuse-item.ts';
import { turnsToChat } from './turns-to-chat.ts';

type Applied = Set<keyof NormaliseRules>;

/**
 * Makes a Chat Completions request of a Responses request, by the rules for what local servers accept. Chat
 * Completions knows no namespaces, so these rules are not asked.
 */
export function responsesToChat(request: JsonObject, rules: NormaliseRules): NormalisedRequest {
  const refused = refuseItem(request, rules);
  if (refused !== undefined) return refused;
  const always = { ...rules, namespaceTools: true, customTools: true };
  const normalised = normaliseResponsesRequest(request, always);
  if (!normalised.ok) return normalised;
  const applied = new Set(normalised.applied);
  const { body } = normalised;
  const unknown = without(body, TRANSLATED);
  if (rules.unknownFields && Object.keys(unknown).length > 0) applied.add('unknownFields');
  const instructions = textOf(body['instructions']);
  const messages = turnsToChat(readTurns(body['input'], applied), rules, applied);
  const system = { role: 'system', content: instructions };
  const toolFields = chatToolFields(body, rules, applied);
  const chat = {
    ...(rules.unknownFields ? {} : unknown),
    model: textOf(body['model']),
    messages: instructions === '' ? messages : [system, ...messages],
    ...toolFields,
    ...plainFields(body),
    ...effortFields(body, rules, applied),
    ...('tools' in toolFields ? {} : formatFields(body)),
    ...(body['stream'] === true && { stream: true, stream_options: { include_usage: true } }),
  };
  return { ok: true, body: chat, applied: [...applied] };
}

const TRANSLATED: ReadonlySet<string> = new Set([
  'model',
  'input',
  'instructions',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'max_output_tokens',
  'temperature',
  'top_p',
  'user',
  'reasoning',
  'text',
  'stream',
  'stream_options',
]);

function readTurns(input: JsonValue | undefined, applied: Applied): readonly Turn[] {
  const conversation = new ConversationTurns();
  const items: readonly JsonValue[] =
    typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input);
  for (const item of items.filter(isObject)) {
    const isAdded = conversation.add(asFunctionItem(item));
    if (!isAdded && !isTranslatable(item['type'])) applied.add('unknownFields');
  }
  return conversation.turns;
}

function plainFields(body: JsonObject): JsonObject {
  const { max_output_tokens: most, temperature, top_p: topP, user } = body;
  return {
    // Local servers know the older name.
    ...(isGiven(most) && { max_tokens: most }),
    ...(isGiven(temperature) && { temperature }),
    ...(isGiven(topP) && { top_p: topP }),
    ...(isGiven(user) && { user }),
  };
}

function isGiven(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== null;
}

/** Efforts that only the vendor's newest models know, and the nearest that servers do; others refuse the request. */
const NEAREST_EFFORT: ReadonlyMap<string, string> = new Map([
  ['minimal', 'low'],
  ['xhigh', 'high'],
  ['max', 'high'],
]);

function effortFields(body: JsonObject, rules: NormaliseRules, applied: Applied): JsonObject {
  const effort = textOf(objectOf(body['reasoning'])['effort']);
  if (effort === '') return {};
  const nearest = rules.unknownFields ? NEAREST_EFFORT.get(effort) : undefined;
  if (nearest !== undefined) applied.add('unknownFields');
  return { reasoning_effort: nearest ?? effort };
}

/** Local servers can answer in a schema, or call tools, but most not both. */
function formatFields(body: JsonObject): JsonObject {
  const { type, name, schema, strict, description } = objectOf(objectOf(body['text'])['format']);
  if (type === 'json_object') return { response_format: { type } };
  if (type !== 'json_schema' || !isObject(schema)) return {};
  return {
    response_format: {
      type,
      json_schema: {
        name: textOf(name) || 'answer',
        ...(typeof description === 'string' && { description }),
        schema,
        ...(typeof strict === 'boolean' && { strict }),
      },
    },
  };
}
