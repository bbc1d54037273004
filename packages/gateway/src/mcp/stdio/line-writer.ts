import type { Writable } from 'node:stream';
import { writeExactJson } from '@holdfast/core/check';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { NotSentError } from '../call/not-sent-error.ts';

/** A write of up to this size goes into a pipe whole or not at all. */
const ONE_PIECE = 4096;

/** Lines that go out with one write, and those who wait for it. */
interface Batch {
  text: string;
  readonly sent: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Writes messages as lines. What comes in one round of the event loop, or while a write is under way, goes out with the next
 * one: a write to a pipe costs far more than the message. Nothing is handed to the stream before the write
 * before it is done, so that what was not sent is known exactly.
 */
export class LineWriter {
  readonly #stream: Writable;
  readonly #maxQueued: number;
  #next: Batch | undefined;
  #isWriting = false;
  #closed: string | undefined;

  /** `maxQueued` is how many characters may wait for a reader that is slow. */
  constructor(stream: Writable, maxQueued: number) {
    this.#stream = stream;
    this.#maxQueued = maxQueued;
  }

  /** Resolves when the message is with the system, rejects with a `NotSentError` where it cannot be. */
  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed !== undefined) return Promise.reject(new NotSentError(this.#closed));
    let line: string;
    try {
      line = `${writeExactJson(message)}\n`;
    } catch (error) {
      return Promise.reject(
        new NotSentError('The message cannot be written as JSON', { cause: error }),
      );
    }
    const batch = this.#next;
    if (batch === undefined) {
      const begun = beginBatch(line);
      this.#next = begun;
      if (!this.#isWriting) setImmediate(() => this.#flush());
      return begun.sent;
    }
    if (batch.text.length + line.length > this.#maxQueued) {
      const waiting = Math.round(batch.text.length / 1024);
      return Promise.reject(
        new NotSentError(
          `Nobody reads what is sent: ${waiting} KB wait already, the limit is ${Math.round(this.#maxQueued / 1024)} KB`,
        ),
      );
    }
    batch.text += line;
    return batch.sent;
  }

  /** Nothing more is sent; what waits fails with this reason. */
  close(reason: string): void {
    this.#closed ??= reason;
    const batch = this.#next;
    this.#next = undefined;
    batch?.reject(new NotSentError(this.#closed));
  }

  /** Sends what waits, then ends the stream. */
  end(reason: string): void {
    if (this.#closed !== undefined) return;
    this.#closed = reason;
    if (this.#isWriting || this.#next !== undefined) return;
    this.#stream.end();
  }

  #flush(): void {
    const batch = this.#next;
    this.#next = undefined;
    if (batch === undefined) {
      // Both `end` and `close` may have come while a write was under way.
      if (this.#closed !== undefined) this.#stream.end();
      return;
    }
    if (!this.#stream.writable) {
      batch.reject(new NotSentError(this.#closed ?? 'The other side no longer reads'));
      return;
    }
    this.#isWriting = true;
    this.#stream.write(batch.text, (error) => {
      this.#isWriting = false;
      if (error) batch.reject(writeError(error, batch.text));
      else batch.resolve();
      if (this.#next !== undefined || this.#closed !== undefined) this.#flush();
    });
  }
}

function beginBatch(text: string): Batch {
  const { promise, resolve, reject } = deferred();
  // A message that nobody waits for may fail in silence: that the connection is gone is told by other means.
  promise.catch(() => undefined);
  return { text, sent: promise, resolve, reject };
}

function deferred(): {
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: Error) => void;
} {
  let resolve: () => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<void>((onDone, onError) => {
    resolve = onDone;
    reject = onError;
  });
  return { promise, resolve, reject };
}

function writeError(cause: Error, text: string): Error {
  const message = `The other side no longer reads: ${cause.message}`;
  return Buffer.byteLength(text) <= ONE_PIECE ? new NotSentError(message, { cause }) : cause;
}
