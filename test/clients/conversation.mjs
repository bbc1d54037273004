/** How many turns a client may take, so that an upstream that calls for ever does not run for ever. */
export const MAX_TURNS = 4;

/** What a client saw: the turns it was told of, the tools it ran, and the error it ended with. */
export class Conversation {
  #turns = [];
  #calls = [];
  #error;

  turn(text, finish, reasoning) {
    this.#turns.push({ text: text ?? '', finish, ...(reasoning ? { reasoning } : {}) });
  }

  /** Runs a tool: what it gives names the tool and how many ran before, so that the model can be seen to get it. */
  runTool(name, input) {
    this.#calls.push({ name, arguments: input });
    return `result ${this.#calls.length} of ${name}`;
  }

  /** The first error is the cause; clients tell of others that follow from it. */
  fail(error) {
    this.#error ??= {
      classes: classesOf(error),
      status: error?.status ?? error?.statusCode,
      message: String(error?.message ?? error),
    };
  }

  outcome() {
    return { turns: this.#turns, calls: this.#calls, error: this.#error };
  }
}

/** The names of the class of an error and of all it extends: what a program can catch it by. */
function classesOf(error) {
  const names = [];
  for (let at = error; at instanceof Error; at = Object.getPrototypeOf(at)) {
    const name = Object.getPrototypeOf(at)?.constructor?.name;
    if (name !== undefined && name !== 'Object' && !names.includes(name)) names.push(name);
  }
  return names.length === 0 ? [typeof error] : names;
}
