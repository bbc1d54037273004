import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Clock } from '@holdfast/core';
import { safeLine } from '../../cli/safe-text.ts';
import type { Logger } from '../../log/logger.ts';
import { LineQuota } from './line-quota.ts';
import { LineSplitter } from './line-splitter.ts';
import { readMessage } from './read-message.ts';

export interface MessageReaderOptions {
  readonly maxLineBytes: number;
  readonly log: Logger;
  readonly clock: Clock;
  readonly onMessage: (message: JSONRPCMessage) => void;
  /** A handler of messages threw. */
  readonly onError: (error: Error) => void;
  /** There are more lines that are no messages than the log takes. */
  readonly onStray?: () => void;
  /** A line has grown past the limit. Nothing is read after it. */
  readonly onTooLong: () => void;
}

/** How much of the other side's output gets into our log, in lines. */
export const LOG_LINES_PER_SECOND = 50;
const STRAY_CHARACTERS = 500;

/** Reads messages from a stream of bytes. Lines that are no messages go to the log and change nothing. */
export class MessageReader {
  readonly #options: MessageReaderOptions;
  readonly #splitter: LineSplitter;
  readonly #strays: LineQuota;

  constructor(options: MessageReaderOptions) {
    const { maxLineBytes, log, clock, onTooLong } = options;
    this.#options = options;
    this.#strays = new LineQuota({
      perSecond: LOG_LINES_PER_SECOND,
      clock,
      onDropped: (lines) => log.warn({ lines }, 'more lines that are no messages'),
    });
    this.#splitter = new LineSplitter(maxLineBytes, {
      line: (text) => this.#read(text),
      tooLong: onTooLong,
    });
  }

  feed(chunk: Buffer): void {
    this.#splitter.feed(chunk);
  }

  /** There is nothing more to come, or nothing more is wanted. */
  end(): void {
    const bytes = this.#splitter.end();
    if (bytes > 0) this.#options.log.warn({ bytes }, 'the output ended within a line');
    this.#strays.tell();
  }

  #read(line: string): void {
    if (line === '' || line === '\r') return;
    const read = readMessage(line, this.#options.maxLineBytes);
    if (read.problem !== undefined) {
      this.#onStray(line, read.problem);
      return;
    }
    try {
      this.#options.onMessage(read.message);
    } catch (error) {
      this.#options.onError(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #onStray(line: string, problem: string): void {
    if (!this.#strays.admit()) {
      this.#options.onStray?.();
      return;
    }
    const start = safeLine(line.slice(0, STRAY_CHARACTERS));
    this.#options.log.warn({ line: start }, `a line that is no message: ${problem}`);
  }
}
