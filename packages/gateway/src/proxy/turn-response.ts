import { ClientGoneError } from '../http/client-gone-error.ts';
import type { HttpExchange } from '../http/http-exchange.ts';

/** What a stream says of itself only when it is over. */
const TRAILERS = 'x-holdfast-format, x-holdfast-repairs, x-holdfast-calls';

/** Answers a request for a turn: as a stream, whole, or with an error while nothing was sent yet. */
export class TurnResponse {
  readonly #exchange: HttpExchange;
  readonly #headers: Record<string, string>;
  /** Set by every write, and taken back by whoever looks for pauses. */
  hasWritten = false;

  constructor(exchange: HttpExchange, headers: Readonly<Record<string, string>>) {
    this.#exchange = exchange;
    this.#headers = { ...headers };
  }

  /** Whether the head was sent: from then on an error can only be told in the stream. */
  get hasBegun(): boolean {
    return this.#exchange.response.headersSent;
  }

  /** Whether nobody is there any more to be told anything. */
  get isGone(): boolean {
    return this.#exchange.signal.reason instanceof ClientGoneError;
  }

  /** Sends text of a stream. Resolves when the client has room for more, so that a slow one costs no memory. */
  async write(text: string): Promise<void> {
    if (text === '') return;
    if (this.isGone) return;
    const { response } = this.#exchange;
    if (!response.headersSent) {
      response.writeHead(200, {
        ...this.#headers,
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
        trailer: TRAILERS,
      });
    }
    this.hasWritten = true;
    if (!response.write(text)) await drained(this.#exchange);
  }

  /** Ends a stream. */
  end(trailers: Readonly<Record<string, string>>): void {
    if (this.isGone) return;
    const { response } = this.#exchange;
    response.addTrailers(trailers);
    response.end();
  }

  /** Sends a whole answer, which is JSON. */
  send(status: number, text: string, headers: Readonly<Record<string, string>> = {}): void {
    if (this.isGone) return;
    const { response } = this.#exchange;
    response.writeHead(status, {
      ...this.#headers,
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  }
}

async function drained({ response, signal }: HttpExchange): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    response.on('drain', done);
    signal.addEventListener('abort', done);
  });
}
