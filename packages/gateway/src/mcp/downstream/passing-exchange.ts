import type { JsonObject } from '@holdfast/core';
import type { ClientView, Exchange, Message } from '../exchange.ts';
import { INTERNAL_ERROR, ProtocolFault } from '../protocol-fault.ts';
import type { Leg } from './modern-exchange.ts';

/** A request of a modern client to servers that are modern too: they ask by their answers, and never meanwhile. */
export class PassingExchange implements Exchange {
  readonly client: ClientView;
  readonly signal: AbortSignal;
  readonly requestId: string | number | undefined;
  readonly #leg: Leg;

  constructor(client: ClientView, leg: Leg) {
    this.client = client;
    this.signal = leg.signal;
    this.requestId = leg.requestId;
    this.#leg = leg;
  }

  /** Only a server that was exchanged for an older one in the middle of the request could ask. */
  ask({ method }: Message): Promise<JsonObject> {
    const why = `${method} cannot be asked: the server was of another revision when it was called`;
    return Promise.reject(new ProtocolFault(INTERNAL_ERROR, why));
  }

  notify(notification: Message): void {
    this.#leg.notify(notification);
  }
}
