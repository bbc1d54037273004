import { writeExactJson } from '@holdfast/core/check';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCRequest,
} from '@modelcontextprotocol/client';
import { boundedFetch } from './bounded-fetch.ts';
import { ReadPace } from '../stdio/read-pace.ts';

type SendOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

/** What a request is answered with whose stream ended without an answer. Outside of the codes of the protocol. */
export const STREAM_ENDED = -33_001;
/** What a request is answered with whose answer is too long; `data` has the limit. */
export const TOO_LONG = -33_002;

/** Tells the `fetch` of a transport which request it is for; it is taken off before anything is sent. */
const REQUEST = 'x-holdfast-request';

export interface HttpTransportOptions {
  readonly requestInit?: RequestInit;
  /** Of one message. */
  readonly maxBytes: number;
}

/**
 * Streamable HTTP that notices when the stream of a request ends before its answer came, and when the answer is too
 * long. The SDK leaves such a request waiting until its time is up, which for a tool may be minutes.
 */
export class HttpTransport extends StreamableHTTPClientTransport {
  /** Requests that have no answer yet, by their ids as text. */
  readonly #open: Map<string, JSONRPCRequest>;
  readonly #pace: ReadPace;
  #watched: HttpTransport['onmessage'];

  constructor(url: URL, { requestInit, maxBytes }: HttpTransportOptions) {
    const open = new Map<string, JSONRPCRequest>();
    const pace = new ReadPace();
    const ask = boundedFetch({
      maxBytes,
      pace,
      onTooLong: (asked) => {
        const id = new Headers(asked?.headers).get(REQUEST);
        if (id === null) return;
        const message = 'the answer is longer than a message may be';
        this.#fail(id, { code: TOO_LONG, message, data: maxBytes });
      },
      fetch: (address, init) => fetch(address, asWritten(init, open)),
    });
    super(url, { fetch: ask, ...(requestInit && { requestInit }) });
    this.#open = open;
    this.#pace = pace;
  }

  slowDown(): void {
    this.#pace.slowDown();
  }

  override async send(message: JSONRPCMessage, options?: SendOptions): Promise<void> {
    if (!('method' in message && 'id' in message)) return super.send(message, options);
    const id = String(message.id);
    this.#watchAnswers();
    this.#open.set(id, message);
    try {
      await super.send(message, {
        ...options,
        headers: { ...options?.headers, [REQUEST]: id },
        onRequestStreamEnd: () => {
          options?.onRequestStreamEnd?.();
          this.#fail(id, {
            code: STREAM_ENDED,
            message: 'the stream ended before the answer came',
          });
        },
      });
    } catch (error) {
      this.#open.delete(id);
      throw error;
    }
  }

  /** Answers a request in place of the server, unless it has an answer. */
  #fail(id: string, error: JSONRPCErrorResponse['error']): void {
    const given = this.#open.get(id);
    if (given === undefined) return;
    this.#open.delete(id);
    this.onmessage?.({ jsonrpc: '2.0', id: given.id, error });
  }

  /** Whoever listens has changed by the time of the first request: first the probe listens, then the client. */
  #watchAnswers(): void {
    const deliver = this.onmessage;
    if (deliver === undefined || deliver === this.#watched) return;
    this.#watched = (message, ...more) => {
      if ('id' in message && !('method' in message)) this.#open.delete(String(message.id));
      deliver(message, ...more);
    };
    this.onmessage = this.#watched;
  }
}

/** Without our mark, and with the digits of long numbers, which the SDK rounds when it writes the request. */
function asWritten(
  init: RequestInit | undefined,
  open: ReadonlyMap<string, JSONRPCRequest>,
): RequestInit | undefined {
  if (init?.headers === undefined) return init;
  const headers = new Headers(init.headers);
  const isPost = init.method === 'POST';
  const request = isPost ? open.get(headers.get(REQUEST) ?? '') : undefined;
  headers.delete(REQUEST);
  return { ...init, headers, ...(request !== undefined && { body: writeExactJson(request) }) };
}
