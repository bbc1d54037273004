import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, listOf, objectOf, textOf } from '../json/json-fields.ts';

/** What a Chat Completions request says about calling its tools. */
export interface ToolChoice {
  /** `one`: a tool by its name. */
  readonly kind: 'auto' | 'none' | 'required' | 'one';
  /** The tools that may be called; undefined for all. */
  readonly only?: readonly string[];
  /** Whether several calls at once are wanted. */
  readonly isParallel: boolean;
}

/** Reads `tool_choice`, its older form `function_call`, and `parallel_tool_calls`. */
export function readToolChoice(body: JsonObject): ToolChoice {
  const { tool_choice: choice, function_call: older, parallel_tool_calls: parallel } = body;
  return { ...choiceOf(choice ?? older), isParallel: parallel !== false };
}

function choiceOf(choice: JsonValue | undefined): Omit<ToolChoice, 'isParallel'> {
  if (choice === 'none') return { kind: 'none' };
  // `any` is the word of Mistral's servers.
  if (choice === 'required' || choice === 'any') return { kind: 'required' };
  if (!isObject(choice)) return { kind: 'auto' };
  if (choice['type'] === 'allowed_tools') {
    const { mode, tools } = objectOf(choice['allowed_tools']);
    const only = listOf(tools)
      .map(nameIn)
      .filter((name) => name !== '');
    const kind = mode === 'required' ? 'required' : 'auto';
    return only.length === 0 ? { kind } : { kind, only };
  }
  const name = nameIn(choice);
  return name === '' ? { kind: 'auto' } : { kind: 'one', only: [name] };
}

/** `{"function": {"name"}}`, `{"custom": {"name"}}` or `{"name"}`. */
function nameIn(choice: JsonValue): string {
  const { function: called, custom, name } = objectOf(choice);
  return textOf(objectOf(called ?? custom)['name']) || textOf(name);
}

/** The choice in words for a model, which has no other way to hear of it; '' where it is free. */
export function describeToolChoice({ kind, only = [], isParallel }: ToolChoice): string {
  const sentences: string[] = [];
  if (kind === 'none') return 'No tool can be called now: answer in plain text.';
  if (kind === 'one') sentences.push(`Call the tool ${only.join()} now, and no other.`);
  else if (only.length > 0) sentences.push(`Of the tools, call only these: ${only.join(', ')}.`);
  if (kind === 'required')
    sentences.push('Call a tool now: an answer without a call is not accepted.');
  if (!isParallel) sentences.push('Call at most one tool at a time.');
  return sentences.join(' ');
}
