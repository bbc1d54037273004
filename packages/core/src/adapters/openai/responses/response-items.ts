import type { JsonObject } from '../../../types.ts';
import type { AnswerCall } from '../../reading/answer-call.ts';
import { textOf } from '../../wire/json-fields.ts';
import { ItemInParts } from './item-in-parts.ts';
import type { PartKind } from './part-kind.ts';

/**
 * Makes the items of a response, with places from 0 and without gaps. A message begins with the first
 * character in it: where all of its text is a call, there is no message.
 */
export class ResponseItems {
  readonly #emit: (event: JsonObject) => void;
  readonly #nextId: () => string;
  readonly #output: JsonObject[] = [];
  #nextIndex = 0;
  #open: ItemInParts | undefined;
  /** The server's own message that is being read, as far as it has told it. */
  #message: JsonObject = {};
  /** Whether an item has the id of that message. */
  #isIdTaken = true;

  constructor(emit: (event: JsonObject) => void, nextId: () => string) {
    this.#emit = emit;
    this.#nextId = nextId;
  }

  /** The items that were told to their end. */
  get output(): readonly JsonObject[] {
    // Flattened: where an item never ended there is a hole.
    return this.#output.flat();
  }

  /** Begins to read a message of the server's. */
  read(message: JsonObject): void {
    this.end();
    this.#message = message;
    this.#isIdTaken = textOf(message['id']) === '';
  }

  /** More of what the server says of the message that is being read. */
  know(message: JsonObject): void {
    this.#message = { ...this.#message, ...message };
  }

  say(kind: PartKind, text: string): void {
    this.#in(kind === 'summary_text' ? 'reasoning' : 'message').say(kind, text);
  }

  /** The message that is open; undefined where none is. */
  get message(): ItemInParts | undefined {
    return this.#open?.type === 'message' ? this.#open : undefined;
  }

  /** In one piece: all clients accept it, and no client can see half of it. */
  call({ id, name, json }: AnswerCall, fields: JsonObject = {}): void {
    this.end();
    const index = this.#nextIndex++;
    const itemId = textOf(fields['id']) || `fc_${id}`;
    const item = { ...fields, id: itemId, type: 'function_call', call_id: id, name };
    const place = { item_id: itemId, output_index: index };
    const added = { ...item, status: 'in_progress', arguments: '' };
    const done = { ...item, status: 'completed', arguments: json };
    this.#emit({ type: 'response.output_item.added', output_index: index, item: added });
    this.#emit({ type: 'response.function_call_arguments.delta', ...place, delta: json });
    this.#emit({ type: 'response.function_call_arguments.done', ...place, name, arguments: json });
    this.#emit({ type: 'response.output_item.done', output_index: index, item: done });
    this.#output[index] = done;
  }

  /** Begins an item that is passed on as it comes. Returns its place. */
  start(event: JsonObject): number {
    this.end();
    const index = this.#nextIndex++;
    this.#emit({ ...event, output_index: index });
    return index;
  }

  finish(event: JsonObject, item: JsonObject, index: number): void {
    this.#emit({ ...event, output_index: index });
    this.#output[index] = item;
  }

  /** Ends the message, or the reasoning, that is open. */
  end(status: 'completed' | 'incomplete' = 'completed'): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    const fields =
      open.type === 'message' ? { role: 'assistant', ...this.#message, status } : { summary: [] };
    this.#output[open.index] = open.end(fields);
  }

  #in(type: ItemInParts['type']): ItemInParts {
    if (this.#open?.type === type) return this.#open;
    this.end();
    const item =
      type === 'message'
        ? {
            role: 'assistant',
            ...this.#message,
            id: this.#messageId(),
            status: 'in_progress',
            content: [],
          }
        : { id: `rs_${this.#nextId()}`, summary: [] };
    this.#open = new ItemInParts({ ...item, type }, this.#nextIndex++, this.#emit);
    return this.#open;
  }

  /** Only the first item that is made of a message can have its id. */
  #messageId(): string {
    if (this.#isIdTaken) return `msg_${this.#nextId()}`;
    this.#isIdTaken = true;
    return textOf(this.#message['id']);
  }
}
