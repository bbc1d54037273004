import { SSEClientTransport } from '@modelcontextprotocol/client';

/**
 * The older HTTP transport, which is over when its stream has ended. The SDK opens another stream by itself, to a
 * session that nobody has shaken hands with: the server then refuses whatever it is asked, for ever.
 */
export class SseTransport extends SSEClientTransport {
  constructor(url: URL, requestInit: RequestInit) {
    let isOpened = false;
    super(url, {
      requestInit,
      fetch: async (address, init) => {
        const isStream = (init?.method ?? 'GET') === 'GET';
        if (isStream && isOpened) {
          await this.close();
          throw new Error('the stream ended');
        }
        isOpened ||= isStream;
        return fetch(address, init);
      },
    });
  }
}
