import type { Clock, JsonObject } from '@holdfast/core';
import { Server } from '@modelcontextprotocol/server';
import type {
  JSONRPCRequest,
  RequestId,
  ServerContext,
  ServerOptions,
} from '@modelcontextprotocol/server';
import type { Logger } from '../../log/logger.ts';
import { isObject, objectOf, textOf } from '../../proxy/json/json-fields.ts';
import { ACCEPT_ANY_SCHEMA } from '../accept-any-schema.ts';
import { CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, VERSION } from '../envelope-keys.ts';
import type { ClientView, Message } from '../exchange.ts';
import type { McpHub } from '../hub/mcp-hub.ts';
import { isId } from '../is-message.ts';
import { INVALID_PARAMS, ProtocolFault } from '../protocol-fault.ts';
import type { AnswerCall } from './call-lane.ts';
import { LegacyExchange, legacyRequest } from './legacy-exchange.ts';
import { LegacySession } from './legacy-session.ts';
import { isOurState, ModernExchange } from './modern-exchange.ts';
import type { Leg, WaitingExchanges } from './modern-exchange.ts';
import { ModernSession } from './modern-session.ts';
import { PassingExchange } from './passing-exchange.ts';
import { isPlainLegacyCall, KnownClient, modernResult } from './plain-call.ts';

export interface FrontDeskOptions {
  readonly hub: McpHub;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** How clients reach it. Default: `tcp`. */
  readonly transport?: 'pipe' | 'tcp';
}

/** Which client it is, by what it says of itself, and the request that it makes. */
export type Identify = (
  info: JsonObject | undefined,
  request: RequestId | undefined,
) => Pick<ClientView, 'key' | 'isGuessed'> & {
  /** What the client calls the request, where we call it something else. */
  readonly requestId?: RequestId | undefined;
  /** Where it is remembered what the client said of itself. */
  readonly known?: KnownClient | undefined;
};

/** What only passes on requests promises nothing by itself. */
const ANYTHING = { tools: {}, prompts: {}, resources: {}, completions: {}, logging: {} };

/** The server that a client speaks to, and what answers most of its tool calls. */
export interface FrontServer {
  readonly server: Server;
  readonly answerCall: AnswerCall;
}

/** Speaks to clients by the SDK's server, and to the hub for them. */
export class FrontDesk {
  readonly hub: McpHub;
  readonly #version: string;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #transport: 'pipe' | 'tcp';
  readonly #waiting: WaitingExchanges = new Map();

  constructor({ hub, version, clock, log, transport = 'tcp' }: FrontDeskOptions) {
    this.hub = hub;
    this.#version = version;
    this.#clock = clock;
    this.#log = log;
    this.#transport = transport;
  }

  /** A server for one legacy client, which is told of changes until the server is closed. */
  legacyServer(key: string): FrontServer {
    const server = this.#server();
    const session = new LegacySession(key, server, this.hub, this.#transport);
    // Before the handshake is over a client is to hear of nothing else. Some forget to say that it is.
    let detach: (() => void) | undefined;
    let isOver = false;
    const attach = (): void => {
      if (!isOver) detach ??= this.hub.attach(session);
    };
    server.oninitialized = attach;
    server.onclose = () => {
      isOver = true;
      detach?.();
      session.subscriptions.clear();
    };
    server.fallbackRequestHandler = (request, context) => {
      attach();
      return this.#answerLegacy(request, context, session);
    };
    server.fallbackNotificationHandler = async ({ method, params }) =>
      this.hub.hear({ method, ...(params && { params: params as JsonObject }) }, key);
    const answerCall: AnswerCall = (call) => {
      if (!isPlainLegacyCall(call.params)) return undefined;
      attach();
      const exchange = new LegacyExchange(session.client, legacyRequest(server, call));
      return this.hub.handle({ method: 'tools/call', params: call.params }, exchange);
    };
    return { server, answerCall };
  }

  /** A server for one request of a modern client. */
  modernServer(identify: Identify): Server {
    return this.#answering(this.#server(), identify);
  }

  /** A server for the connection of a modern client, which is told of changes until the server is closed. */
  stayingServer(key: string): FrontServer {
    const serverInfo = this.#serverInfo;
    const server = this.#server();
    server.onclose = this.hub.attach(new ModernSession(key, server));
    const known = new KnownClient();
    const answerCall: AnswerCall = ({ id, params, signal }) => {
      const client = known.of(params);
      if (client === undefined) return undefined;
      const notify = ({ method, params: about }: Message): void =>
        void server
          .notification({ method, ...(about && { params: about }) }, { relatedRequestId: id })
          .catch(() => undefined);
      return this.answerKnown(params, client, { signal, requestId: id, notify }, serverInfo);
    };
    return { server: this.#answering(server, () => ({ key, known })), answerCall };
  }

  /** Answers a tool call of a modern client that the SDK has let through before. */
  async answerKnown(
    params: JsonObject,
    client: ClientView,
    leg: Omit<Leg, 'progressToken'>,
    serverInfo = this.#serverInfo,
  ): Promise<JsonObject> {
    const token = objectOf(params['_meta'])['progressToken'];
    const progressToken = isId(token) ? token : undefined;
    const result = await this.#handleModern({ method: 'tools/call', params }, client, {
      ...leg,
      progressToken,
    });
    return modernResult(result, serverInfo);
  }

  /** A server for the requests of all modern clients. It tells none of them what it can do. */
  passingServer(revision: string, identify: Identify): Server {
    const options = { capabilities: ANYTHING, supportedProtocolVersions: [revision] };
    return this.#answering(this.#server(options), identify);
  }

  #answering(server: Server, identify: Identify): Server {
    server.fallbackRequestHandler = (request, context) =>
      this.#answerModern(request, context, identify);
    return server;
  }

  get #serverInfo(): JsonObject {
    return this.hub.serverInfo ?? { name: 'holdfast', version: this.#version };
  }

  #server(options?: ServerOptions): Server {
    const server = new Server(this.#serverInfo as { name: string; version: string }, {
      ...(options ?? this.#promises()),
      jsonSchemaValidator: ACCEPT_ANY_SCHEMA,
    });
    // Ours, like all the others: the servers behind have to hear of it.
    server.removeRequestHandler('logging/setLevel');
    server.onerror = (error) => this.#log.debug({ error }, 'something odd from a client');
    return server;
  }

  #promises(): ServerOptions {
    const { capabilities, instructions } = this.hub;
    return { capabilities, ...(instructions !== undefined && { instructions }) };
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
        const exchange = new LegacyExchange(session.client, context.mcpReq);
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
    const about = clientOf(envelope);
    const { requestId = mcpReq.id, known, ...identity } = identify(about.info, mcpReq.id);
    const client = { ...identity, ...about, transport: this.#transport };
    known?.learn(envelope, client);
    const leg = {
      signal,
      requestId,
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
    return this.#handleModern({ method, params: given }, client, leg);
  }

  #handleModern(message: Message, client: ClientView, leg: Leg): Promise<JsonObject> {
    if (!this.hub.mayAsk) return this.hub.handle(message, new PassingExchange(client, leg));
    const exchange = new ModernExchange(client, this.#waiting, this.#clock);
    return exchange.run(leg, (running) => this.hub.handle(message, running));
  }
}

function clientOf(envelope: JsonObject): Omit<ClientView, 'key' | 'isGuessed'> {
  const info = envelope[CLIENT_INFO];
  const logLevel = envelope[LOG_LEVEL];
  const version = envelope[VERSION];
  return {
    era: 'modern',
    capabilities: objectOf(envelope[CLIENT_CAPABILITIES]),
    info: isObject(info) ? info : undefined,
    logLevel: typeof logLevel === 'string' ? logLevel : undefined,
    protocolVersion: typeof version === 'string' ? version : undefined,
  };
}
