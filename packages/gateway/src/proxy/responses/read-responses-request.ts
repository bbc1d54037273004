import type { JsonObject, JsonValue } from '@holdfast/core';
import { toolDefinitions } from '@holdfast/core/parse';
import type { ClientRequest, Refused } from '../client-protocol.ts';
import { isObject, listOf } from '../json/json-fields.ts';
import { kindOf } from '../json/kind-of.ts';
import type { NormaliseRules } from '../normalise-rules.ts';
import { refuseState } from './refuse-state.ts';
import { allowedTools, requestTools } from './request-tools.ts';
import { toToolDefinition } from './response-tools.ts';

/** Reads the body of `POST /v1/responses`. Fields that nobody here looks at are left to the upstream to judge. */
export function readResponsesRequest(
  value: unknown,
  rules: Pick<NormaliseRules, 'deferLoading'>,
): { readonly ok: true; readonly request: ClientRequest } | Refused {
  if (!isObject(value))
    return refused(`the body of the request: expected a JSON object, got ${kindOf(value)}`);
  const state = refuseState(value);
  if (state !== undefined) return state;
  const problem = problemOf(value);
  if (problem !== undefined) return refused(problem.message, problem.param);
  const { model, stream, tool_choice: choice } = value;
  const tools = allowedTools(requestTools(value), choice).filter(
    ({ source }) => rules.deferLoading || source['defer_loading'] !== true,
  );
  return {
    ok: true,
    request: {
      body: value,
      model: typeof model === 'string' ? model : '',
      stream: stream === true,
      tools: toolDefinitions(tools.map(toToolDefinition), 'skip'),
    },
  };
}

function refused(message: string, param?: string): Refused {
  const details = param === undefined ? {} : { details: { param } };
  return { ok: false, error: { kind: 'invalid-request', message, ...details } };
}

interface Problem {
  readonly param: string;
  readonly message: string;
}

function problem(param: string, expected: string, value: unknown): Problem {
  return { param, message: `${param}: expected ${expected}, got ${kindOf(value)}` };
}

function problemOf(body: JsonObject): Problem | undefined {
  const { model, input, instructions, stream, tools } = body;
  if (!isNone(model) && typeof model !== 'string')
    return problem('model', 'the name of a model', model);
  if (typeof input !== 'string' && !Array.isArray(input))
    return problem('input', 'a text or a list of items', input);
  if (!isNone(instructions) && typeof instructions !== 'string')
    return problem('instructions', 'a text', instructions);
  if (!isNone(stream) && typeof stream !== 'boolean')
    return problem('stream', 'true or false', stream);
  if (!isNone(tools) && !Array.isArray(tools)) return problem('tools', 'a list', tools);
  return (
    firstProblem('input', listOf(input), problemOfItem) ??
    firstProblem('tools', listOf(tools), problemOfTool)
  );
}

function firstProblem(
  list: string,
  items: readonly JsonValue[],
  judge: (item: JsonValue, path: string) => Problem | undefined,
): Problem | undefined {
  for (const [at, item] of items.entries()) {
    const found = judge(item, `${list}[${at}]`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function problemOfItem(item: JsonValue, path: string): Problem | undefined {
  if (!isObject(item)) return problem(path, 'an object', item);
  const { type, role, content } = item;
  if (!isNone(type) && typeof type !== 'string')
    return problem(`${path}.type`, 'the type of an item', type);
  if (!isNone(type) && type !== 'message') return undefined;
  if (typeof role !== 'string')
    return problem(`${path}.role`, '"user", "assistant", "system" or "developer"', role);
  if (typeof content === 'string' || Array.isArray(content)) return undefined;
  return problem(`${path}.content`, 'a text or a list of parts', content);
}

function problemOfTool(tool: JsonValue, path: string): Problem | undefined {
  if (!isObject(tool) || tool['type'] !== 'namespace') return problemOfPlainTool(tool, path);
  const { name, tools } = tool;
  if (typeof name !== 'string' || name === '')
    return problem(`${path}.name`, 'the name of a namespace', name);
  return Array.isArray(tools)
    ? firstProblem(`${path}.tools`, listOf(tools), problemOfPlainTool)
    : problem(`${path}.tools`, 'a list', tools);
}

function problemOfPlainTool(tool: JsonValue, path: string): Problem | undefined {
  if (!isObject(tool)) return problem(path, 'an object', tool);
  const { type, name, parameters } = tool;
  if (typeof type !== 'string') return problem(`${path}.type`, 'the type of a tool', type);
  // What the vendor runs may have no name.
  if (type !== 'function' && type !== 'custom') return undefined;
  if (typeof name !== 'string' || name === '')
    return problem(`${path}.name`, 'the name of a tool', name);
  if (type === 'custom' || isNone(parameters) || isObject(parameters)) return undefined;
  return problem(`${path}.parameters`, 'a JSON Schema object', parameters);
}

function isNone(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
}
