import type { Clock } from '@holdfast/core';
import { readPieces } from './read-pieces.ts';
import { SilenceError } from './silence-error.ts';
import { SilenceWatch } from './silence-watch.ts';
import type { UpstreamAnswer, UpstreamClient, UpstreamRequest } from './upstream-client.ts';

type Chunk = IteratorResult<Uint8Array, undefined>;

/**
 * An answer of which the first bytes are there. Until then nothing was promised to the client, so that it may
 * still be asked for elsewhere. Without content for too long it ends, whatever else comes.
 */
export class OpenAnswer implements AsyncIterableIterator<Uint8Array, undefined> {
  readonly statusCode: number;
  readonly headers: UpstreamAnswer['headers'];
  readonly #body: UpstreamAnswer['body'];
  readonly #chunks: AsyncIterator<Uint8Array, undefined>;
  readonly #watch: SilenceWatch;
  readonly #idleTimeoutMs: number;
  readonly #forget: () => void;
  #first: Chunk | undefined;

  private constructor(
    answer: UpstreamAnswer,
    chunks: AsyncIterator<Uint8Array, undefined>,
    first: Chunk,
    watch: SilenceWatch,
    idleTimeoutMs: number,
    forget: () => void,
  ) {
    this.statusCode = answer.statusCode;
    this.headers = answer.headers;
    this.#body = answer.body;
    this.#chunks = chunks;
    this.#first = first;
    this.#watch = watch;
    this.#idleTimeoutMs = idleTimeoutMs;
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
    signal.throwIfAborted();
    const watch = new SilenceWatch(clock, firstByteTimeoutMs, () =>
      controller.abort(new SilenceError(watch.hasHeard, watch.limitMs)),
    );
    const forget = (): void => {
      watch.stop();
      signal.removeEventListener('abort', abort);
    };
    signal.addEventListener('abort', abort);
    try {
      const answer = await client.askWatched({ ...request, signal: controller.signal });
      const chunks = readPieces(answer.body);
      const first = await chunks.next();
      return new OpenAnswer(answer, chunks, first, watch, idleTimeoutMs, forget);
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
  async next(): Promise<Chunk> {
    const first = this.#first;
    this.#first = undefined;
    if (first === undefined) this.#watch.resume();
    const chunk = first ?? (await this.#chunks.next());
    this.#watch.pause();
    // What is no stream has no keep-alives but blanks before it.
    if (chunk.value !== undefined && !this.isStream && !isBlank(chunk.value)) this.heard();
    return chunk;
  }

  /** There was content in what came. */
  heard(): void {
    this.#watch.heard(this.#idleTimeoutMs);
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

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}
