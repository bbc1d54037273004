import type { JsonObject, ToolDefinition } from '@holdfast/core';

/** How many turns a client may take, so that a model that calls for ever does not run for ever. */
export const MAX_TURNS = 4;

/** What a client is asked to do: one conversation, with tools. */
export interface Job {
  /** Of the server, without a path. */
  readonly url: string;
  readonly model: string;
  readonly tools: readonly ToolDefinition[];
}

/** What a client saw of a conversation. */
export interface Seen {
  readonly turns: readonly { readonly text: string; readonly finish: string }[];
  /** The tools that ran, with what they were given. */
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[];
  /** The names of the class of the error it ended with, and of all it extends. */
  readonly error?: readonly string[];
}

/** Collects what a client sees. */
export class Conversation {
  readonly #turns: { readonly text: string; readonly finish: string }[] = [];
  readonly #calls: { readonly name: string; readonly arguments: JsonObject }[] = [];
  #error: unknown;

  turn(text: string | null | undefined, finish: string | null | undefined): void {
    this.#turns.push({ text: text ?? '', finish: finish ?? '' });
  }

  /** Runs a tool: what it gives names the tool and how many ran before, so that the model can be seen to get it. */
  runTool(name: string, input: unknown): string {
    this.#calls.push({ name, arguments: input as JsonObject });
    return `result ${this.#calls.length} of ${name}`;
  }

  /** The first error is the cause; clients tell of others that follow from it. */
  fail(error: unknown): void {
    this.#error ??= error;
  }

  get seen(): Seen {
    const seen = { turns: this.#turns, calls: this.#calls };
    return this.#error === undefined ? seen : { ...seen, error: classesOf(this.#error) };
  }
}

function classesOf(error: unknown): readonly string[] {
  const names: string[] = [];
  for (let at = error; at instanceof Error; at = Object.getPrototypeOf(at) as unknown) {
    const { constructor } = at;
    if (!names.includes(constructor.name)) names.push(constructor.name);
  }
  // Some SDKs throw what the server said, as it said it.
  return names.length === 0 ? ['said by the server'] : names;
}
