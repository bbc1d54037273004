import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, listOf, textOf, without } from '../json/json-fields.ts';
import { joinContent } from '../messages/chat-content.ts';
import { callsOf, nameOf, replayCalls } from './replay-calls.ts';
import { replayResult } from './replay-result.ts';

/** Whether a message is part of a call: it makes one, or brings what came of one. */
export function isAboutCalls(message: JsonValue): boolean {
  if (!isObject(message)) return false;
  const { role } = message;
  if (role === 'tool' || role === 'function') return true;
  return role === 'assistant' && callsOf(message).length > 0;
}

/**
 * A conversation in text alone: calls are what the assistant said, results what the user did. A message is
 * told the same however many follow it, so that servers find what they read before in their cache.
 */
export function replayHistory(messages: readonly JsonValue[], format: string): JsonValue[] {
  const replay = new Replay(format);
  for (const message of messages) replay.add(message);
  return replay.messages;
}

class Replay {
  readonly messages: JsonValue[] = [];
  readonly #format: string;
  /** The calls so far, by id: what they called, and whether the model was shown the id. */
  readonly #calls = new Map<string, { readonly name: string; readonly isShown: boolean }>();
  /** Whether the last message is a user's that has results in it. */
  #endsInResults = false;

  constructor(format: string) {
    this.#format = format;
  }

  add(message: JsonValue): void {
    if (!isObject(message)) {
      this.#push(message);
      return;
    }
    switch (message['role']) {
      case 'assistant':
        this.#push(this.#assistant(message));
        break;
      case 'tool':
      case 'function':
        this.#addToUser(contentOf(this.#result(message)));
        this.#endsInResults = true;
        break;
      case 'user':
        // Many templates take turns only by turns.
        if (this.#endsInResults) this.#addToUser(message['content'] ?? '');
        else this.#push(message);
        break;
      default:
        this.#push(message);
    }
  }

  #push(message: JsonValue): void {
    this.messages.push(message);
    this.#endsInResults = false;
  }

  #assistant(message: JsonObject): JsonObject {
    const calls = callsOf(message);
    const kept = without(message, NOT_TOLD);
    if (calls.length === 0) return kept;
    const written = replayCalls(calls, this.#format);
    for (const { id, name } of calls)
      this.#calls.set(id, { name, isShown: id !== '' && written.includes(id) });
    return { ...kept, content: behind(message['content'], written) };
  }

  #result(message: JsonObject): JsonObject[] {
    const callId = textOf(message['tool_call_id']);
    const call = this.#calls.get(callId);
    return replayResult(
      {
        name: call?.name ?? nameOf(message['name']),
        callId: call?.isShown === true ? callId : undefined,
        content: message['content'],
      },
      this.#format,
    );
  }

  #addToUser(content: JsonValue): void {
    const before = this.messages.at(-1);
    if (!isObject(before) || before['role'] !== 'user') this.#push({ role: 'user', content });
    else this.messages[this.messages.length - 1] = { ...before, content: joined(before, content) };
  }
}

/** Templates of models that think leave the thoughts of earlier turns out; others would read them as answers. */
const NOT_TOLD: ReadonlySet<string> = new Set([
  'tool_calls',
  'function_call',
  'reasoning_content',
  'reasoning',
]);

/** One text where there is nothing else, as many servers take no parts. */
function contentOf(parts: readonly JsonObject[]): JsonValue {
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? textOf(first['text']) : parts;
}

function joined({ content }: JsonObject, added: JsonValue): JsonValue {
  if (isEmpty(content)) return added;
  return isEmpty(added) ? content : joinContent(content, added);
}

/** Calls stand on lines of their own. */
function behind(content: JsonValue | undefined, calls: string): JsonValue {
  if (isEmpty(content)) return calls;
  if (typeof content === 'string') return `${content}\n${calls}`;
  const parts = listOf(content);
  const texts = parts.map((part) => (isObject(part) ? part['text'] : part));
  if (texts.every((text) => typeof text === 'string')) return [...texts, calls].join('\n');
  return [...parts, { type: 'text', text: calls }];
}

function isEmpty(content: JsonValue | undefined): content is undefined | null | '' | [] {
  return (
    content === undefined ||
    content === null ||
    content === '' ||
    (Array.isArray(content) && content.length === 0)
  );
}
