import type { Clock, JsonObject, JsonValue } from '@holdfast/core';
import { isObject, objectOf, textOf } from '../../proxy/json/json-fields.ts';
import { parseTraceparent } from '../../telemetry/trace-context.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { asServerSaid } from '../call/as-server-said.ts';
import type { ToolCaller } from '../call/tool-caller.ts';
import type { ClientView, Exchange, Message } from '../exchange.ts';
import type { CallReply, ListedTool } from '../messages.ts';
import { paramHeaders } from '../param-headers.ts';
import { INVALID_PARAMS, METHOD_NOT_FOUND, ProtocolFault } from '../protocol-fault.ts';
import type { UpstreamServer } from '../upstream/upstream-server.ts';
import type { Catalog, FoundTool } from './catalog.ts';
import { LIST_KINDS, LIST_RULES } from './list-kinds.ts';
import { passOn } from './pass-on.ts';
import { sendTo } from './send-to.ts';

export interface RequestRouterOptions {
  readonly servers: readonly UpstreamServer[];
  readonly catalog: Catalog;
  readonly caller: ToolCaller;
  readonly nextId: () => string;
  readonly clock: Clock;
  /** Default: nobody is told. */
  readonly telemetry?: Telemetry | undefined;
  /** The connection that a client has to a server: the one of all clients, or its own. */
  readonly targetOf: (server: UpstreamServer, exchange: Exchange) => UpstreamServer;
}

/** Brings the requests of clients to the servers they are meant for. */
export class RequestRouter {
  readonly #options: RequestRouterOptions;

  constructor(options: RequestRouterOptions) {
    this.#options = options;
  }

  /** Answers a request of a client. Rejects with what the client is to be told as an error. */
  async handle({ method, params = {} }: Message, exchange: Exchange): Promise<JsonObject> {
    const { catalog } = this.#options;
    if (method === 'tools/call') return this.#callTool(params, exchange);
    const list = LIST_KINDS.find((kind) => LIST_RULES[kind].method === method);
    if (list !== undefined) return catalog.list(list);
    switch (method) {
      case 'prompts/get': {
        const { server, name } = await catalog.prompt(textOf(params['name']));
        return this.#pass(server, { method, params: { ...params, name } }, exchange);
      }
      case 'resources/read': {
        const server = await catalog.resource(textOf(params['uri']));
        return this.#pass(server, { method, params }, exchange);
      }
      case 'completion/complete':
        return this.#complete(params, exchange);
      default:
        return this.#other({ method, params }, exchange);
    }
  }

  async #callTool(params: JsonObject, exchange: Exchange): Promise<CallReply> {
    const { catalog, caller, nextId, targetOf, telemetry } = this.#options;
    const shownName = textOf(params['name']);
    const found = (await catalog.tool(shownName)) ?? this.#unlisted(shownName);
    const { tool, server, isQuarantined = false, isUnlisted = false } = found;
    const target = targetOf(server, exchange);
    const isRemote = server.config.via.kind !== 'stdio';
    const { arguments: given = {} } = params;
    return caller.call(
      {
        id: nextId(),
        server: server.config,
        tool,
        isUnlisted,
        shownName,
        arguments: given,
        serverTools: catalog.shownToolsOf(server.name),
        conversation: conversationOf(exchange.client, params),
        modelCallId: modelCallIdOf(params),
        refusal: isQuarantined ? quarantineText(shownName) : undefined,
        signal: exchange.signal,
      },
      async (args, watch) => {
        const sent = { ...params, name: tool.name, arguments: args };
        const reply = await sendTo(target, { method: 'tools/call', params: sent }, exchange, {
          watch,
          headers: isRemote ? paramHeaders(tool.inputSchema, args) : undefined,
          telemetry,
          isUnlisted,
        });
        return asCallReply(reply, target.name);
      },
    );
  }

  /** The only server may know tools that it does not list; it answers for itself in any case. */
  #unlisted(name: string): FoundTool {
    const { servers, catalog } = this.#options;
    const [server, ...others] = servers;
    if (server === undefined || others.length > 0 || catalog.isHidden(name) || name === '') {
      throw new ProtocolFault(INVALID_PARAMS, catalog.unknownTool(name));
    }
    return {
      server,
      tool: { name, inputSchema: ANY_ARGUMENTS } satisfies ListedTool,
      isUnlisted: true,
    };
  }

  async #complete(params: JsonObject, exchange: Exchange): Promise<JsonObject> {
    const { catalog } = this.#options;
    const method = 'completion/complete';
    const ref = objectOf(params['ref']);
    if (ref['type'] === 'ref/prompt') {
      const { server, name } = await catalog.prompt(textOf(ref['name']));
      return this.#pass(server, { method, params: { ...params, ref: { ...ref, name } } }, exchange);
    }
    const server = await catalog.resource(textOf(ref['uri']));
    return this.#pass(server, { method, params }, exchange);
  }

  /** What we do not know is the business of the only server, where there is only one. */
  async #other(message: Message, exchange: Exchange): Promise<JsonObject> {
    const [server, ...others] = this.#options.servers;
    if (server !== undefined && others.length === 0) return this.#pass(server, message, exchange);
    throw new ProtocolFault(METHOD_NOT_FOUND, `Method not found: ${message.method}`);
  }

  #pass(server: UpstreamServer, message: Message, exchange: Exchange): Promise<JsonObject> {
    const { targetOf, clock, telemetry } = this.#options;
    const target = targetOf(server, exchange);
    return passOn(target, message, exchange, clock, telemetry).then(asServerSaid);
  }
}

/**
 * Clients without sessions that are called alike may be several, and what one of them did must not reach another:
 * only requests of one trace are known to be of one client.
 */
function conversationOf({ key, isGuessed }: ClientView, params: JsonObject): string | undefined {
  if (isGuessed !== true) return key;
  const { traceparent } = objectOf(params['_meta']);
  const place = typeof traceparent === 'string' ? parseTraceparent(traceparent) : undefined;
  return place === undefined ? undefined : `${key}:${place.traceId}`;
}

/** Claude Code says for which call of its model it asks. */
function modelCallIdOf(params: JsonObject): string | undefined {
  const id = objectOf(params['_meta'])['claudecode/toolUseId'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** What the model is told of a tool that is no longer what it was. Nothing of what the tool says now is in it. */
function quarantineText(name: string): string {
  return (
    `${name} was not called: its server has changed what the tool says of itself since it was first seen, and ` +
    'nobody has approved that yet. Do not call it again. Go on without it, and tell the user.'
  );
}

const ANY_ARGUMENTS: JsonObject = Object.freeze({ type: 'object' });

/** A result without content is one with none: clients and the guard count on the list. */
function asCallReply(reply: JsonObject, server: string): CallReply {
  if (reply['resultType'] === 'input_required') return reply as CallReply;
  const content: JsonValue | undefined = reply['content'];
  if (content === undefined) return { ...reply, content: [] };
  if (Array.isArray(content) && content.every(isObject)) return reply as CallReply;
  throw new Error(`${server} answered tools/call with content that is no list of blocks`);
}
