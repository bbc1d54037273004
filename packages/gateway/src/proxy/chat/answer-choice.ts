import type { JsonObject, JsonValue } from '@holdfast/core';
import type { TurnEvent } from '../turn/turn-event.ts';
import type { CallShape } from './call-shape.ts';
import { KNOWN_FIELDS, partOf } from './chat-choices.ts';
import type { ChoiceEvent } from './chat-delta.ts';
import { finishWord } from './chat-finish-reason.ts';
import { countOf, listOf, objectOf, without } from '../json/json-fields.ts';

type Finish = Extract<TurnEvent, { type: 'finish' }>;

/** One choice of a whole answer, put together from events over what the upstream said of it. */
export class AnswerChoice {
  readonly #number: number;
  readonly #said: JsonObject;
  readonly #shape: CallShape;
  #text = '';
  #reasoning = '';
  #finish: Finish | undefined;
  readonly #calls: JsonObject[] = [];
  readonly #parts: JsonValue[] = [];
  readonly #others = new Map<string, JsonValue>();
  /** Where the calls of custom tools stand among all. */
  readonly #customs = new Map<number, number>();

  constructor(number: number, said: JsonObject, shape: CallShape) {
    this.#number = number;
    this.#shape = shape;
    this.#said = said;
  }

  add(event: ChoiceEvent): void {
    switch (event.type) {
      case 'text':
        this.#text += event.text;
        break;
      case 'reasoning':
        this.#reasoning += event.text;
        break;
      case 'call': {
        const { id, name, json } = event.call;
        this.#calls.push({ id, type: 'function', function: { name, arguments: json } });
        break;
      }
      case 'opaque':
        this.#addOpaque(event.content);
        break;
      case 'finish':
        this.#finish = event;
        break;
      case 'call-start':
      case 'call-delta':
      case 'call-end':
        // Calls are told in pieces to streams only.
        break;
    }
  }

  /** Whether what the upstream said needs no change, provided that the events are its own. */
  get isAsItCame(): boolean {
    const { index, message, finish_reason: word } = this.#said;
    const { content, reasoning, reasoning_content, tool_calls, function_call } = objectOf(message);
    return (
      index === this.#number &&
      word === this.#word &&
      [content, reasoning, reasoning_content].every((text) => isNone(text) || isText(text)) &&
      [tool_calls, function_call].every(isNone)
    );
  }

  json(): JsonObject {
    const message = partOf(this.#said) ?? {};
    const field = isText(message['reasoning']) ? 'reasoning' : 'reasoning_content';
    return {
      ...without(this.#said, OWN_FIELDS),
      index: this.#number,
      message: {
        role: 'assistant',
        content: this.#content(),
        ...(this.#reasoning !== '' && { [field]: this.#reasoning }),
        ...Object.fromEntries(this.#others),
        ...without(message, KNOWN_FIELDS),
        ...this.#callFields(),
      },
      finish_reason: this.#word,
    };
  }

  get #word(): string {
    return finishWord(this.#finish?.reason ?? 'stop', this.#calls.length > 0, this.#shape);
  }

  #callFields(): JsonObject {
    const [first] = this.#calls;
    if (first === undefined) return {};
    if (this.#shape === 'tool_calls') return { tool_calls: this.#calls };
    return { function_call: objectOf(first['function']) };
  }

  #content(): JsonValue {
    if (this.#parts.length > 0) {
      const text = this.#text === '' ? [] : [{ type: 'text', text: this.#text }];
      return [...text, ...this.#parts];
    }
    const isNothing = this.#calls.length > 0 || partOf(this.#said)?.['content'] === null;
    return this.#text === '' && isNothing ? null : this.#text;
  }

  /** What came in pieces, as in a stream that is put together, is joined. */
  #addOpaque(content: JsonObject): void {
    for (const [field, value] of Object.entries(content)) {
      if (field === 'content') listOf(value).forEach((part) => this.#parts.push(part));
      else if (field === 'tool_calls')
        listOf(value).forEach((call) => this.#addCustom(objectOf(call)));
      else this.#others.set(field, joined(this.#others.get(field), value));
    }
  }

  #addCustom(call: JsonObject): void {
    const number = countOf(call['index']) ?? this.#customs.size;
    const place = this.#customs.get(number) ?? this.#calls.length;
    this.#customs.set(number, place);
    const begun = this.#calls[place] ?? {};
    const piece = without(call, INDEX);
    const { name, input } = objectOf(piece['custom']);
    const before = objectOf(begun['custom']);
    const custom = {
      ...before,
      ...(name !== undefined && { name }),
      ...(input !== undefined && { input: joined(before['input'], input) }),
    };
    this.#calls[place] = {
      ...begun,
      ...piece,
      ...(Object.keys(custom).length > 0 && { custom }),
    };
  }
}

function joined(before: JsonValue | undefined, value: JsonValue): JsonValue {
  if (typeof before === 'string' && typeof value === 'string') return before + value;
  if (Array.isArray(before) && Array.isArray(value))
    return [...(before as JsonValue[]), ...(value as JsonValue[])];
  return value;
}

const OWN_FIELDS: ReadonlySet<string> = new Set(['index', 'delta', 'message', 'finish_reason']);
const INDEX: ReadonlySet<string> = new Set(['index']);

function isNone(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
}

function isText(value: JsonValue | undefined): boolean {
  return typeof value === 'string';
}
