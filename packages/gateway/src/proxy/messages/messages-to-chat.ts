import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, listOf, objectOf, textOf, without } from '../json/json-fields.ts';
import type { NormaliseRules } from '../normalise-rules.ts';
import type { NormalisedRequest } from '../normalised-request.ts';
import { chatMessages } from './chat-messages.ts';
import { chatToolChoice, chatTools } from './chat-tools.ts';
import { normaliseMessagesRequest } from './normalise-messages-request.ts';

/**
 * Makes a Chat Completions request of a Messages request, by the rules for what local servers accept. Names of
 * tools stay as they are, however long: a call has to come back under the name the client knows.
 */
export function messagesToChat(request: JsonObject, rules: NormaliseRules): NormalisedRequest {
  const normalised = normaliseMessagesRequest(request, rules);
  if (!normalised.ok) return normalised;
  const applied = new Set(normalised.applied);
  const { body } = normalised;
  const unknown = without(body, TRANSLATED);
  if (rules.unknownFields && Object.keys(unknown).length > 0) applied.add('unknownFields');
  const chat = {
    ...(rules.unknownFields ? {} : unknown),
    model: textOf(body['model']),
    messages: chatMessages(body, rules, applied),
    ...toolFields(body, rules, applied),
    ...sameFields(body),
    ...stopFields(body['stop_sequences']),
    ...userFields(body['metadata']),
    ...formatFields(body),
    ...(body['stream'] === true && { stream: true, stream_options: { include_usage: true } }),
  };
  return { ok: true, body: chat, applied: [...applied] };
}

/** Called the same in both protocols; `top_k` is taken by llama.cpp and vLLM, and ignored by others. */
const SAME = ['max_tokens', 'temperature', 'top_p', 'top_k'] as const;

const TRANSLATED: ReadonlySet<string> = new Set([
  ...SAME,
  'model',
  'messages',
  'system',
  'tools',
  'tool_choice',
  'stop_sequences',
  'metadata',
  'stream',
]);

function sameFields(body: JsonObject): JsonObject {
  return Object.fromEntries(
    SAME.flatMap((field) => {
      const value = body[field];
      return value === undefined || value === null ? [] : [[field, value]];
    }),
  );
}

function toolFields(
  body: JsonObject,
  rules: NormaliseRules,
  applied: Set<keyof NormaliseRules>,
): JsonObject {
  const tools = chatTools(listOf(body['tools']), rules, applied);
  // A choice without tools is refused.
  return tools.length === 0 ? {} : { tools, ...chatToolChoice(objectOf(body['tool_choice'])) };
}

function stopFields(sequences: JsonValue | undefined): JsonObject {
  const stop = listOf(sequences);
  return stop.length === 0 ? {} : { stop };
}

function userFields(metadata: JsonValue | undefined): JsonObject {
  const user = textOf(objectOf(metadata)['user_id']);
  return user === '' ? {} : { user };
}

/** An answer in a schema is the one thing in `output_config` that a local server can do; most cannot beside tools. */
function formatFields(body: JsonObject): JsonObject {
  const { type, schema } = objectOf(objectOf(body['output_config'])['format']);
  if (type !== 'json_schema' || !isObject(schema) || listOf(body['tools']).length > 0) return {};
  return {
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } },
  };
}
