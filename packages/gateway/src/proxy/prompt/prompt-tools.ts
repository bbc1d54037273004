import type { JsonObject, JsonValue, ToolDefinition } from '@holdfast/core';
import { renderToolPrompt, ToolRenderError } from '@holdfast/core/parse';
import { isObject, listOf, without } from '../json/json-fields.ts';
import { joinContent } from '../messages/chat-content.ts';
import { isAboutCalls, replayHistory } from './replay-history.ts';
import { describeToolChoice, readToolChoice } from './tool-choice.ts';
import { toolFormatOf } from './tool-format.ts';

export interface PromptOptions {
  /** What the upstream calls the model. */
  readonly model: string;
  /** The dialect. Without one, that of the model's name. */
  readonly format?: string | undefined;
}

/** A request whose tools are told in its system message. */
export interface PromptedRequest {
  readonly body: JsonObject;
  /** The dialect that was used. */
  readonly format: string;
}

/**
 * Takes the tools out of a Chat Completions request and tells the model of them in words, with all calls and
 * results so far, so that a model or a server that knows nothing of tools can go on. Returns the same body
 * where it has neither tools nor calls.
 */
export function promptTools(
  body: JsonObject,
  tools: readonly ToolDefinition[],
  options: PromptOptions,
): PromptedRequest {
  const choice = readToolChoice(body);
  const offered = choice.kind === 'none' ? [] : tools;
  const { format, prompt } = tellTools(offered, options.format ?? toolFormatOf(options.model));
  const messages = listOf(body['messages']);
  const hasCalls = messages.some(isAboutCalls);
  const bare = Object.keys(body).some((field) => TOOL_FIELDS.has(field))
    ? without(body, TOOL_FIELDS)
    : body;
  if (offered.length === 0 && !hasCalls) return { body: bare, format };
  const about = offered.length === 0 ? NO_TOOLS : choice;
  const told = [prompt, describeToolChoice(about)].filter((text) => text !== '').join('\n\n');
  return {
    body: { ...bare, messages: withSystem(replayHistory(messages, format), told) },
    format,
  };
}

/** What a server without tools refuses, or would read the model's text by. */
const TOOL_FIELDS: ReadonlySet<string> = new Set([
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'functions',
  'function_call',
]);

/** A model that sees calls in the history would go on making them. */
const NO_TOOLS = { kind: 'none', isParallel: true } as const;

/** The tools in a dialect that can spell their names. */
function tellTools(
  tools: readonly ToolDefinition[],
  wanted: string,
): { readonly format: string; readonly prompt: string } {
  for (const format of [wanted, 'qwen']) {
    try {
      return { format, prompt: renderToolPrompt(tools, format) };
    } catch (error) {
      if (!(error instanceof ToolRenderError)) throw error;
    }
  }
  return { format: 'openai', prompt: renderToolPrompt(tools, 'openai') };
}

/** The messages with a text behind that of the leading system message, which is made where there is none. */
function withSystem(messages: readonly JsonValue[], text: string): readonly JsonValue[] {
  const [first, ...others] = messages;
  if (!isObject(first) || (first['role'] !== 'system' && first['role'] !== 'developer'))
    return [{ role: 'system', content: text }, ...messages];
  const { content } = first;
  const isBlank = content === undefined || content === null || content === '';
  return [{ ...first, content: isBlank ? text : joinContent(content, text) }, ...others];
}
