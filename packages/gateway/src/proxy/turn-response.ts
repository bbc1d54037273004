import { beginEventStream } from '../http/begin-event-stream.ts';
import { ClientGoneError } from '../http/client-gone-error.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import { jsonHeaders } from '../http/send-json.ts';
import type { StreamWriter } from '../http/stream-writer.ts';

/** What a stream says of itself only when it is over. */
const TRAILERS =
  'x-holdfast-format, x-holdfast-repairs, x-holdfast-calls, x-holdfast-usage, x-holdfast-asked-again';

/** Answers a request for a turn: as a stream, whole, or with an error while nothing was sent yet. */
export class TurnResponse {
  /** Set by every write, and taken back by whoever looks for pauses. */
  hasWritten = false;
  readonly #exchange: HttpExchange;
  #headers: Readonly<Record<string, string>> = {};
  #stream: StreamWriter | undefined;

  constructor(exchange: HttpExchange) {
    this.#exchange = exchange;
  }

  /** What the head says besides, as long as it was not sent. */
  addHeaders(headers: Readonly<Record<string, string>>): void {
    this.#headers = { ...this.#headers, ...headers };
  }

  /** Whether the head was sent: from then on an error can only be told in the stream. */
  get hasBegun(): boolean {
    return this.#exchange.response.headersSent;
  }

  isEnded(): boolean {
    return this.#exchange.response.writableEnded;
  }

  /** Whether nobody is there any more to be told anything. */
  get isGone(): boolean {
    return this.#exchange.signal.reason instanceof ClientGoneError;
  }

  /** Whether the stream waits for the client to read. */
  get isBlocked(): boolean {
    return this.#stream?.isBlocked === true;
  }

  /** Closes the connection without an end. */
  destroy(): void {
    this.#exchange.response.destroy();
  }

  /** Sends text of a stream. Resolves when the client has room for more, so that a slow one costs no memory. */
  async write(text: string): Promise<void> {
    if (text === '') return;
    this.hasWritten = true;
    await this.#begun().write(text);
  }

  /** Ends a stream. */
  async end(trailers: Readonly<Record<string, string>>): Promise<void> {
    await this.#begun().end('', trailers);
  }

  /** Sends a whole answer, which is JSON. */
  send(status: number, json: string, headers: Readonly<Record<string, string>> = {}): void {
    const body = Buffer.from(json);
    const all = jsonHeaders(body.length, { ...this.#headers, ...headers });
    this.#exchange.response.writeHead(status, all);
    this.#exchange.response.end(body);
  }

  #begun(): StreamWriter {
    this.#stream ??= beginEventStream(this.#exchange.response, {
      ...this.#headers,
      trailer: TRAILERS,
    });
    return this.#stream;
  }
}
