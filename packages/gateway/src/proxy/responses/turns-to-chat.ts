import type { JsonObject, JsonValue } from '@holdfast/core';
import { joinContent } from '../messages/chat-content.ts';
import type { NormaliseRules } from '../normalise-rules.ts';
import { isModelTurn } from './conversation-turns.ts';
import type { AskedCall, ModelTurn, SaidTurn, Turn } from './conversation-turns.ts';
import { BETWEEN, chatContentOf, isText, textOfParts } from './response-content.ts';

type Applied = Set<keyof NormaliseRules>;

/** The turns of a conversation as the messages of Chat Completions, every call followed by its result. */
export function turnsToChat(
  turns: readonly Turn[],
  rules: NormaliseRules,
  applied: Applied,
): JsonObject[] {
  const out: JsonObject[] = [];
  for (const turn of turns) {
    if (isModelTurn(turn)) addModelTurn(out, turn, rules, applied);
    else addSaid(out, turn);
  }
  return out;
}

function addSaid(out: JsonObject[], { role, parts }: SaidTurn): void {
  const content = chatContentOf(parts);
  if (role === 'system' || role === 'developer') out.push({ role, content });
  else addUser(out, content);
}

/** Messages in a row are an error to templates that want turns to alternate. */
function addUser(out: JsonObject[], content: JsonValue): void {
  const before = out.at(-1);
  if (before?.['role'] !== 'user') out.push({ role: 'user', content });
  else out[out.length - 1] = { role: 'user', content: joinContent(before['content'], content) };
}

function addModelTurn(
  out: JsonObject[],
  { texts, thoughts, calls }: ModelTurn,
  rules: NormaliseRules,
  applied: Applied,
): void {
  const said = join(texts);
  const thought = join(thoughts);
  if (said === '' && calls.length === 0) return;
  const ids = uniqueIds(calls);
  out.push({
    role: 'assistant',
    // Never null, which older servers refuse.
    content: said,
    // Models that think between calls lose the thread without it; templates leave it out where it is not wanted.
    ...(thought !== '' && calls.length > 0 && { reasoning_content: thought }),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call, at) => ({
        id: ids[at] ?? '',
        type: 'function',
        function: { name: call.name, arguments: call.arguments },
      })),
    }),
  });
  const images: JsonObject[] = [];
  for (const [at, { result }] of calls.entries()) {
    const id = ids[at] ?? '';
    out.push({
      role: 'tool',
      tool_call_id: id,
      content: resultContent(id, result, images, rules, applied),
    });
  }
  if (images.length > 0) addUser(out, images);
}

function join(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(BETWEEN);
}

/** A result is matched to its call by the id, so two calls of a turn cannot have the same, or none. */
function uniqueIds(calls: readonly AskedCall[]): readonly string[] {
  const used = new Set<string>();
  return calls.map(({ id }, at) => {
    let own = id === '' ? `call_${at}` : id;
    while (used.has(own)) own += `_${at}`;
    used.add(own);
    return own;
  });
}

/** A `tool` message has text only; `images` takes what it cannot have. */
function resultContent(
  id: string,
  result: readonly JsonObject[] | undefined,
  images: JsonObject[],
  rules: NormaliseRules,
  applied: Applied,
): JsonValue {
  if (result === undefined) return '(no result: the call was not finished)';
  if (result.every(isText)) return textOfParts(result, BETWEEN);
  if (!rules.toolResultBlocks) return result;
  applied.add('toolResultBlocks');
  const caption = { type: 'text', text: `What the tool returned as an image (${id}):` };
  images.push(caption);
  for (const part of result) if (!isText(part)) images.push(part);
  return textOfParts(result, BETWEEN) || '(the image is in the next message)';
}
