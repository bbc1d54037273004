import type { JsonObject, Repair, ToolDefinition } from '@holdfast/core';
import { checkToolCall } from '@holdfast/core/check';
import type { TurnCall } from './turn-event.ts';
import type { TurnNotes } from './turn-notes.ts';

/** A call as somebody read it. */
export interface ReadCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
  /** JSON text of `arguments` as it was written. */
  readonly argumentsText?: string;
  readonly format: string;
  readonly repairs: readonly Repair[];
}

/** Makes calls ready for a client: known name, fitting arguments, an index without gaps, an id of their own. */
export class CallDesk {
  readonly #tools: readonly ToolDefinition[];
  /** Names of all tools that are offered, without a schema or deferred too. */
  readonly #otherNames: () => readonly string[];
  /** All tools that are offered, by their names alone: made when the first native call arrives. */
  #offered: readonly ToolDefinition[] | undefined;
  readonly #nextId: () => string;
  readonly #notes: TurnNotes;
  readonly #ids = new Set<string>();
  #count = 0;

  constructor(
    tools: readonly ToolDefinition[],
    otherNames: () => readonly string[],
    nextId: () => string,
    notes: TurnNotes,
  ) {
    this.#tools = tools;
    this.#otherNames = otherNames;
    this.#nextId = nextId;
    this.#notes = notes;
  }

  /** The name of the offered tool that a native call names or can only mean; undefined if there is none. */
  offeredName(written: string): string | undefined {
    const checked = checkToolCall({ name: written, arguments: {} }, this.#allOffered());
    return checked.ok ? checked.call.name : undefined;
  }

  /** How many calls were made ready. */
  get count(): number {
    return this.#count;
  }

  ready(read: ReadCall): TurnCall {
    const { call, problem } = this.#fit(read);
    const { name, arguments: args, argumentsText, repairs } = call;
    this.#notes.formats.add(read.format);
    for (const repair of repairs) this.#notes.repairs.add(repair);
    const { index, id } = this.begin(read.id);
    const { format } = read;
    const json = argumentsText ?? JSON.stringify(args);
    const told = { index, id, name, arguments: args, json, format, repairs };
    return problem === undefined ? told : { ...told, problem };
  }

  /** The index and the id of the next call. */
  begin(wanted: string): { readonly index: number; readonly id: string } {
    const id = isUsable(wanted) && !this.#ids.has(wanted) ? wanted : this.#nextId();
    this.#ids.add(id);
    this.#notes.callCount++;
    return { index: this.#count++, id };
  }

  /**
   * A call that does not fit its schema is told all the same: whoever runs the tool refuses it in words that
   * go back to the model, which is more than it would learn from its own text.
   */
  #fit(read: ReadCall): { readonly call: ReadCall; readonly problem?: string } {
    if (this.#tools.length === 0) return { call: read };
    const checked = checkToolCall(read, this.#tools);
    if (checked.ok) return { call: checked.call };
    const [first] = checked.issues;
    // An offered tool without a schema has nothing to check.
    if (first?.code === 'unknown-tool') return { call: read };
    this.#notes.report(first?.code ?? 'invalid-arguments', checked.message);
    return { call: read, problem: checked.message };
  }

  #allOffered(): readonly ToolDefinition[] {
    if (this.#offered === undefined) {
      const names = [...this.#tools.map(({ name }) => name), ...this.#otherNames()];
      this.#offered = [...new Set(names)].map((name) => ({ name }));
    }
    return this.#offered;
  }
}

/** Some models number their calls from 0 in every turn; an id has to be good for the whole conversation. */
function isUsable(id: string): boolean {
  return id.length >= SHORTEST_ID && id.length <= LONGEST_ID && /^[\w-]+$/.test(id);
}

const SHORTEST_ID = 6;
const LONGEST_ID = 128;
