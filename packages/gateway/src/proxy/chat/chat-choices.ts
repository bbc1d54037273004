import type { JsonObject, JsonValue } from '@holdfast/core';
import type { TurnError } from '../turn/turn-error.ts';
import type { UpstreamEvent } from '../turn/upstream-event.ts';
import { readFinishReason } from './chat-finish-reason.ts';
import { ChatSlots } from './chat-slots.ts';
import { countOf, isObject, listOf, textOf } from '../json/json-fields.ts';

type Finish = Extract<UpstreamEvent, { type: 'finish' }>;

interface Choice {
  readonly slots: ChatSlots;
  finish: Finish | undefined;
  isFinished: boolean;
}

/** Reads the `choices` of chunks and of whole answers: the same fields, with the same defects. */
export class ChatChoices {
  readonly #choices = new Map<number, Choice>();

  /** Whether some choice has said why it ended. */
  get hasFinish(): boolean {
    return [...this.#choices.values()].some(({ finish }) => finish !== undefined);
  }

  read(choices: JsonValue | undefined, out: UpstreamEvent[]): void {
    for (const [position, said] of listOf(choices).entries()) {
      if (!isObject(said)) continue;
      const number = countOf(said['index']) ?? position;
      if (!this.#choices.has(number) && this.#choices.size >= MOST_CHOICES) {
        out.push({ type: 'error', error: TOO_MANY });
        return;
      }
      this.#readChoice(said, number, out);
    }
  }

  /** Nothing more is said: what was held back is told. */
  close(out: UpstreamEvent[]): void {
    for (const choice of this.#choices.values()) {
      choice.slots.flush(out);
      finish(choice, out);
    }
  }

  /** A whole answer has ended, whether it says why or not. */
  finishAll(out: UpstreamEvent[]): void {
    for (const [number, choice] of this.#choices)
      choice.finish ??= { type: 'finish', choice: number, reason: 'stop' };
    this.close(out);
  }

  #readChoice(said: JsonObject, number: number, out: UpstreamEvent[]): void {
    const choice = this.#choiceAt(number);
    const part = partOf(said);
    if (part !== undefined) readPart(part, number, choice.slots, out);
    const word = said['finish_reason'];
    if (choice.isFinished || typeof word !== 'string' || word === '') return;
    choice.finish ??= { type: 'finish', choice: number, reason: readFinishReason(word) };
    const { reason } = choice.finish;
    // Some servers send the end of the arguments behind the finish reason, which would come too late.
    const mayGoOn = reason === 'stop' || reason === 'tool-calls';
    if (mayGoOn && !choice.slots.areAllClosed) return;
    choice.slots.flush(out);
    finish(choice, out);
  }

  #choiceAt(number: number): Choice {
    let choice = this.#choices.get(number);
    if (choice === undefined) {
      choice = { slots: new ChatSlots(number), finish: undefined, isFinished: false };
      this.#choices.set(number, choice);
    }
    return choice;
  }
}

/** Each has a reader of its own, which costs a hundred times what it takes to name one; no server gives as many. */
const MOST_CHOICES = 1024;
const TOO_MANY: TurnError = Object.freeze({
  kind: 'upstream',
  message: `the upstream told of more than ${MOST_CHOICES} choices, and none may have more`,
});

function finish(choice: Choice, out: UpstreamEvent[]): void {
  if (choice.finish === undefined || choice.isFinished) return;
  choice.isFinished = true;
  out.push(choice.finish);
}

/** The delta of a chunk, or the message of a whole answer; some servers send one in place of the other. */
export function partOf(choice: JsonObject): JsonObject | undefined {
  if (isObject(choice['delta'])) return choice['delta'];
  return isObject(choice['message']) ? choice['message'] : undefined;
}

/** The fields of a message that have events of their own. */
export const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'role',
  'content',
  'reasoning_content',
  'reasoning',
  'tool_calls',
  'function_call',
]);

function readPart(part: JsonObject, choice: number, slots: ChatSlots, out: UpstreamEvent[]): void {
  const reasoning = reasoningIn(part);
  if (reasoning !== '') out.push({ type: 'reasoning', choice, text: reasoning });
  readContent(part['content'], choice, out);
  slots.read(part['tool_calls'], out);
  slots.readLegacy(part['function_call'], out);
  let others: [string, JsonValue][] | undefined;
  for (const field of Object.keys(part)) {
    const value = part[field];
    if (value === undefined || KNOWN_FIELDS.has(field) || isEmpty(value)) continue;
    (others ??= []).push([field, value]);
  }
  if (others !== undefined)
    out.push({ type: 'opaque', choice, content: Object.fromEntries(others) });
}

/** Two names for one thing; a server that sends both says the same in both. */
function reasoningIn(part: JsonObject): string {
  const said = textOf(part['reasoning_content']) || textOf(part['reasoning']);
  if (said !== '') return said;
  return listOf(part['reasoning_details'])
    .map((detail) => (isObject(detail) ? textOf(detail['text']) || textOf(detail['summary']) : ''))
    .join('');
}

function readContent(content: JsonValue | undefined, choice: number, out: UpstreamEvent[]): void {
  if (typeof content === 'string') {
    if (content !== '') out.push({ type: 'text', choice, text: content });
    return;
  }
  for (const part of isObject(content) ? [content] : listOf(content)) readBlock(part, choice, out);
}

/** One part of a content that is a list, as some servers send it. */
function readBlock(part: JsonValue, choice: number, out: UpstreamEvent[]): void {
  if (typeof part === 'string') {
    if (part !== '') out.push({ type: 'text', choice, text: part });
    return;
  }
  if (!isObject(part)) return;
  const { type, text, thinking } = part;
  if (
    typeof text === 'string' &&
    (type === undefined || type === 'text' || type === 'output_text')
  ) {
    if (text !== '') out.push({ type: 'text', choice, text });
  } else if (thinking !== undefined) {
    const thought = typeof thinking === 'string' ? thinking : textsOf(thinking);
    if (thought !== '') out.push({ type: 'reasoning', choice, text: thought });
  } else {
    out.push({ type: 'opaque', choice, content: { content: [part] } });
  }
}

function textsOf(parts: JsonValue): string {
  return listOf(parts)
    .map((part) => (isObject(part) ? textOf(part['text']) : textOf(part)))
    .join('');
}

function isEmpty(value: JsonValue): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
