import type { JsonObject } from '@holdfast/core';
import type { ServerContext } from '@modelcontextprotocol/server';
import { ANY_RESULT } from '../any-result.ts';
import type { ClientView, Exchange, Message } from '../exchange.ts';
import { assertCanBeAsked } from './can-be-asked.ts';

/** Users think: what is asked of one may take ten minutes. */
export const ASK_TIMEOUT_MS = 600_000;

/** A request of a client that is asked by requests of its own. */
export class LegacyExchange implements Exchange {
  readonly client: ClientView;
  readonly signal: AbortSignal;
  readonly requestId: string | number;
  readonly #context: ServerContext;

  constructor(client: ClientView, context: ServerContext) {
    this.client = client;
    this.signal = context.mcpReq.signal;
    this.requestId = context.mcpReq.id;
    this.#context = context;
  }

  async ask({ method, params }: Message, signal: AbortSignal): Promise<JsonObject> {
    assertCanBeAsked(this.client, method);
    const request = { method, ...(params && { params }) };
    const options = { timeout: ASK_TIMEOUT_MS, resetTimeoutOnProgress: true, signal };
    return this.#context.mcpReq.send(request, ANY_RESULT, options);
  }

  notify({ method, params }: Message): void {
    // A client that has gone needs no news.
    this.#context.mcpReq.notify({ method, ...(params && { params }) }).catch(() => undefined);
  }
}
