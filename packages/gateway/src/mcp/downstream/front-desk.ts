import type { Clock, JsonObject } from '@holdfast/core';
import { Server } from '@modelcontextprotocol/server';
import type { JSONRPCRequest, ServerContext } from '@modelcontextprotocol/server';
import type { Logger } from '../../log/logger.ts';
import { isObject, objectOf, textOf } from '../../proxy/json/json-fields.ts';
import { ANY_RESULT } from '../any-result.ts';
import type { ClientView, Message } from '../exchange.ts';
import type { ClientSession } from '../hub/client-session.ts';
import type { McpHub } from '../hub/mcp-hub.ts';
import { INVALID_PARAMS, ProtocolFault } from '../protocol-fault.ts';
import { assertCanBeAsked } from './can-be-asked.ts';
import { LegacyExchange, ASK_TIMEOUT_MS } from './legacy-exchange.ts';
import { isOurState, ModernExchange } from './modern-exchange.ts';
import type { WaitingExchanges } from './modern-exchange.ts';

export interface FrontDeskOptions {
  readonly hub: McpHub;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What a legacy server sends before it is told a level: everything. */
const EVERYTHING = 'debug';

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const INFO = 'io.modelcontextprotocol/clientInfo';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

/** Speaks to clients by the SDK's server, and to the hub for them. */
export class FrontDesk {
  readonly hub: McpHub;
  readonly #version: string;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #waiting: WaitingExchanges = new Map();

  constructor({ hub, version, clock, log }: FrontDeskOptions) {
    this.hub = hub;
    this.#version = version;
    this.#clock = clock;
    this.#log = log;
  }

  /** A server for one legacy client, which is told of changes until the server is closed. */
  legacyServer(key: string): Server {
    const server = this.#server();
    const session = new LegacySession(key, server);
    const detach = this.hub.attach(session);
    server.onclose = detach;
    server.fallbackRequestHandler = (request, context) =>
      this.#answerLegacy(request, context, session);
    server.fallbackNotificationHandler = async ({ method, params }) =>
      this.hub.hear({ method, ...(params && { params: params as JsonObject }) });
    return server;
  }

  /** A server for one request of a modern client, or for a connection of one: `stays` makes it hear of changes. */
  modernServer(keyOf: (info: JsonObject | undefined) => string, stays = false): Server {
    const server = this.#server();
    if (stays) server.onclose = this.hub.attach(new ModernSession(keyOf(undefined), server));
    server.fallbackRequestHandler = (request, context) =>
      this.#answerModern(request, context, keyOf);
    return server;
  }

  #server(): Server {
    const { capabilities, instructions, serverInfo } = this.hub;
    const info = serverInfo ?? { name: 'holdfast', version: this.#version };
    const server = new Server(info as { name: string; version: string }, {
      capabilities,
      ...(instructions !== undefined && { instructions }),
      jsonSchemaValidator: {
        getValidator: () => (input) => ({
          valid: true,
          data: input as never,
          errorMessage: undefined,
        }),
      },
    });
    // Ours, like all the others: the servers behind have to hear of it.
    server.removeRequestHandler('logging/setLevel');
    server.onerror = (error) => this.#log.debug({ error }, 'something odd from a client');
    return server;
  }

  async #answerLegacy(
    { method, params }: JSONRPCRequest,
    context: ServerContext,
    session: LegacySession,
  ): Promise<JsonObject> {
    const given = objectOf(params);
    switch (method) {
      case 'logging/setLevel': {
        const level = textOf(given['level']);
        await this.hub.setLogLevel(session, level);
        session.logLevel = level;
        return {};
      }
      case 'resources/subscribe': {
        const uri = textOf(given['uri']);
        if (session.subscriptions.has(uri)) return {};
        await this.hub.subscribe(uri);
        session.subscriptions.add(uri);
        return {};
      }
      case 'resources/unsubscribe': {
        const uri = textOf(given['uri']);
        if (session.subscriptions.delete(uri)) await this.hub.unsubscribe(uri);
        return {};
      }
      default: {
        const exchange = new LegacyExchange(session.client, context);
        return this.hub.handle({ method, params: given }, exchange);
      }
    }
  }

  #answerModern(
    { method, params }: JSONRPCRequest,
    { mcpReq }: ServerContext,
    keyOf: (info: JsonObject | undefined) => string,
  ): Promise<JsonObject> {
    const { envelope = {}, inputResponses, signal } = mcpReq;
    const leg = {
      signal,
      notify: ({ method: told, params: about }: Message) =>
        void mcpReq
          .notify({ method: told, ...(about && { params: about }) })
          .catch(() => undefined),
    };
    const answers = objectOf(inputResponses);
    const state = mcpReq.requestState();
    if (isOurState(state)) {
      const waiting = this.#waiting.get(state);
      this.#waiting.delete(state);
      if (waiting !== undefined) return waiting.resume(leg, answers);
      const why = { reason: 'invalid_request_state' };
      throw new ProtocolFault(INVALID_PARAMS, 'Invalid or expired requestState', why);
    }
    const client = clientOf(envelope, keyOf);
    const given: JsonObject = {
      ...objectOf(params),
      ...(inputResponses !== undefined && { inputResponses: answers }),
      ...(typeof state === 'string' && { requestState: state }),
    };
    const exchange = new ModernExchange(client, this.#waiting, this.#clock);
    return exchange.run(leg, (running) => this.hub.handle({ method, params: given }, running));
  }
}

function clientOf(
  envelope: JsonObject,
  keyOf: (info: JsonObject | undefined) => string,
): ClientView {
  const { [CAPABILITIES]: capabilities, [INFO]: info, [LOG_LEVEL]: logLevel } = envelope;
  const known = isObject(info) ? info : undefined;
  return {
    key: keyOf(known),
    era: 'modern',
    capabilities: objectOf(capabilities),
    info: known,
    logLevel: typeof logLevel === 'string' ? logLevel : undefined,
  };
}

/** A legacy client, from its handshake to its end. */
class LegacySession implements ClientSession {
  readonly subscriptions = new Set<string>();
  logLevel = EVERYTHING;
  readonly #key: string;
  readonly #server: Server;
  #client: ClientView | undefined;

  constructor(key: string, server: Server) {
    this.#key = key;
    this.#server = server;
  }

  get client(): ClientView {
    const known = this.#client;
    if (known?.logLevel === this.logLevel) return known;
    const capabilities = this.#server.getClientCapabilities();
    const info = this.#server.getClientVersion();
    const client: ClientView = {
      key: this.#key,
      era: 'legacy',
      capabilities: objectOf(capabilities),
      info: isObject(info) ? info : undefined,
      logLevel: this.logLevel,
    };
    // Before the handshake nothing is known that could be kept.
    if (capabilities !== undefined) this.#client = client;
    return client;
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

/** A modern client that keeps its connection: it hears of changes, but can only be asked while it asks. */
class ModernSession implements ClientSession {
  readonly subscriptions = new Set<string>();
  readonly client: ClientView;
  readonly #server: Server;

  constructor(key: string, server: Server) {
    this.#server = server;
    this.client = { key, era: 'modern', capabilities: {}, info: undefined, logLevel: undefined };
  }

  notify({ method, params }: Message): void {
    this.#server.notification({ method, ...(params && { params }) }).catch(() => undefined);
  }

  async ask({ method }: Message): Promise<JsonObject> {
    assertCanBeAsked(this.client, method);
    throw new ProtocolFault(INVALID_PARAMS, `${method} cannot be asked outside of a request`);
  }
}
