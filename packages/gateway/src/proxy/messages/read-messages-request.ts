import type { JsonObject, JsonValue } from '@holdfast/core';
import { toolDefinitions } from '@holdfast/core/parse';
import { isObject, listOf, objectOf, textOf } from '../json/json-fields.ts';
import { kindOf } from '../json/kind-of.ts';
import type { ClientRequest, Refused } from '../client-protocol.ts';
import type { NormaliseRules } from '../normalise-rules.ts';
import { blocksOf } from './blocks-of.ts';

/** Reads the body of `POST /v1/messages`. Fields that nobody here looks at are left to the upstream to judge. */
export function readMessagesRequest(
  value: unknown,
  rules: Pick<NormaliseRules, 'deferLoading'>,
): { readonly ok: true; readonly request: ClientRequest } | Refused {
  const problem = problemOf(value);
  if (!isObject(value) || problem !== undefined) {
    const message = problem ?? 'the request is no JSON object';
    return { ok: false, error: { kind: 'invalid-request', message } };
  }
  const { model, stream, tools, tool_choice: choice } = value;
  const wantsNone = objectOf(choice)['type'] === 'none';
  return {
    ok: true,
    request: {
      body: value,
      model: typeof model === 'string' ? model : '',
      stream: stream === true,
      tools: wantsNone
        ? []
        : toolDefinitions(
            listOf(tools).filter((tool) => isOwnTool(tool, rules.deferLoading)),
            'skip',
          ),
    },
  };
}

/**
 * The names of all tools on offer: those with a schema, deferred ones, those that a search of the client found,
 * and those declared by type, as `web_search_20250305`.
 */
export function messagesOfferedNames({
  tools,
  tool_choice: choice,
  messages,
}: JsonObject): string[] {
  if (objectOf(choice)['type'] === 'none') return [];
  const declared = listOf(tools).map((tool) => {
    const { name, type } = objectOf(tool);
    return textOf(name) || textOf(type).replace(/_\d{8}$/, '');
  });
  const results = listOf(messages).flatMap((message) => blocksOf(objectOf(message)['content']));
  const found = results
    .flatMap((result) => blocksOf(result['content']))
    .filter(({ type }) => type === 'tool_reference');
  return [...declared, ...found.map((reference) => textOf(reference['tool_name']))];
}

function isOwnTool(tool: JsonValue, takesDeferred: boolean): boolean {
  const { input_schema: schema, defer_loading: isDeferred } = objectOf(tool);
  return isObject(schema) && (isDeferred !== true || takesDeferred);
}

/** What is wrong with a request, in words. */
function problemOf(value: unknown): string | undefined {
  if (!isObject(value))
    return `the body of the request: expected a JSON object, got ${kindOf(value)}`;
  const { model, messages, tools, stream } = value;
  if (typeof model !== 'string' || model === '')
    return `model: expected the name of a model, got ${kindOf(model)}`;
  if (!Array.isArray(messages)) return `messages: expected a list, got ${kindOf(messages)}`;
  if (stream !== undefined && stream !== null && typeof stream !== 'boolean')
    return `stream: expected true or false, got ${kindOf(stream)}`;
  if (tools !== undefined && tools !== null && !Array.isArray(tools))
    return `tools: expected a list, got ${kindOf(tools)}`;
  return (
    firstProblem('messages', listOf(messages), problemOfMessage) ??
    firstProblem('tools', listOf(tools), problemOfTool)
  );
}

function firstProblem(
  name: string,
  items: readonly JsonValue[],
  judge: (item: JsonValue) => string | undefined,
): string | undefined {
  for (const [at, item] of items.entries()) {
    const problem = judge(item);
    if (problem !== undefined) return `${name}[${at}]${problem}`;
  }
  return undefined;
}

function problemOfMessage(message: JsonValue): string | undefined {
  if (!isObject(message)) return `: expected an object, got ${kindOf(message)}`;
  const { role, content } = message;
  if (typeof role !== 'string') return `.role: expected "user" or "assistant", got ${kindOf(role)}`;
  if (typeof content === 'string' || Array.isArray(content)) return undefined;
  return `.content: expected a text or a list of blocks, got ${kindOf(content)}`;
}

function problemOfTool(tool: JsonValue): string | undefined {
  if (!isObject(tool)) return `: expected an object, got ${kindOf(tool)}`;
  const { name, type, input_schema: schema } = tool;
  // Tools that the vendor runs may have no name.
  const isHosted = typeof type === 'string' && type !== 'custom';
  if ((typeof name !== 'string' || name === '') && !isHosted)
    return `.name: expected the name of a tool, got ${kindOf(name)}`;
  if (schema === undefined || schema === null || isObject(schema)) return undefined;
  return `.input_schema: expected a JSON Schema object, got ${kindOf(schema)}`;
}
