import type { Clock } from '@holdfast/core';
import { SilenceError } from './silence-error.ts';
import { SilenceWatch } from './silence-watch.ts';
import type { UpstreamAnswer, UpstreamClient, UpstreamRequest } from './upstream-client.ts';

type Chunk = IteratorResult<Uint8Array, undefined>;

/**
 * An answer of which the first bytes are there. Until then nothing was promised to the client, so that it may
 * still be asked for elsewhere; from then on silence between two chunks ends it.
 */
export class OpenAnswer implements AsyncIterableIterator<Uint8Array, undefined> {
  readonly statusCode: number;
  readonly headers: UpstreamAnswer['headers'];
  readonly #body: UpstreamAnswer['body'];
  readonly #chunks: AsyncIterator<Uint8Array, undefined>;
  readonly #watch: SilenceWatch;
  readonly #forget: () => void;
  #first: Chunk | undefined;

  private constructor(
    answer: UpstreamAnswer,
    chunks: AsyncIterator<Uint8Array, undefined>,
    first: Chunk,
    watch: SilenceWatch,
    forget: () => void,
  ) {
    this.statusCode = answer.statusCode;
    this.headers = answer.headers;
    this.#body = answer.body;
    this.#chunks = chunks;
    this.#first = first;
    this.#watch = watch;
    this.#forget = forget;
  }

  /** Asks, and waits for the first bytes. Rejects with a `SilenceError` where they take too long. */
  static async open(
    client: UpstreamClient,
    request: UpstreamRequest,
    clock: Clock,
  ): Promise<OpenAnswer> {
    const { firstByteTimeoutMs, idleTimeoutMs } = client.config;
    const { signal } = request;
    const controller = new AbortController();
    const abort = (): void => controller.abort(signal.reason);
    let hasBegun = false;
    const watch = new SilenceWatch(clock, () => {
      const waitedMs = hasBegun ? idleTimeoutMs : firstByteTimeoutMs;
      controller.abort(new SilenceError(hasBegun, waitedMs));
    });
    const forget = (): void => {
      watch.stop();
      signal.removeEventListener('abort', abort);
    };
    signal.throwIfAborted();
    signal.addEventListener('abort', abort);
    watch.start(firstByteTimeoutMs);
    try {
      const answer = await client.askWatched({ ...request, signal: controller.signal });
      const body = answer.body as AsyncIterable<Uint8Array, undefined>;
      const chunks = body[Symbol.asyncIterator]();
      const first = await chunks.next();
      hasBegun = true;
      watch.start(idleTimeoutMs);
      return new OpenAnswer(answer, chunks, first, watch, forget);
    } catch (error) {
      forget();
      throw error;
    }
  }

  get isStream(): boolean {
    return String(this.headers['content-type'] ?? '').includes('text/event-stream');
  }

  /** Whether it was over before a byte of it came. */
  get isEmpty(): boolean {
    return this.#first?.done === true;
  }

  /** The next bytes. */
  next(): Promise<Chunk> {
    const first = this.#first;
    if (first !== undefined) {
      this.#first = undefined;
      return Promise.resolve(first);
    }
    this.#watch.heard();
    return this.#chunks.next();
  }

  /** Nothing more is wanted of it. */
  return(): Promise<Chunk> {
    this.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  close(): void {
    this.#forget();
    this.#body.destroy();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
