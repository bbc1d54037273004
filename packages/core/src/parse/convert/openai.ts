import type { ToolCall } from '../../types.ts';
import { argumentsJson } from '../arguments-text.ts';

/** A call in an assistant message of OpenAI's Chat Completions. */
export interface OpenAIToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** An assistant message of OpenAI's Chat Completions. */
export interface OpenAIMessage {
  readonly role: 'assistant';
  readonly content: string | null;
  readonly tool_calls?: readonly OpenAIToolCall[];
}

/** Calls and text as an assistant message of OpenAI's Chat Completions. */
export function toOpenAIMessage(result: {
  readonly text: string;
  readonly calls: readonly ToolCall[];
}): OpenAIMessage {
  const { text, calls } = result;
  const content = text.trim() === '' && calls.length > 0 ? null : text;
  if (calls.length === 0) return { role: 'assistant', content };
  const toolCalls = calls.map((call): OpenAIToolCall => {
    const { id, name } = call;
    return { id, type: 'function', function: { name, arguments: argumentsJson(call) } };
  });
  return { role: 'assistant', content, tool_calls: toolCalls };
}
