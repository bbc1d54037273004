import type { Clock, JsonObject } from '@holdfast/core';
import type { Transport } from '@modelcontextprotocol/client';
import type { Logger } from '../../log/logger.ts';
import type { ServerChanged, ToolRedefined } from '../../observe/gateway-event.ts';
import { isObject, textOf } from '../../proxy/json/json-fields.ts';
import { NO_TELEMETRY } from '../../telemetry/telemetry.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { ToolCaller } from '../call/tool-caller.ts';
import type { Exchange, Message } from '../exchange.ts';
import type { McpConfig, McpServerConfig } from '../mcp-config.ts';
import { ToolPins } from '../naming/tool-pins.ts';
import { INVALID_PARAMS, METHOD_NOT_FOUND, ProtocolFault } from '../protocol-fault.ts';
import { traceServed } from '../trace-request.ts';
import type { ClientIdentity } from '../upstream/connection.ts';
import { EraVerdicts } from '../upstream/era-verdicts.ts';
import { keepListening } from '../upstream/keep-listening.ts';
import { UpstreamServer } from '../upstream/upstream-server.ts';
import type { UpstreamListener, UpstreamStatus } from '../upstream/upstream-server.ts';
import { Catalog } from './catalog.ts';
import type { CatalogOptions } from './catalog.ts';
import { ChangePace } from './change-pace.ts';
import type { ClientSession } from './client-session.ts';
import { findAsked } from './find-asked.ts';
import { LIST_KINDS, LIST_RULES } from './list-kinds.ts';
import type { ListKind, ListRule } from './list-kinds.ts';
import { isLogLevel, isWanted, lowestLevel } from './log-levels.ts';
import { mergeCapabilities } from './merge-capabilities.ts';
import { mergeInstructions } from './merge-instructions.ts';
import { PrivateServers } from './private-servers.ts';
import { RequestRouter } from './request-router.ts';
import { ResourceSubscriptions } from './resource-subscriptions.ts';
import { ServerLists } from './server-lists.ts';
import { tellLogLevel } from './tell-log-level.ts';

/** What has changed behind the gateway. */
export type HubChange =
  | { readonly kind: 'tools' | 'prompts' | 'resources' }
  | { readonly kind: 'resource'; readonly uri: string };

export interface McpHubOptions {
  readonly config: McpConfig;
  /** Who the servers are told is asking. */
  readonly identity: ClientIdentity;
  /** The era our client speaks, where there is only one client. */
  readonly prefer?: 'legacy' | undefined;
  readonly caller: ToolCaller;
  readonly createTransport: (server: McpServerConfig, log: Logger) => Transport;
  readonly verdicts?: EraVerdicts;
  readonly clock: Clock;
  readonly nextId: () => string;
  readonly log: Logger;
  /** Told of what is asked and answered. Default: nobody. */
  readonly telemetry?: Telemetry | undefined;
  /** What tools were when they were seen first. Default: nothing is known yet. */
  readonly pins?: ToolPins | undefined;
  /** The tools that plugins name. Default: none. */
  readonly overrides?: CatalogOptions['overrides'];
  /** Told when a server comes and goes, with the reason as it came. */
  readonly onServer?: (event: ServerChanged) => void;
  /** Told of tools that turned into others. */
  readonly onRedefined?: (event: ToolRedefined) => void;
}

/** Many MCP servers as one. Knows nothing of how clients are spoken to. */
export class McpHub {
  readonly catalog: Catalog;
  readonly #options: McpHubOptions;
  readonly #log: Logger;
  readonly #servers: readonly UpstreamServer[];
  readonly #lists: ReadonlyMap<string, ServerLists>;
  readonly #private: PrivateServers;
  readonly #router: RequestRouter;
  readonly #sessions = new Set<ClientSession>();
  readonly #subscriptions: ResourceSubscriptions;
  readonly #pace: ChangePace<ListRule['capability']>;
  readonly #listeners = new Set<(change: HubChange) => void>();
  #ready: Promise<void> | undefined;

  constructor(options: McpHubOptions) {
    const { config, clock, log } = options;
    this.#options = options;
    this.#log = log;
    this.#pace = new ChangePace(clock, (kind) => {
      for (const session of this.#sessions) {
        session.notify({ method: `notifications/${kind}/list_changed` });
      }
      this.#tell({ kind });
    });
    const verdicts = options.verdicts ?? new EraVerdicts(clock);
    const make = (server: McpServerConfig, owner?: string): UpstreamServer => {
      const { identity, prefer, createTransport } = options;
      const { connectTimeoutMs } = config;
      const about = { identity, prefer, connectTimeoutMs, verdicts, createTransport, clock, log };
      return new UpstreamServer({ ...about, config: server, listener: this.#listener(owner) });
    };
    this.#servers = config.servers.map((server) => make(server));
    const isPresent = (client: string): boolean => this.#sessionsOf(client).length > 0;
    this.#private = new PrivateServers({ make, isPresent, clock });
    this.#lists = new Map(
      this.#servers.map((server) => {
        const lists = new ServerLists({ server, timeoutMs: config.listTimeoutMs, clock, log });
        return [server.name, lists];
      }),
    );
    const { pins = new ToolPins(), onRedefined, overrides } = options;
    this.catalog = new Catalog({
      config,
      servers: this.#servers,
      lists: this.#lists,
      pins,
      log,
      onRedefined,
      overrides,
    });
    this.#router = new RequestRouter({
      servers: this.#servers,
      catalog: this.catalog,
      caller: options.caller,
      nextId: options.nextId,
      clock,
      telemetry: options.telemetry,
      targetOf: (server, exchange) => this.#targetOf(server, exchange),
    });
    this.#subscriptions = new ResourceSubscriptions({
      timeoutMs: config.connectTimeoutMs,
      clock,
      log,
    });
  }

  /**
   * Begins to connect to all servers, and resolves when each is there or has failed, or the time for lists is up.
   * Once: every request asks for it, and one server that does not answer must not keep all of them waiting.
   */
  ready(): Promise<void> {
    return (this.#ready ??= this.#connectAll());
  }

  get capabilities(): JsonObject {
    return mergeCapabilities(this.#servers.map(({ current }) => current?.capabilities));
  }

  /** What a client is told of how to use the servers. */
  get instructions(): string | undefined {
    const said = this.#servers.flatMap(({ name: server, current }) => {
      const text = current?.instructions ?? '';
      const isShown = current !== undefined && this.catalog.showsInstructions(server, text);
      return isShown && text !== '' ? [{ server, text }] : [];
    });
    return mergeInstructions(said, this.#servers.length);
  }

  /** What the only server calls itself. */
  get serverInfo(): JsonObject | undefined {
    return this.#servers.length === 1 ? this.#servers[0]?.current?.serverInfo : undefined;
  }

  /** Whether a server may ask something in the middle of a request: those of the modern era cannot. */
  get mayAsk(): boolean {
    return this.#servers.some(({ current }) => current?.era !== 'modern');
  }

  /** The server of that name that all clients share; undefined where there is none. */
  server(name: string): UpstreamServer | undefined {
    return this.#servers.find((server) => server.name === name);
  }

  get status(): Readonly<Record<string, UpstreamStatus>> {
    return Object.fromEntries(this.#servers.map(({ name, status }) => [name, status]));
  }

  /** A client that stays. It is told of changes until what this returns is called. */
  attach(session: ClientSession): () => void {
    this.#sessions.add(session);
    const { key, capabilities, era } = session.client;
    this.#private.begin(key);
    // Servers that asked for roots when nobody was there were told of none; now they ask again.
    if (capabilities['roots'] !== undefined) this.hear({ method: ROOTS_CHANGED }, key);
    return () => {
      this.#sessions.delete(session);
      // A session is over for good; those of the modern era that are called alike are taken for one client.
      void (era === 'legacy' ? this.#private.end(key) : this.#private.close(key));
    };
  }

  onChange(listener: (change: HubChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Answers a request of a client. Rejects with what the client is to be told as an error. */
  handle(message: Message, exchange: Exchange): Promise<JsonObject> {
    const { telemetry = NO_TELEMETRY } = this.#options;
    const serve = (traced: Message): Promise<JsonObject> => this.#router.handle(traced, exchange);
    return traceServed(telemetry, message, exchange, serve, (tool) => this.catalog.isListed(tool));
  }

  /** Tools that were held back were approved; clients are told. */
  toolsApproved(): void {
    this.catalog.forgetTools();
    this.#pace.changed('tools');
  }

  /** Passes on a notification of a client, where it is clear to whom. */
  hear(notification: Message, client: string): void {
    const { method } = notification;
    const isRoots = method === ROOTS_CHANGED;
    if (!isRoots && this.#servers.length > 1) return;
    for (const { current } of [...this.#servers, ...this.#private.of(client)]) {
      if (current === undefined || (isRoots && current.era === 'modern')) continue;
      current.notify(notification).catch((error: unknown) => {
        this.#log.debug({ method, error }, 'a notification could not be passed on');
      });
    }
  }

  /** Updates of a resource are told from now on, until what this resolves with is called. */
  async subscribe(uri: string): Promise<() => Promise<void>> {
    return this.#subscriptions.add(uri, await this.catalog.resource(uri));
  }

  /**
   * A client wants messages of this level and worse. Servers are asked for what the most curious client wants;
   * each client gets what it asked for.
   */
  async setLogLevel(session: ClientSession, level: string): Promise<void> {
    if (!isLogLevel(level)) throw new ProtocolFault(INVALID_PARAMS, `Unknown log level: ${level}`);
    const others = [...this.#sessions].filter((each) => each !== session);
    const wanted = lowestLevel([level, ...others.map(({ client }) => client.logLevel)]) ?? level;
    const results = await Promise.allSettled([
      ...this.#servers.map((server) => tellLogLevel(server, wanted)),
      ...this.#private.of(session.client.key).map((server) => tellLogLevel(server, level)),
    ]);
    const [only] = results;
    if (this.#servers.length === 1 && only?.status === 'rejected') throw only.reason;
  }

  async close(): Promise<void> {
    this.#pace.close();
    await Promise.all([...this.#servers.map((server) => server.close()), this.#private.closeAll()]);
  }

  async #connectAll(): Promise<void> {
    const { clock, config } = this.#options;
    let cancel = (): void => undefined;
    const late = new Promise<void>((resolve) => {
      cancel = clock.setTimer(resolve, config.listTimeoutMs);
    });
    const all = Promise.allSettled(this.#servers.map((server) => server.connect()));
    await Promise.race([all, late]);
    cancel();
  }

  #targetOf(server: UpstreamServer, { client }: Exchange): UpstreamServer {
    const { config } = server;
    return config.instances === 'shared' ? server : this.#private.get(config, client.key);
  }

  /** The clients that a server may speak to: all, or the one it belongs to. */
  #sessionsOf(owner: string | undefined): readonly ClientSession[] {
    const sessions = [...this.#sessions];
    return owner === undefined ? sessions : sessions.filter(({ client }) => client.key === owner);
  }

  #listener(owner: string | undefined): UpstreamListener {
    return {
      onRequest: (server, request, signal) => this.#asked(server, request, signal, owner),
      onNotification: (server, notification) => this.#told(server, notification, owner),
      onConnected: (server) => this.#connected(server, owner),
      onState: ({ name }, state, reason) =>
        this.#options.onServer?.({ type: 'server-changed', server: name, state, reason }),
    };
  }

  async #asked(
    server: UpstreamServer,
    request: Message,
    signal: AbortSignal,
    owner: string | undefined,
  ): Promise<JsonObject> {
    const { method } = request;
    const sessions = this.#sessionsOf(owner);
    const asked = findAsked(server.running, sessions);
    if (asked !== undefined) return asked.ask(request, signal);
    if (method === 'roots/list') return { roots: [] };
    const why =
      server.running.size + sessions.length === 0
        ? 'no client is there'
        : 'several clients are there, and the protocol does not say which one is meant (instances: per-client gives each client a server of its own)';
    if (server.lines.admit()) {
      this.#log.warn({ server: server.name, method, why }, 'a question of a server was refused');
    }
    throw new ProtocolFault(METHOD_NOT_FOUND, `${method} was not passed on: ${why}`);
  }

  #told(server: UpstreamServer, notification: Message, owner: string | undefined): void {
    const { method, params = {} } = notification;
    const kinds = LIST_KINDS.filter((kind) => LIST_RULES[kind].changed === method);
    if (kinds.length > 0) {
      this.#listsChanged(server, kinds);
      return;
    }
    if (method === 'notifications/resources/updated') {
      const uri = textOf(params['uri']);
      for (const session of this.#sessions) {
        if (session.listensTo(uri)) session.notify(notification);
      }
      this.#tell({ kind: 'resource', uri });
      return;
    }
    // Anything else goes to whom it can only be meant for, and to nobody where that is not clear.
    const told = findAsked(server.running, this.#sessionsOf(owner));
    const isLog = method === 'notifications/message';
    if (isLog && server.lines.admit())
      this.#log.debug({ server: server.name, severity: params['level'] }, 'a server logs');
    if (told === undefined || (isLog && !isWanted(params['level'], told.client.logLevel))) return;
    told.notify(notification);
  }

  #listsChanged(server: UpstreamServer, kinds: readonly ListKind[]): void {
    const lists = this.#lists.get(server.name);
    for (const kind of kinds) lists?.changed(kind);
    const names = new Set(kinds.map((kind) => LIST_RULES[kind].capability));
    for (const kind of names) this.#pace.changed(kind);
  }

  #tell(change: HubChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  /** Learns which changes will be told of, and lets clients know that a server is back. */
  #connected(server: UpstreamServer, owner: string | undefined): void {
    const level = lowestLevel(this.#sessionsOf(owner).map(({ client }) => client.logLevel));
    // Those who said nothing want everything, which is what a server sends that was told nothing.
    if (level !== undefined && level !== 'debug')
      tellLogLevel(server, level).catch(() => undefined);
    const connection = server.current;
    const lists = this.#lists.get(server.name);
    if (connection === undefined || lists === undefined || !this.#servers.includes(server)) return;
    const filters = LIST_KINDS.filter((kind) => {
      const capability = connection.capabilities[LIST_RULES[kind].capability];
      return isObject(capability) && capability['listChanged'] === true;
    }).map((kind) => LIST_RULES[kind].filter);
    const told = new Set(filters);
    if (connection.era === 'legacy') lists.trust(connection, told);
    else if (told.size > 0) {
      const wanted = Object.fromEntries(filters.map((filter) => [filter, true]));
      const { clock, config } = this.#options;
      keepListening({
        connection,
        filter: wanted,
        timeoutMs: config.connectTimeoutMs,
        clock,
        onListening: () => lists.trust(connection, told),
        onLost: () => lists.distrust(connection),
      }).catch((error: unknown) => {
        this.#log.debug({ server: server.name, error }, 'no news of changes');
      });
    }
    this.#subscriptions.renew(server);
    if (server.status.reconnects > 0 || this.#sessions.size > 0) {
      this.#listsChanged(server, LIST_KINDS);
    }
  }
}

const ROOTS_CHANGED = 'notifications/roots/list_changed';
