import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

/**
 * A transport that is open before anybody listens: what comes meanwhile is kept, so that the first message can
 * decide who does.
 */
export class HeldTransport implements Transport {
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  onmessage: Transport['onmessage'];
  /** The first message; undefined where the other side goes away before it says anything. */
  readonly first: Promise<JSONRPCMessage | undefined>;
  /** Resolves when the other side has gone away. */
  readonly closed: Promise<void>;
  readonly #inner: Transport;
  #held: JSONRPCMessage[] | undefined = [];
  #isClosed = false;

  constructor(inner: Transport) {
    this.#inner = inner;
    let tellClosed = (): void => undefined;
    this.closed = new Promise((resolve) => (tellClosed = resolve));
    this.first = new Promise((resolve, reject) => {
      inner.onmessage = (message) => {
        resolve(message);
        this.#held?.push(message);
      };
      inner.onerror = (error) => this.onerror?.(error);
      inner.onclose = () => {
        this.#isClosed = true;
        resolve(undefined);
        tellClosed();
        this.onclose?.();
      };
      inner.start().catch(reject);
    });
  }

  /** Somebody listens from now on. */
  async start(): Promise<void> {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#inner.onmessage = (message, extra) => this.onmessage?.(message, extra);
    for (const message of held) this.onmessage?.(message);
    if (this.#isClosed) this.onclose?.();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#inner.send(message);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
