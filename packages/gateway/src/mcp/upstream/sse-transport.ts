import { SSEClientTransport } from '@modelcontextprotocol/client';
import { boundedFetch } from './bounded-fetch.ts';
import { ReadPace } from '../stdio/read-pace.ts';
import { messageLimit } from './message-too-long-error.ts';
import type { HttpTransportOptions } from './http-transport.ts';

/**
 * The older HTTP transport, which is over when its stream has ended. The SDK opens another stream by itself, to a
 * session that nobody has shaken hands with: the server then refuses whatever it is asked, for ever.
 */
export class SseTransport extends SSEClientTransport {
  /** Why it is over, where we are the ones who ended it. */
  #ending: string | undefined;
  readonly #pace: ReadPace;

  constructor(url: URL, { requestInit, maxBytes }: HttpTransportOptions) {
    let isOpened = false;
    const pace = new ReadPace();
    super(url, {
      ...(requestInit && { requestInit }),
      fetch: boundedFetch({
        maxBytes,
        pace,
        onTooLong: () => (this.#ending = `sent a message longer than ${messageLimit(maxBytes)}`),
        fetch: async (address, init) => {
          const isStream = (init?.method ?? 'GET') === 'GET';
          if (isStream && isOpened) {
            await this.close();
            throw new Error('the stream ended');
          }
          isOpened ||= isStream;
          return fetch(address, init);
        },
      }),
    });
    this.#pace = pace;
  }

  slowDown(): void {
    this.#pace.slowDown();
  }

  get ending(): string | undefined {
    return this.#ending;
  }
}
