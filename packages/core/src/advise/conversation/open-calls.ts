import type { CallStep, ResultStep } from './conversation-step.ts';

/** A call that waits for its result. */
export interface OpenCall {
  readonly call: CallStep;
  readonly round: number;
  readonly result: ResultStep | undefined;
}

/**
 * The calls without a result. A result finds its call by id; a call without an id is found by the name of its
 * tool, or is the one that has waited longest.
 */
export class OpenCalls<Call extends OpenCall> {
  readonly #byId = new Map<string, Queue<Call>>();
  readonly #nameless = new Queue<Call>();
  readonly #byTool = new Map<string, Queue<Call>>();

  add(call: Call): void {
    const { id, tool } = call.call;
    if (id === undefined) {
      this.#nameless.push(call);
      queueOf(this.#byTool, tool).push(call);
      return;
    }
    // Some servers count their ids anew in every answer: then the newest answer is meant.
    if (this.#byId.get(id)?.first?.round !== call.round) this.#byId.delete(id);
    queueOf(this.#byId, id).push(call);
  }

  /** The call that a result answers; undefined when it answers none. */
  take({ id, tool }: ResultStep): Call | undefined {
    const known = id === undefined ? undefined : this.#byId.get(id);
    if (known !== undefined) return known.shift();
    return tool === undefined ? this.#nameless.shift() : this.#byTool.get(tool)?.shift();
  }
}

/** First in, first out; a call that was taken from another queue is passed over. */
class Queue<Call extends OpenCall> {
  readonly #calls: Call[] = [];
  #head = 0;

  get first(): Call | undefined {
    while (this.#calls[this.#head]?.result !== undefined) this.#head++;
    return this.#calls[this.#head];
  }

  push(call: Call): void {
    this.#calls.push(call);
  }

  shift(): Call | undefined {
    const { first } = this;
    if (first !== undefined) this.#head++;
    return first;
  }
}

function queueOf<Call extends OpenCall>(
  queues: Map<string, Queue<Call>>,
  key: string,
): Queue<Call> {
  let queue = queues.get(key);
  if (queue === undefined) {
    queue = new Queue();
    queues.set(key, queue);
  }
  return queue;
}
