import type { Clock, JsonObject } from '@holdfast/core';
import { Server } from '@modelcontextprotocol/server';
import type { JSONRPCRequest, ServerContext } from '@modelcontextprotocol/server';
import type { Logger } from '../../log/logger.ts';
import { isObject, objectOf, textOf } from '../../proxy/json/json-fields.ts';
import { ACCEPT_ANY_SCHEMA } from '../accept-any-schema.ts';
import type { ClientView, Message } from '../exchange.ts';
import type { McpHub } from '../hub/mcp-hub.ts';
import { INVALID_PARAMS, ProtocolFault } from '../protocol-fault.ts';
import { LegacyExchange } from './legacy-exchange.ts';
import { LegacySession } from './legacy-session.ts';
import { isOurState, ModernExchange } from './modern-exchange.ts';
import type { WaitingExchanges } from './modern-exchange.ts';
import { ModernSession } from './modern-session.ts';
import { PassingExchange } from './passing-exchange.ts';

export interface FrontDeskOptions {
  readonly hub: McpHub;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Logger;
}

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const INFO = 'io.modelcontextprotocol/clientInfo';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

/** Which client it is, by what it says of itself. */
export type Identify = (info: JsonObject | undefined) => Pick<ClientView, 'key' | 'isGuessed'>;

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
    const session = new LegacySession(key, server, this.hub);
    // Before the handshake is over a client is to hear of nothing else. Some forget to say that it is.
    let detach: (() => void) | undefined;
    const attach = (): void => {
      detach ??= this.hub.attach(session);
    };
    server.oninitialized = attach;
    server.onclose = () => {
      detach?.();
      session.subscriptions.clear();
    };
    server.fallbackRequestHandler = (request, context) => {
      attach();
      return this.#answerLegacy(request, context, session);
    };
    server.fallbackNotificationHandler = async ({ method, params }) =>
      this.hub.hear({ method, ...(params && { params: params as JsonObject }) }, key);
    return server;
  }

  /** A server for one request of a modern client, or for a connection of one: `stays` makes it hear of changes. */
  modernServer(identify: Identify, stays = false): Server {
    const server = this.#server();
    if (stays) server.onclose = this.hub.attach(new ModernSession(identify(undefined).key, server));
    server.fallbackRequestHandler = (request, context) =>
      this.#answerModern(request, context, identify);
    return server;
  }

  #server(): Server {
    const { capabilities, instructions, serverInfo } = this.hub;
    const info = serverInfo ?? { name: 'holdfast', version: this.#version };
    const server = new Server(info as { name: string; version: string }, {
      capabilities,
      ...(instructions !== undefined && { instructions }),
      jsonSchemaValidator: ACCEPT_ANY_SCHEMA,
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
        await session.subscriptions.add(textOf(given['uri']));
        return {};
      }
      case 'resources/unsubscribe': {
        await session.subscriptions.remove(textOf(given['uri']));
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
    identify: Identify,
  ): Promise<JsonObject> {
    const { envelope = {}, inputResponses, signal } = mcpReq;
    const client = clientOf(envelope, identify);
    const leg = {
      signal,
      progressToken: mcpReq._meta?.progressToken,
      notify: ({ method: told, params: about }: Message) =>
        void mcpReq
          .notify({ method: told, ...(about && { params: about }) })
          .catch(() => undefined),
    };
    const answers = objectOf(inputResponses);
    const state = mcpReq.requestState();
    if (isOurState(state)) {
      const waiting = this.#waiting.get(state);
      if (waiting?.client.key === client.key) return waiting.resume(leg, answers);
      const why = { reason: 'invalid_request_state' };
      throw new ProtocolFault(INVALID_PARAMS, 'Invalid or expired requestState', why);
    }
    const isRepeated = inputResponses !== undefined || typeof state === 'string';
    const given: JsonObject = isRepeated
      ? {
          ...objectOf(params),
          ...(inputResponses !== undefined && { inputResponses: answers }),
          ...(typeof state === 'string' && { requestState: state }),
        }
      : objectOf(params);
    const message = { method, params: given };
    if (!this.hub.mayAsk) return this.hub.handle(message, new PassingExchange(client, leg));
    const exchange = new ModernExchange(client, this.#waiting, this.#clock);
    return exchange.run(leg, (running) => this.hub.handle(message, running));
  }
}

function clientOf(envelope: JsonObject, identify: Identify): ClientView {
  const info = envelope[INFO];
  const logLevel = envelope[LOG_LEVEL];
  const known = isObject(info) ? info : undefined;
  const { key, isGuessed = false } = identify(known);
  return {
    key,
    isGuessed,
    era: 'modern',
    capabilities: objectOf(envelope[CAPABILITIES]),
    info: known,
    logLevel: typeof logLevel === 'string' ? logLevel : undefined,
  };
}
