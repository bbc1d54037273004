import type { JsonObject, JsonValue, ToolDefinition } from '@holdfast/core';
import { toolDefinitions } from '@holdfast/core/parse';
import type { TurnError } from '../turn/turn-error.ts';
import { countOf, isObject, listOf, objectOf, textOf } from '../json/json-fields.ts';
import { kindOf } from '../json/kind-of.ts';

/** What a client asks for in Chat Completions. */
export interface ChatRequest {
  readonly body: JsonObject;
  /** '' where none is named, which servers with one model allow. */
  readonly model: string;
  readonly stream: boolean;
  /** The tools whose calls are looked for; none where the client wants none. */
  readonly tools: readonly ToolDefinition[];
  /** How many answers are asked for at once. */
  readonly choiceCount: number;
}

export type ReadChatRequest =
  | { readonly ok: true; readonly request: ChatRequest }
  | { readonly ok: false; readonly error: TurnError };

/** Reads the body of `POST /v1/chat/completions`. What nobody here looks at is left to the upstream to judge. */
export function readChatRequest(value: unknown): ReadChatRequest {
  if (!isObject(value))
    return refused(`the body of the request: expected a JSON object, got ${kindOf(value)}`);
  const problem = problemOf(value);
  if (problem !== undefined) return refused(problem);
  const { model, stream, n } = value;
  return {
    ok: true,
    request: {
      body: value,
      model: typeof model === 'string' ? model : '',
      stream: stream === true,
      tools: toolsOf(value),
      choiceCount: Math.max(1, countOf(n) ?? 1),
    },
  };
}

function refused(message: string): ReadChatRequest {
  return { ok: false, error: { kind: 'invalid-request', message } };
}

function problemOf({ model, messages, stream, tools, functions }: JsonObject): string | undefined {
  if (!isNone(model) && typeof model !== 'string')
    return `model: expected the name of a model, got ${kindOf(model)}`;
  if (!Array.isArray(messages)) return `messages: expected a list, got ${kindOf(messages)}`;
  const odd = messages.findIndex((message) => !isObject(message));
  if (odd >= 0) return `messages[${odd}]: expected an object, got ${kindOf(messages[odd])}`;
  if (!isNone(stream) && typeof stream !== 'boolean')
    return `stream: expected true or false, got ${kindOf(stream)}`;
  if (!isNone(tools) && !Array.isArray(tools))
    return `tools: expected a list, got ${kindOf(tools)}`;
  if (!isNone(functions) && !Array.isArray(functions))
    return `functions: expected a list, got ${kindOf(functions)}`;
  return undefined;
}

/** The functions on offer, also in the older field; tools of other types are not read. */
function toolsOf(body: JsonObject): readonly ToolDefinition[] {
  const { tools, tool_choice, functions, function_call } = body;
  if (tool_choice === 'none') return [];
  const own = listOf(tools).filter(isFunction);
  const older = function_call === 'none' ? [] : listOf(functions);
  return toolDefinitions([...own, ...older], 'skip');
}

/** The names of all tools on offer; one without a name is known by its type, as `web_search`. */
export function chatOfferedNames(body: JsonObject): readonly string[] {
  const { tools, tool_choice: choice } = body;
  if (choice === 'none') return [];
  const names = listOf(tools).map((tool) => {
    const { type, name, function: called, custom } = objectOf(tool);
    return textOf(objectOf(called ?? custom)['name']) || textOf(name) || textOf(type);
  });
  return [...names, ...toolsOf(body).map((tool) => tool.name)];
}

function isFunction(tool: JsonValue): boolean {
  return isObject(tool) && isObject(tool['function']);
}

function isNone(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
}
