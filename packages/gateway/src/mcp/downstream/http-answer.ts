import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Clock } from '@holdfast/core';
import { writeExactJson } from '@holdfast/core/check';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { beginEventStream, eventStreamHeaders } from '../../http/begin-event-stream.ts';
import { sendJsonText } from '../../http/send-json.ts';
import type { StreamWriter } from '../../http/stream-writer.ts';

export interface HttpAnswerOptions {
  readonly headers?: OutgoingHttpHeaders;
  /** What comes first in a stream of events. */
  readonly onOpen?: () => string;
  readonly clock: Clock;
}

/** A client that waits longer hears that it was let in: what is silent may be cut off on the way. */
const OPEN_AFTER_MS = 1000;
const KEEP_ALIVE_MS = 15_000;

/**
 * What a request is answered with: plain JSON where the result is the first thing to be told, as that costs both
 * sides the least, and else a stream of events.
 */
export class HttpAnswer {
  /** Resolves when all is sent, or the client has gone. */
  readonly closed: Promise<void>;
  readonly #response: ServerResponse;
  readonly #options: HttpAnswerOptions;
  #stream: StreamWriter | undefined;
  #isBegun = false;
  #cancelTimer: (() => void) | undefined;

  constructor(response: ServerResponse, options: HttpAnswerOptions) {
    this.#response = response;
    this.#options = options;
    this.#cancelTimer = options.clock.setTimer(() => this.open(), OPEN_AFTER_MS, true);
    this.closed = new Promise((resolve) => {
      response.once('close', () => {
        this.#cancelTimer?.();
        resolve();
      });
    });
  }

  get isOpen(): boolean {
    return this.#stream !== undefined;
  }

  /** What comes first in a stream of events, once: whoever asks for it has to send it. */
  beginning(): string {
    if (this.#isBegun) return '';
    this.#isBegun = true;
    return this.#options.onOpen?.() ?? '';
  }

  /** From now on it is a stream of events. */
  open(): StreamWriter {
    if (this.#stream !== undefined) return this.#stream;
    this.#stream = beginEventStream(this.#response, this.#options.headers);
    const beginning = this.beginning();
    if (beginning !== '') void this.#stream.write(beginning);
    this.#keepAlive();
    return this.#stream;
  }

  tell(message: JSONRPCMessage): Promise<void> {
    return this.open().write(eventOf(writeExactJson(message)));
  }

  /** Sends the result, which is the last there is. */
  finish(message: JSONRPCMessage, status = 200): void {
    if (this.#stream !== undefined) {
      this.end(eventOf(writeExactJson(message)));
      return;
    }
    this.#cancelTimer?.();
    sendJsonText(this.#response, status, writeExactJson(message), this.#options.headers);
  }

  /** Ends the stream of events with these, which may be all there are. */
  end(events = ''): void {
    this.#cancelTimer?.();
    if (this.#stream !== undefined) {
      this.#stream.end(events).catch(() => undefined);
      return;
    }
    const body = this.beginning() + events;
    const headers = { ...this.#options.headers, 'content-length': Buffer.byteLength(body) };
    this.#response.writeHead(200, eventStreamHeaders(headers)).end(body);
  }

  #keepAlive(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = this.#options.clock.setTimer(
      () => {
        void this.#stream?.write(': still here\n\n');
        this.#keepAlive();
      },
      KEEP_ALIVE_MS,
      true,
    );
  }
}

/** A message as an event; with an id a client can ask for what came after it. */
export function eventOf(json: string, id?: string): string {
  return id === undefined
    ? `event: message\ndata: ${json}\n\n`
    : `event: message\nid: ${id}\ndata: ${json}\n\n`;
}
