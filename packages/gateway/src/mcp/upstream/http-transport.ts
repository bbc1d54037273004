import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';

type SendOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

/** What a request is answered with whose stream ended without an answer. Outside of the codes of the protocol. */
export const STREAM_ENDED = -33_001;

/**
 * Streamable HTTP that notices when the stream of a request ends before its answer came. The SDK leaves such a
 * request waiting until its time is up, which for a tool may be minutes.
 */
export class HttpTransport extends StreamableHTTPClientTransport {
  /** Requests that have no answer yet. */
  readonly #open = new Set<unknown>();
  #watched: HttpTransport['onmessage'];

  override async send(message: JSONRPCMessage, options?: SendOptions): Promise<void> {
    if (!('method' in message && 'id' in message)) return super.send(message, options);
    const { id } = message;
    this.#watchAnswers();
    this.#open.add(id);
    try {
      await super.send(message, {
        ...options,
        onRequestStreamEnd: () => {
          options?.onRequestStreamEnd?.();
          if (!this.#open.delete(id)) return;
          const error = { code: STREAM_ENDED, message: 'the stream ended before the answer came' };
          this.onmessage?.({ jsonrpc: '2.0', id, error });
        },
      });
    } catch (error) {
      this.#open.delete(id);
      throw error;
    }
  }

  /** Whoever listens has changed by the time of the first request: first the probe listens, then the client. */
  #watchAnswers(): void {
    const deliver = this.onmessage;
    if (deliver === undefined || deliver === this.#watched) return;
    this.#watched = (message, ...more) => {
      if ('id' in message && !('method' in message)) this.#open.delete(message.id);
      deliver(message, ...more);
    };
    this.onmessage = this.#watched;
  }
}
