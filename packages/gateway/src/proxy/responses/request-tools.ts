import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, listOf, objectOf, textOf } from '../json/json-fields.ts';
import { readResponseTools } from './response-tools.ts';
import type { ResponseTool } from './response-tools.ts';

/**
 * All tools of a request that the client runs, those that came into the conversation later too. Where two have
 * the same flat name, the first counts.
 */
export function requestTools(body: JsonObject): ResponseTool[] {
  const tools = readResponseTools([...listOf(body['tools']), ...loadedTools(body['input'])]);
  const first = new Map<string, ResponseTool>();
  for (const tool of tools) if (!first.has(tool.flatName)) first.set(tool.flatName, tool);
  return [...first.values()];
}

/** The tools that items of the conversation bring with them: found by a search, or added by the client. */
export function loadedTools(input: JsonValue | undefined): readonly JsonValue[] {
  return listOf(input).flatMap((item) =>
    isObject(item) && BRING_TOOLS.has(item['type']) ? listOf(item['tools']) : [],
  );
}

/** Types of items that hold tools, or ask for some. */
export const BRING_TOOLS: ReadonlySet<JsonValue | undefined> = new Set([
  'additional_tools',
  'tool_search_call',
  'tool_search_output',
]);

/** The tools that the model may call: some of them where the choice allows only those. */
export function allowedTools(
  tools: readonly ResponseTool[],
  choice: JsonValue | undefined,
): readonly ResponseTool[] {
  if (choice === 'none') return [];
  const { type, tools: allowed } = objectOf(choice);
  if (type !== 'allowed_tools') return tools;
  const named = new Set(listOf(allowed).flatMap((entry) => toolsNamed(tools, objectOf(entry))));
  return tools.filter((tool) => named.has(tool));
}

/** The names of all tools that the model may call: deferred ones too, and those declared by type, as `web_search`. */
export function responsesOfferedNames(body: JsonObject): string[] {
  const { tool_choice: choice } = body;
  if (choice === 'none') return [];
  const { type, tools: allowed } = objectOf(choice);
  const own = allowedTools(requestTools(body), choice).map((tool) => tool.flatName);
  const declared = type === 'allowed_tools' ? listOf(allowed) : listOf(body['tools']);
  const types = declared.map((tool) => textOf(objectOf(tool)['type']));
  return [...own, ...types.filter((name) => !OWN_TYPES.has(name)).map(withoutVersion)];
}

/** Types of tools that have names of their own. */
const OWN_TYPES: ReadonlySet<string> = new Set(['', 'function', 'custom', 'namespace']);

/** `computer` of `computer_use_preview`, `web_search` of `web_search_preview_2025_03_11`. */
function withoutVersion(type: string): string {
  return type.replace(/(?:_use)?_preview(?:_[\d_]+)?$/, '');
}

/** The tools that an entry of a choice means: one by its name, or all of a namespace. */
export function toolsNamed(
  tools: readonly ResponseTool[],
  { type, name, namespace }: JsonObject,
): ResponseTool[] {
  if (type === 'namespace') return tools.filter((tool) => tool.namespace === name);
  if (type !== 'function' && type !== 'custom') return [];
  const found =
    tools.find((tool) => tool.name === name && tool.namespace === (namespace ?? undefined)) ??
    tools.find((tool) => tool.flatName === name) ??
    tools.find((tool) => tool.name === name);
  return found === undefined ? [] : [found];
}
