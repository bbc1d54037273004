import type { JsonObject } from '@holdfast/core';
import type { Server } from '@modelcontextprotocol/server';
import { isObject, objectOf } from '../../proxy/json/json-fields.ts';
import { ANY_RESULT } from '../any-result.ts';
import type { ClientView, Message } from '../exchange.ts';
import type { ClientSession } from '../hub/client-session.ts';
import type { McpHub } from '../hub/mcp-hub.ts';
import { assertCanBeAsked } from './can-be-asked.ts';
import { ClientSubscriptions } from './client-subscriptions.ts';
import { ASK_TIMEOUT_MS } from './legacy-exchange.ts';

/** What a legacy server sends before it is told a level: everything. */
const EVERYTHING = 'debug';

/** A legacy client, from its handshake to its end. */
export class LegacySession implements ClientSession {
  readonly subscriptions: ClientSubscriptions;
  readonly #key: string;
  readonly #server: Server;
  readonly #transport: ClientView['transport'];
  #logLevel = EVERYTHING;
  #client: ClientView | undefined;

  constructor(key: string, server: Server, hub: McpHub, transport?: ClientView['transport']) {
    this.#key = key;
    this.#server = server;
    this.#transport = transport;
    this.subscriptions = new ClientSubscriptions(hub);
  }

  get client(): ClientView {
    if (this.#client !== undefined) return this.#client;
    const capabilities = this.#server.getClientCapabilities();
    const info = this.#server.getClientVersion();
    const client: ClientView = {
      key: this.#key,
      era: 'legacy',
      capabilities: objectOf(capabilities),
      info: isObject(info) ? info : undefined,
      logLevel: this.#logLevel,
      transport: this.#transport,
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- for connections of this era there is no other
      protocolVersion: this.#server.getNegotiatedProtocolVersion(),
    };
    // Before the handshake nothing is known that could be kept.
    if (capabilities !== undefined) this.#client = client;
    return client;
  }

  set logLevel(level: string) {
    this.#logLevel = level;
    this.#client = undefined;
  }

  listensTo(uri: string): boolean {
    return this.subscriptions.has(uri);
  }

  notify({ method, params }: Message): void {
    this.#server.notification({ method, ...(params && { params }) }).catch(() => undefined);
  }

  async ask({ method, params }: Message, signal: AbortSignal): Promise<JsonObject> {
    assertCanBeAsked(this.client, method);
    const options = { timeout: ASK_TIMEOUT_MS, resetTimeoutOnProgress: true, signal };
    return this.#server.request({ method, ...(params && { params }) }, ANY_RESULT, options);
  }
}
