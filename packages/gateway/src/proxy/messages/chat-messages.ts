import type { JsonObject, JsonValue } from '@holdfast/core';
import { writeExactJson } from '@holdfast/core/check';
import { isObject, listOf, objectOf, textOf } from '../json/json-fields.ts';
import { readJsonObject } from '../json/read-json-object.ts';
import type { NormaliseRules } from '../normalise-rules.ts';
import { blocksOf } from './blocks-of.ts';
import { chatContent, joinContent, textOfBlocks } from './chat-content.ts';
import { chatToolResults } from './chat-tool-results.ts';

/** The messages of a Messages request, and its system prompt, as those of Chat Completions. */
export function chatMessages(
  body: JsonObject,
  rules: NormaliseRules,
  applied: Set<keyof NormaliseRules>,
): JsonObject[] {
  const out: JsonObject[] = [];
  const system = systemText(body['system'], rules, applied);
  if (system !== '') out.push({ role: 'system', content: system });
  for (const message of listOf(body['messages']).map(objectOf)) {
    const blocks = blocksOf(message['content']);
    const role = message['role'];
    if (role === 'assistant') addAssistant(out, blocks);
    else if (role === 'system' || role === 'developer')
      out.push({ role: 'system', content: textOfBlocks(blocks) });
    else addUser(out, blocks, rules, applied);
  }
  return out;
}

/**
 * Claude Code begins its prompt with a line for Anthropic's accounting that differs in every request. A local
 * server that gets it has to read the whole conversation anew each time, as nothing before it can be cached.
 */
const ACCOUNTING = 'x-anthropic-billing-header:';

function systemText(
  system: JsonValue | undefined,
  rules: NormaliseRules,
  applied: Set<keyof NormaliseRules>,
): string {
  const blocks = blocksOf(system);
  if (!rules.unknownFields) return textOfBlocks(blocks);
  const kept = blocks.filter(({ text }) => !textOf(text).startsWith(ACCOUNTING));
  if (kept.length < blocks.length) applied.add('unknownFields');
  return textOfBlocks(kept);
}

function addUser(
  out: JsonObject[],
  blocks: readonly JsonObject[],
  rules: NormaliseRules,
  applied: Set<keyof NormaliseRules>,
): void {
  const results = blocks.filter(isResult);
  const { messages, images } = chatToolResults(results, rules, applied);
  // The results come first: a call has to be followed by its result.
  for (const message of messages) out.push(message);
  const content = chatContent([...images, ...blocks.filter((block) => !isResult(block))]);
  if (content === undefined) return;
  const before = out.at(-1);
  // Messages in a row are one turn to Anthropic, and an error to templates that want turns to alternate.
  if (before?.['role'] === 'user')
    out[out.length - 1] = { role: 'user', content: joinContent(before['content'], content) };
  else out.push({ role: 'user', content });
}

function isResult({ type }: JsonObject): boolean {
  return type === 'tool_result';
}

function addAssistant(out: JsonObject[], blocks: readonly JsonObject[]): void {
  const said = blocks.map(({ type, text }) => (type === 'text' ? textOf(text) : '')).join('');
  const calls = blocks.filter(({ type }) => type === 'tool_use').map(chatCall);
  const thought = blocks.map(({ thinking }) => textOf(thinking)).join('');
  if (said === '' && calls.length === 0) return;
  const before = out.at(-1);
  const isGoingOn = before?.['role'] === 'assistant' && before['tool_calls'] === undefined;
  if (isGoingOn) out.pop();
  out.push({
    role: 'assistant',
    // Never null, which older servers refuse.
    content: (isGoingOn ? textOf(before['content']) : '') + said,
    // Models that think between calls lose the thread without it; templates leave it out where it is not wanted.
    ...(thought !== '' && calls.length > 0 && { reasoning_content: thought }),
    ...(calls.length > 0 && { tool_calls: calls }),
  });
}

function chatCall({ id, name, input }: JsonObject): JsonObject {
  return {
    id: textOf(id),
    type: 'function',
    function: { name: textOf(name), arguments: argumentsText(input) },
  };
}

/** Servers read the arguments of earlier calls again, and fail over what is no object. */
function argumentsText(input: JsonValue | undefined): string {
  if (isObject(input)) return writeExactJson(input);
  const text = textOf(input);
  return readJsonObject(text) === undefined ? '{}' : text;
}
