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
  override async send(message: JSONRPCMessage, options?: SendOptions): Promise<void> {
    if (!('method' in message && 'id' in message)) return super.send(message, options);
    const { id } = message;
    await super.send(message, {
      ...options,
      onRequestStreamEnd: () => {
        options?.onRequestStreamEnd?.();
        // An answer that came is gone from the list of the waiting by now: then nobody hears this.
        const error = { code: STREAM_ENDED, message: 'the stream ended before the answer came' };
        this.onmessage?.({ jsonrpc: '2.0', id, error });
      },
    });
  }
}
