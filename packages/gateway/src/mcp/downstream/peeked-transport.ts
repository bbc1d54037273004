import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

/** A transport whose messages are looked at before they are delivered. */
export class PeekedTransport implements Transport {
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  onmessage: Transport['onmessage'];
  readonly #inner: Transport;
  readonly #peek: (message: JSONRPCMessage) => void;

  constructor(inner: Transport, peek: (message: JSONRPCMessage) => void) {
    this.#inner = inner;
    this.#peek = peek;
  }

  start(): Promise<void> {
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onmessage = (message, extra) => {
      this.#peek(message);
      this.onmessage?.(message, extra);
    };
    return this.#inner.start();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#inner.send(message);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
