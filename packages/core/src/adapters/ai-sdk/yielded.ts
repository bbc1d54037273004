/** What a tool yields while it runs, for whoever waits for it. */
export class Yielded {
  readonly #values: unknown[] = [];
  readonly #stopped = new AbortController();
  #wake: (() => void) | undefined;
  #isClosed = false;

  /** A signal that is aborted with another, and when nobody waits any more. */
  signalWith(signal: AbortSignal | undefined): AbortSignal {
    const { signal: stopped } = this.#stopped;
    return signal === undefined ? stopped : AbortSignal.any([signal, stopped]);
  }

  /** Takes what is yielded. Resolves to the last of it. */
  async follow(source: unknown): Promise<unknown> {
    if (!isAsyncIterable(source)) return source;
    let last: unknown;
    for await (const value of source) {
      // Whoever waited was told that the call is over.
      if (this.#isClosed) break;
      last = value;
      this.#values.push(value);
      this.#wake?.();
    }
    return last;
  }

  async *values(): AsyncGenerator {
    for (;;) {
      while (this.#values.length > 0) yield this.#values.shift();
      if (this.#isClosed) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Nothing more comes. */
  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  /** Nobody waits any more. */
  stop(): void {
    this.close();
    this.#stopped.abort();
  }
}

export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

export async function lastOf(values: AsyncIterable<unknown>): Promise<unknown> {
  let last: unknown;
  for await (const value of values) last = value;
  return last;
}
