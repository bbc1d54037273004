import type { JsonObject, JsonValue } from '@holdfast/core';
import { renderToolResult, ToolRenderError } from '@holdfast/core/parse';
import { isObject, listOf, textOf } from '../json/json-fields.ts';

/** What a tool answered, and to which call. */
export interface EarlierResult {
  readonly name: string;
  /** Undefined where the dialect wrote the call without its id: an id would then say nothing. */
  readonly callId: string | undefined;
  readonly content: JsonValue | undefined;
}

/** A result as a user message tells it: text, and behind it what is none, such as images. */
export function replayResult(
  { name, callId, content }: EarlierResult,
  format: string,
): JsonObject[] {
  const parts = listOf(content);
  const others = parts.filter(isObject).filter((part) => typeof part['text'] !== 'string');
  const texts = parts.map((part) => (isObject(part) ? textOf(part['text']) : textOf(part)));
  const said = Array.isArray(content) ? texts.filter((text) => text !== '').join('\n') : content;
  const text = writeResult({ name, callId, content: said ?? '' }, format, others.length > 0);
  return [{ type: 'text', text }, ...others];
}

function writeResult(result: EarlierResult, format: string, isShown: boolean): string {
  const { name, callId, content = '' } = result;
  const told = content === '' && isShown ? '(see below)' : content;
  try {
    return renderToolResult({ name, callId, content: told }, format);
  } catch (error) {
    if (!(error instanceof ToolRenderError)) throw error;
    return JSON.stringify({ name, content: told });
  }
}
