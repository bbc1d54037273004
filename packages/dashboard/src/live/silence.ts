/** The gateway says something at least every fifteen seconds. */
const LONGEST_MS = 40_000;

/** Gives up a connection that has gone quiet: one that a sleeping laptop or a router dropped never says so. */
export class Silence {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal;
  readonly #longestMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(outer: AbortSignal, longestMs = LONGEST_MS) {
    this.#outer = outer;
    this.#longestMs = longestMs;
    outer.addEventListener('abort', this.#abort);
    if (outer.aborted) this.#abort();
    this.broken();
  }

  /** Aborts with the outer signal, or when nothing came for too long. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  broken(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#abort, this.#longestMs);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener('abort', this.#abort);
  }

  readonly #abort = (): void => this.#controller.abort();
}
