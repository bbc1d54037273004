import { checkToolCall } from '../../check/check-tool-call.ts';
import { ToolNames } from '../../internal/tool-names.ts';
import { argumentsJson } from '../../parse/arguments-text.ts';
import type { JsonObject, Repair, ToolDefinition } from '../../types.ts';
import type { AnswerCall } from './answer-call.ts';

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

/** Makes calls ready for a client: a name that is known, arguments that fit, an id of their own. */
export class CallDesk {
  readonly #tools: readonly ToolDefinition[];
  readonly #names: ToolNames;
  readonly #nextId: () => string;
  readonly #ids = new Set<string>();

  constructor(tools: readonly ToolDefinition[], nextId: () => string) {
    this.#tools = tools;
    this.#names = new ToolNames(tools.map(({ name }) => name));
    this.#nextId = nextId;
  }

  /** The tool that a name is or can only mean; the name itself where there is none. */
  nameOf(written: string): string {
    return this.#names.resolve(written.trim()) ?? written.trim();
  }

  /**
   * A call that does not fit its schema is told all the same: whoever runs the tool refuses it in words that
   * go back to the model, which is more than it would learn from its own text.
   */
  ready(read: ReadCall): AnswerCall {
    const checked = checkToolCall(read, this.#tools);
    const call = checked.ok ? checked.call : read;
    const ready = {
      id: this.#idFor(read.id),
      name: this.nameOf(call.name),
      arguments: call.arguments,
      json: argumentsJson(call),
      format: read.format,
      repairs: call.repairs,
    };
    return checked.ok ? ready : { ...ready, problem: checked.message };
  }

  #idFor(wanted: string): string {
    const id = isUsable(wanted) && !this.#ids.has(wanted) ? wanted : this.#nextId();
    this.#ids.add(id);
    return id;
  }
}

/** Some models number their calls from 0 in every turn; an id has to be good for the whole conversation. */
function isUsable(id: string): boolean {
  return id.length >= SHORTEST_ID && id.length <= LONGEST_ID && /^[\w-]+$/.test(id);
}

const SHORTEST_ID = 6;
const LONGEST_ID = 128;
