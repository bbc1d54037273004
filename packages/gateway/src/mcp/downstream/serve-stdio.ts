import type { Clock } from '@holdfast/core';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Logger } from '../../log/logger.ts';
import { listOf, objectOf } from '../../proxy/json/json-fields.ts';
import type { McpHub } from '../hub/mcp-hub.ts';
import type { ClientIdentity } from '../upstream/connection.ts';
import { ClientSubscriptions } from './client-subscriptions.ts';
import { FrontDesk } from './front-desk.ts';
import { PeekedTransport } from './peeked-transport.ts';
import { readClient } from './read-client.ts';

export interface ServeStdioOptions {
  /** To the client. */
  readonly transport: Transport;
  /** The servers, as the client there is asks for them. */
  readonly createHub: (identity: ClientIdentity, prefer: 'legacy' | undefined) => McpHub;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The only client there is. */
const KEY = 'stdio';

/** Serves one client over a pair of pipes until it goes away. */
export async function serveClient(options: ServeStdioOptions): Promise<void> {
  const { createHub, version, clock, log } = options;
  let first: JSONRPCMessage | undefined;
  let desk: FrontDesk | undefined;
  let hubIsThere = (_hub: McpHub): void => undefined;
  const listening = new Listening(new Promise((resolve) => (hubIsThere = resolve)));
  // Servers are started once the client has said who it is and which era it speaks.
  const open = async (era: 'legacy' | 'modern'): Promise<FrontDesk> => {
    if (desk === undefined) {
      const identity = readClient(first) ?? {
        info: { name: 'holdfast', version },
        capabilities: {},
      };
      const hub = createHub(identity, era === 'legacy' ? 'legacy' : undefined);
      desk = new FrontDesk({ hub, version, clock, log });
      hubIsThere(hub);
    }
    await desk.hub.ready();
    return desk;
  };
  const closed = new Promise<void>((resolve) => {
    const transport = new PeekedTransport(options.transport, (message) => {
      first ??= message;
      listening.see(message);
    });
    const handle = serveStdio(
      async ({ era }) => {
        const front = await open(era);
        return era === 'legacy'
          ? front.legacyServer(KEY)
          : front.modernServer(() => ({ key: KEY }), true);
      },
      { transport, onerror: (error) => log.debug({ error }, 'something odd from the client') },
    );
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      void handle.close().finally(resolve);
    };
  });
  await closed;
  await desk?.hub.close();
}

/**
 * Which resources a modern client listens to. The SDK answers those requests by itself, and does not say what
 * they ask for.
 */
class Listening {
  readonly #hub: Promise<McpHub>;
  readonly #byRequest = new Map<unknown, ClientSubscriptions>();

  constructor(hub: Promise<McpHub>) {
    this.#hub = hub;
  }

  see(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    const params = objectOf(message.params);
    if (message.method === 'subscriptions/listen' && 'id' in message) {
      const subscribe = async (uri: string): Promise<() => Promise<void>> =>
        (await this.#hub).subscribe(uri);
      const subscriptions = new ClientSubscriptions({ subscribe });
      this.#byRequest.set(message.id, subscriptions);
      const wanted = objectOf(params['notifications'])['resourceSubscriptions'];
      for (const uri of listOf(wanted)) {
        if (typeof uri === 'string') subscriptions.add(uri).catch(() => undefined);
      }
    }
    if (message.method === 'notifications/cancelled') {
      this.#byRequest.get(params['requestId'])?.clear();
      this.#byRequest.delete(params['requestId']);
    }
  }
}
