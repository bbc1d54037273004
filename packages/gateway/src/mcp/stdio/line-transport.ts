import type { Readable, Writable } from 'node:stream';
import type { Clock } from '@holdfast/core';
import { systemClock } from '@holdfast/core/guard';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Logger } from '../../log/logger.ts';
import { LineWriter } from './line-writer.ts';
import { MessageReader } from './message-reader.ts';

export interface LineTransportOptions {
  /** What the client writes. */
  readonly input: Readable;
  /** What the client reads. It is ended with the transport. */
  readonly output: Writable;
  readonly log: Logger;
  /** @defaultValue 10 MB */
  readonly maxLineBytes?: number;
  /** How many characters may wait for a client that does not read. @defaultValue 32 MB */
  readonly maxQueued?: number;
  readonly clock?: Clock;
}

/** Speaks MCP with a client over our standard input and output. It is over when either closes. */
export class LineTransport implements Transport {
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  onmessage: Transport['onmessage'];

  readonly #options: LineTransportOptions;
  readonly #reader: MessageReader;
  readonly #writer: LineWriter;
  readonly #onData = (chunk: Buffer): void => this.#reader.feed(chunk);
  readonly #onEnd = (): void => void this.close();
  #state: 'new' | 'open' | 'closed' = 'new';

  constructor(options: LineTransportOptions) {
    const { output, log, maxLineBytes = 10 * 1024 * 1024, clock = systemClock } = options;
    this.#options = options;
    this.#writer = new LineWriter(output, options.maxQueued ?? 32 * 1024 * 1024);
    this.#reader = new MessageReader({
      maxLineBytes,
      log,
      clock,
      onMessage: (message) => this.onmessage?.(message),
      onError: (error) => this.onerror?.(error),
      onTooLong: () => {
        this.onerror?.(new Error(`The client wrote a line longer than ${maxLineBytes} bytes`));
        void this.close();
      },
    });
  }

  async start(): Promise<void> {
    if (this.#state !== 'new') throw new Error('The transport was started already');
    this.#state = 'open';
    const { input, output } = this.#options;
    input.on('data', this.#onData);
    for (const event of ['end', 'close', 'error']) input.on(event, this.#onEnd);
    // A client that is gone shows here first. The listener stays: a write may fail after we have closed.
    output.on('error', this.#onEnd);
    if (input.readableEnded || input.destroyed) process.nextTick(this.#onEnd);
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#writer.send(message);
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    const { input } = this.#options;
    input.off('data', this.#onData);
    for (const event of ['end', 'close']) input.off(event, this.#onEnd);
    // So that an input that stays open does not keep the process alive.
    input.pause();
    this.#reader.end();
    // What was answered before is still sent; a client that only closed its own end may read it.
    this.#writer.end('The client has gone');
    this.onclose?.();
  }
}
