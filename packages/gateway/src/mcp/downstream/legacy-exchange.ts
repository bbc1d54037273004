import type { JsonObject } from '@holdfast/core';
import type { RequestId, Server, ServerContext } from '@modelcontextprotocol/server';
import { ANY_RESULT } from '../any-result.ts';
import type { ClientView, Exchange, Message } from '../exchange.ts';
import { assertCanBeAsked } from './can-be-asked.ts';

/** Users think: what is asked of one may take ten minutes. */
export const ASK_TIMEOUT_MS = 600_000;

/** A request while it is answered, as far as its client can be spoken to. */
export type LegacyRequest = Pick<ServerContext['mcpReq'], 'id' | 'signal' | 'send' | 'notify'>;

/** The request of that id, where the SDK has not made one of it. */
export function legacyRequest(
  server: Server,
  { id, signal }: { readonly id: RequestId; readonly signal: AbortSignal },
): LegacyRequest {
  return {
    id,
    signal,
    send: ((request, schema, options) =>
      server.request(request, schema, {
        ...options,
        relatedRequestId: id,
      })) as LegacyRequest['send'],
    notify: (notification) => server.notification(notification, { relatedRequestId: id }),
  };
}

/** A request of a client that is asked by requests of its own. */
export class LegacyExchange implements Exchange {
  readonly client: ClientView;
  readonly signal: AbortSignal;
  readonly requestId: string | number;
  readonly #request: LegacyRequest;

  constructor(client: ClientView, request: LegacyRequest) {
    this.client = client;
    this.signal = request.signal;
    this.requestId = request.id;
    this.#request = request;
  }

  async ask({ method, params }: Message, signal: AbortSignal): Promise<JsonObject> {
    assertCanBeAsked(this.client, method);
    const request = { method, ...(params && { params }) };
    const options = { timeout: ASK_TIMEOUT_MS, resetTimeoutOnProgress: true, signal };
    return this.#request.send(request, ANY_RESULT, options);
  }

  notify({ method, params }: Message): void {
    // A client that has gone needs no news.
    this.#request.notify({ method, ...(params && { params }) }).catch(() => undefined);
  }
}
