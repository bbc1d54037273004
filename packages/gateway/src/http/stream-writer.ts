import type { ServerResponse } from 'node:http';
import { ClientGoneError } from './client-gone-error.ts';

/** Text that waits for the end of the tick is sent at once when there is this much of it. */
const FLUSH_AT_LENGTH = 8192;

const LONG_TEXT_LENGTH = 4096;

const DONE: Promise<void> = Promise.resolve();

/**
 * Writes a streamed answer at the pace of its reader. What is written in one tick is sent as one chunk: an
 * upstream's packet often holds many events, and a chunk each would cost more than all the rest.
 */
export class StreamWriter {
  readonly #response: ServerResponse;
  #pending = '';
  #isScheduled = false;
  #isGone = false;
  #isBegun = false;
  /** All of it was handed to the system. `writableFinished` says so too of what was dropped on a dead connection. */
  #isSent = false;
  /** Set while the client has not kept up. */
  #drained: Deferred | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
    this.#isGone = response.destroyed;
    response.on('drain', () => this.#settle(undefined));
    response.on('finish', () => (this.#isSent = true));
    response.on('close', () => {
      if (this.#isSent) return;
      this.#isGone = true;
      this.#pending = '';
      this.#settle(new ClientGoneError());
    });
  }

  /**
   * Sends `text`. Wait for it before writing more, then a slow client costs no memory. Rejects with a
   * `ClientGoneError` once the client has gone; a rejection that nobody waits for does no harm.
   */
  write(text: string): Promise<void> {
    if (this.#isGone) return gone();
    this.#pending += text;
    if (this.#pending.length >= FLUSH_AT_LENGTH) this.#flush();
    else this.#schedule();
    return this.#drained === undefined ? DONE : this.#drained.promise;
  }

  /** Whether it waits for the client to read. */
  get isBlocked(): boolean {
    return this.#drained !== undefined || (this.#response.writableEnded && !this.#isSent);
  }

  /** Sends the headers now, if no text follows in this tick. */
  begin(): void {
    this.#schedule();
  }

  /**
   * Sends what is left and ends the answer. Resolves when all of it was handed to the system. The names of
   * `trailers` have to be in the header `trailer`.
   */
  end(text = '', trailers: Readonly<Record<string, string>> = {}): Promise<void> {
    if (this.#isGone) return gone();
    const response = this.#response;
    if (this.#isSent) return DONE;
    const ended = deferred();
    response.once('finish', ended.resolve);
    response.once('close', () => {
      // An error costs its stack, which every answer that ended well would pay for.
      if (!this.#isSent) ended.reject(new ClientGoneError());
    });
    if (!response.writableEnded) {
      response.addTrailers(trailers);
      response.end(this.#pending + text);
    }
    this.#pending = '';
    return ended.promise;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    process.nextTick(() => this.#flush());
  }

  #flush(): void {
    this.#isScheduled = false;
    const response = this.#response;
    if (this.#isGone || response.writableEnded) return;
    if (this.#pending === '') {
      if (!this.#isBegun) response.flushHeaders();
      this.#isBegun = true;
      return;
    }
    this.#isBegun = true;
    const text = this.#pending;
    this.#pending = '';
    // Where a client does not read, Node keeps three bytes for each character of a string.
    const isLong = text.length >= LONG_TEXT_LENGTH;
    if (!response.write(isLong ? Buffer.from(text) : text)) this.#drained ??= deferred();
  }

  #settle(error: Error | undefined): void {
    const drained = this.#drained;
    this.#drained = undefined;
    if (error === undefined) drained?.resolve();
    else drained?.reject(error);
  }
}

interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** `Promise.withResolvers`, which Node 20 does not have. Its rejection needs no listener. */
function deferred(): Deferred {
  let settle: Omit<Deferred, 'promise'> | undefined;
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  promise.catch(() => undefined);
  if (settle === undefined) throw new Error('a promise runs its executor at once');
  return { promise, ...settle };
}

function gone(): Promise<void> {
  const { promise, reject } = deferred();
  reject(new ClientGoneError());
  return promise;
}
