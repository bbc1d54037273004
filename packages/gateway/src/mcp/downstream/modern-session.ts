import type { JsonObject } from '@holdfast/core';
import type { Server } from '@modelcontextprotocol/server';
import type { ClientView, Message } from '../exchange.ts';
import type { ClientSession } from '../hub/client-session.ts';
import { INVALID_PARAMS, ProtocolFault } from '../protocol-fault.ts';
import { assertCanBeAsked } from './can-be-asked.ts';

/** A modern client that keeps its connection: it hears of changes, but can only be asked while it asks. */
export class ModernSession implements ClientSession {
  readonly client: ClientView;
  readonly #server: Server;

  constructor(key: string, server: Server) {
    this.#server = server;
    this.client = { key, era: 'modern', capabilities: {}, info: undefined, logLevel: undefined };
  }

  /** The SDK knows what its streams of news are for, and leaves the rest out. */
  listensTo(): boolean {
    return true;
  }

  notify({ method, params }: Message): void {
    this.#server.notification({ method, ...(params && { params }) }).catch(() => undefined);
  }

  async ask({ method }: Message): Promise<JsonObject> {
    assertCanBeAsked(this.client, method);
    throw new ProtocolFault(INVALID_PARAMS, `${method} cannot be asked outside of a request`);
  }
}
