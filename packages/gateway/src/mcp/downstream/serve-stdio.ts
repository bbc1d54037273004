import type { Clock } from '@holdfast/core';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Logger } from '../../log/logger.ts';
import { listOf, objectOf } from '../../proxy/json/json-fields.ts';
import type { McpHub } from '../hub/mcp-hub.ts';
import type { ClientIdentity } from '../upstream/connection.ts';
import { CallLane } from './call-lane.ts';
import type { AnswerCall } from './call-lane.ts';
import { ClientSubscriptions } from './client-subscriptions.ts';
import { FrontDesk } from './front-desk.ts';
import { HeldTransport } from './held-transport.ts';
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
  const wire = new HeldTransport(options.transport);
  const first = await wire.first;
  if (first === undefined) return;
  // Servers are started once the client has said who it is and which era it speaks.
  const isLegacy = 'method' in first && first.method === 'initialize' && !isModern(first);
  const identity = readClient(first) ?? { info: { name: 'holdfast', version }, capabilities: {} };
  const hub = createHub(identity, isLegacy ? 'legacy' : undefined);
  const desk = new FrontDesk({ hub, version, clock, log, transport: 'pipe' });
  try {
    // Once the client has gone nobody needs them, however long one of them takes.
    await Promise.race([hub.ready(), wire.closed]);
    await (isLegacy ? serveLegacy(wire, desk) : serveEither(wire, desk, log));
  } finally {
    await hub.close();
  }
}

/** A client that begins with the handshake of old stays with it: nothing has to be told apart from then on. */
function serveLegacy(wire: Transport, desk: FrontDesk): Promise<void> {
  return new Promise((resolve, reject) => {
    wire.onclose = () => resolve();
    const { server, answerCall } = desk.legacyServer(KEY);
    server.connect(wire).catch(reject);
    new CallLane(wire, answerCall);
  });
}

/** A client that asks what it talks to may speak either era afterwards. */
function serveEither(wire: HeldTransport, desk: FrontDesk, log: Logger): Promise<void> {
  return new Promise((resolve) => {
    const listening = new Listening(desk.hub);
    let answerCall: AnswerCall | undefined;
    const handle = serveStdio(
      ({ era }) => {
        const made = era === 'legacy' ? desk.legacyServer(KEY) : desk.stayingServer(KEY);
        answerCall = made.answerCall;
        return made.server;
      },
      {
        transport: wire,
        onerror: (error) => log.debug({ error }, 'something odd from the client'),
      },
    );
    const { onclose, onmessage } = wire;
    wire.onmessage = (message, extra) => {
      listening.see(message);
      onmessage?.(message, extra);
    };
    wire.onclose = () => {
      onclose?.();
      void handle.close().finally(resolve);
    };
    new CallLane(wire, (call) => answerCall?.(call));
  });
}

/** Whether a message says which of the newer revisions it is of. */
function isModern(message: JSONRPCMessage): boolean {
  const params = 'params' in message ? objectOf(message.params) : {};
  return 'io.modelcontextprotocol/protocolVersion' in objectOf(params['_meta']);
}

/**
 * Which resources a modern client listens to. The SDK answers those requests by itself, and does not say what
 * they ask for.
 */
class Listening {
  readonly #hub: McpHub;
  readonly #byRequest = new Map<unknown, ClientSubscriptions>();

  constructor(hub: McpHub) {
    this.#hub = hub;
  }

  see(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    const params = objectOf(message.params);
    if (message.method === 'subscriptions/listen' && 'id' in message) {
      const subscriptions = new ClientSubscriptions(this.#hub);
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
