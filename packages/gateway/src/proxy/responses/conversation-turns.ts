import type { JsonObject, JsonValue } from '@holdfast/core';
import { writeExactJson } from '@holdfast/core/check';
import { objectOf, listOf, textOf } from '../json/json-fields.ts';
import { callIdOf } from './as-function-item.ts';
import { BETWEEN, chatPartsOf, textOfParts } from './response-content.ts';

/** What somebody other than the model said. */
export interface SaidTurn {
  readonly role: string;
  readonly parts: readonly JsonObject[];
}

/** A call of the model's, with all that came back for it. */
export interface AskedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** Parts of Chat messages; undefined while nothing came back. */
  result: readonly JsonObject[] | undefined;
}

/** What the model said, thought and asked for in one go. */
export interface ModelTurn {
  readonly role: 'assistant';
  readonly texts: string[];
  readonly thoughts: string[];
  readonly calls: AskedCall[];
}

export type Turn = SaidTurn | ModelTurn;

/** Whether a turn is the model's. */
export function isModelTurn(turn: Turn): turn is ModelTurn {
  return 'calls' in turn;
}

/**
 * Puts the items of a conversation together to turns. Calls in a row, and what was said and thought with them, are
 * one turn; a result is held by its call, wherever it stands. One without a call is told as what the user says, as
 * servers refuse it otherwise.
 */
export class ConversationTurns {
  readonly turns: Turn[] = [];
  /** The turn that items of the model are added to. */
  #open: ModelTurn | undefined;
  /** Calls that wait for their result, the newest turn last: servers use ids again in later turns. */
  readonly #waiting = new Map<
    string,
    { readonly turn: ModelTurn; readonly calls: AskedCall[] }[]
  >();
  readonly #answered = new Map<string, AskedCall>();

  /** Adds an item; false for one of a type that is not known. */
  add(item: JsonObject): boolean {
    switch (item['type'] ?? 'message') {
      case 'message':
        this.#addMessage(textOf(item['role']), chatPartsOf(item['content']));
        return true;
      case 'reasoning':
        this.#model().thoughts.push(thoughtOf(item));
        return true;
      case 'function_call':
        this.#addCall(item);
        return true;
      case 'function_call_output':
        this.#addResult(callIdOf(item), resultParts(item['output']));
        return true;
      default:
        return false;
    }
  }

  #addMessage(role: string, parts: readonly JsonObject[]): void {
    if (role === 'assistant') {
      this.#model().texts.push(textOfParts(parts, ''));
      return;
    }
    // What says nothing is no turn, and does not end one.
    if (parts.length === 0) return;
    this.#open = undefined;
    this.turns.push({ role, parts });
  }

  #model(): ModelTurn {
    if (this.#open !== undefined) return this.#open;
    const turn: ModelTurn = { role: 'assistant', texts: [], thoughts: [], calls: [] };
    this.turns.push(turn);
    this.#open = turn;
    return turn;
  }

  #addCall(item: JsonObject): void {
    const turn = this.#model();
    const id = callIdOf(item);
    const { name, arguments: args } = item;
    const json = typeof args === 'string' ? args : writeExactJson(args ?? {});
    const call: AskedCall = { id, name: textOf(name), arguments: json, result: undefined };
    turn.calls.push(call);
    const waiting = this.#waiting.get(id) ?? [];
    this.#waiting.set(id, waiting);
    const newest = waiting.at(-1);
    if (newest?.turn === turn) newest.calls.push(call);
    else waiting.push({ turn, calls: [call] });
  }

  #addResult(id: string, parts: readonly JsonObject[]): void {
    if (this.#open !== undefined && this.#open.calls.length > 0) this.#open = undefined;
    const call = this.#takeWaiting(id);
    if (call !== undefined) {
      call.result = parts;
      this.#answered.set(id, call);
      return;
    }
    const earlier = this.#answered.get(id);
    if (earlier === undefined) this.#addMessage('user', [withoutCall(id), ...parts]);
    else earlier.result = [...(earlier.result ?? []), ...parts];
  }

  #takeWaiting(id: string): AskedCall | undefined {
    const waiting = this.#waiting.get(id);
    const newest = waiting?.at(-1);
    const call = newest?.calls.shift();
    if (newest?.calls.length === 0) waiting?.pop();
    return call;
  }
}

function withoutCall(id: string): JsonObject {
  const which = id === '' ? '' : ` (${id})`;
  return { type: 'text', text: `What a tool returned for a call that is not shown here${which}:` };
}

/** What was thought, in full where it is told in full. */
function thoughtOf({ content, summary }: JsonObject): string {
  return textsOf(content) || textsOf(summary);
}

function textsOf(parts: JsonValue | undefined): string {
  return listOf(parts)
    .map((part) => textOf(objectOf(part)['text']))
    .filter((text) => text !== '')
    .join(BETWEEN);
}

/** Results are texts or parts; some clients send JSON as it is. */
function resultParts(output: JsonValue | undefined): readonly JsonObject[] {
  if (output === undefined || output === null) return [];
  if (typeof output === 'string' || Array.isArray(output)) return chatPartsOf(output);
  return [{ type: 'text', text: writeExactJson(output) }];
}
