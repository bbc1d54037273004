import type { Clock, JsonObject, JsonValue } from '@holdfast/core';
import { Client } from '@modelcontextprotocol/client';
import type { JSONRPCMessage, PriorDiscovery } from '@modelcontextprotocol/client';
import { objectOf } from '../../proxy/json/json-fields.ts';
import { ACCEPT_ANY_SCHEMA } from '../accept-any-schema.ts';
import { ANY_RESULT } from '../any-result.ts';
import { CLIENT_CAPABILITIES, CLIENT_INFO, VERSION } from '../envelope-keys.ts';
import type { Message } from '../exchange.ts';
import { INTERNAL_ERROR, ProtocolFault } from '../protocol-fault.ts';
import { MAX_DEPTH } from '../../proxy/json/json-meter.ts';
import type { CallWatch } from '../call/call-watch.ts';
import { isTooDeep } from './is-too-deep.ts';
import { readLegacyResult, readModernResult } from './read-result.ts';
import { RequestLane } from './request-lane.ts';
import type { SlowableTransport } from './request-lane.ts';

/** What a connection hears from its server outside of answers. */
export interface ConnectionListener {
  /** The server asks the client for something (legacy era only). */
  onRequest(request: Message, signal: AbortSignal): Promise<JsonObject>;
  onNotification(notification: Message): void;
  /** A connection that was open has ended. */
  onClose(connection: Connection): void;
  /** Something odd that broke nothing. */
  onOddity(error: Error): void;
  /** A message over the limit was dropped. */
  onDropped(): void;
}

/** Who the servers are told is asking, and what it can be asked for. */
export interface ClientIdentity {
  readonly info: { readonly name: string; readonly version: string };
  readonly capabilities: JsonObject;
}

/** What one request may have of its own. */
export interface ConnectionRequestOptions {
  readonly signal?: AbortSignal;
  /** In place of a signal. */
  readonly watch?: CallWatch | undefined;
  readonly onProgress?: ((progress: JsonObject) => void) | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The `_meta` of the params, into which the token for progress is written. */
  readonly meta?: Record<string, JsonValue> | undefined;
}

const PROGRESS = 'notifications/progress';

/** The longest time a timer takes: requests are timed by the guard, not by the SDK. */
const NEVER_MS = 2_147_483_647;

/** One connection to a server, by the SDK's client. */
export class Connection {
  readonly #client: Client;
  readonly #identity: ClientIdentity;
  /** Where the transport is a pipe: one stream for all, over which tool calls need nothing of the SDK. */
  readonly #lane: RequestLane | undefined;
  readonly #isDepthChecked: boolean;
  /** What a modern server is told of us. */
  #envelope: JsonObject | undefined;
  #isOver = false;
  #isRetired = false;
  /** Requests without an answer. */
  #waiting = 0;
  /** Who hears of the progress of a request, by the token we gave the server. */
  readonly #progress = new Map<unknown, (progress: JsonObject) => void>();
  #nextToken = 1;

  private constructor(
    client: Client,
    identity: ClientIdentity,
    lane: RequestLane | undefined,
    isDepthChecked: boolean,
  ) {
    this.#client = client;
    this.#identity = identity;
    this.#lane = lane;
    this.#isDepthChecked = isDepthChecked;
  }

  /** Connects and shakes hands. Rejects with what went wrong; then the transport is closed. */
  static async open(
    transport: SlowableTransport,
    identity: ClientIdentity,
    listener: ConnectionListener,
    how: {
      readonly clock: Clock;
      readonly timeoutMs: number;
      readonly probeTimeoutMs: number;
      readonly prior: PriorDiscovery | undefined;
      /** Whether it is one stream for all messages, as HTTP is not. */
      readonly isPipe?: boolean;
      /** Whether the transport itself refuses what is nested too deep. */
      readonly isDepthChecked?: boolean;
    },
  ): Promise<Connection> {
    const client = new Client(
      { ...identity.info },
      {
        capabilities: identity.capabilities,
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: how.probeTimeoutMs } },
        inputRequired: { autoFulfill: false },
        jsonSchemaValidator: ACCEPT_ANY_SCHEMA,
      },
    );
    client.fallbackRequestHandler = ({ method, params }, { mcpReq }) =>
      listener.onRequest(
        { method, ...(params && { params: params as JsonObject }) },
        mcpReq.signal,
      );
    client.fallbackNotificationHandler = async ({ method, params }) => {
      if (method === PROGRESS) return;
      listener.onNotification({ method, ...(params && { params: params as JsonObject }) });
    };
    const wire = new RequestLane(transport, {
      clock: how.clock,
      onDropped: () => listener.onDropped(),
    });
    const lane = how.isPipe === true ? wire : undefined;
    const connection = new Connection(client, identity, lane, how.isDepthChecked === true);
    // The SDK tells of progress later than of the answer that came right behind it, which is too late.
    client.removeNotificationHandler(PROGRESS);
    wire.onmessage = (message) => connection.#hearProgress(message);
    let isOpen = false;
    client.onclose = () => {
      connection.#isOver = true;
      if (isOpen) listener.onClose(connection);
    };
    client.onerror = (error) => listener.onOddity(error);
    await client.connect(wire, {
      timeout: how.timeoutMs,
      ...(how.prior !== undefined && { prior: how.prior }),
    });
    // One that ended right behind its handshake would be taken for a good one for ever.
    if (connection.#isOver) throw new Error('the connection ended right after it was opened');
    isOpen = true;
    return connection;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get era(): 'legacy' | 'modern' {
    return this.#client.getProtocolEra() ?? 'legacy';
  }

  get capabilities(): JsonObject {
    return (this.#client.getServerCapabilities() ?? {}) as JsonObject;
  }

  get instructions(): string | undefined {
    return this.#client.getInstructions();
  }

  get serverInfo(): JsonObject | undefined {
    return this.#client.getServerVersion() as JsonObject | undefined;
  }

  get protocolVersion(): string | undefined {
    return this.#client.getNegotiatedProtocolVersion();
  }

  /** What a later connection may be told, so that it need not probe. */
  get verdict(): PriorDiscovery {
    const discover = this.#client.getDiscoverResult();
    return discover === undefined ? { kind: 'legacy' } : { kind: 'modern', discover };
  }

  /** Asks the server. An `input_required` answer comes back as it is. */
  request(
    { method, params }: Message,
    options: ConnectionRequestOptions = {},
  ): Promise<JsonObject> {
    const { onProgress, meta } = options;
    this.#waiting++;
    const token = onProgress && this.#nextToken++;
    if (token !== undefined && onProgress !== undefined) {
      this.#progress.set(token, onProgress);
      if (meta !== undefined) meta['progressToken'] = token;
    }
    const lane = method === 'tools/call' ? this.#lane : undefined;
    const asked =
      lane === undefined || params === undefined || meta === undefined
        ? this.#ask({ method, ...(params && { params }) }, options)
        : this.#call(lane, params, meta, options.watch);
    const done = (): void => {
      this.#waiting--;
      this.#progress.delete(token);
      this.#closeIfDone();
    };
    return asked.then(
      (answer) => {
        done();
        return this.#isDepthChecked ? answer : readable(answer);
      },
      (error: unknown) => {
        done();
        throw error;
      },
    );
  }

  notify({ method, params }: Message): Promise<void> {
    return this.#client.notification({ method, ...(params && { params }) });
  }

  /** Hears of changes (modern era) until what it resolves with is called, or the server ends it. */
  async listen(filter: JsonObject, timeoutMs: number, onEnd: () => void): Promise<() => void> {
    const subscription = await this.#client.listen(filter, { timeout: timeoutMs });
    void subscription.closed.then((by) => {
      if (by !== 'local') onEnd();
    });
    return () => void subscription.close().catch(() => undefined);
  }

  /** Closes once all that was asked is answered. Nothing more may be asked. */
  retire(): void {
    this.#isRetired = true;
    this.#closeIfDone();
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  #ask(
    message: Message,
    { signal, watch, headers }: ConnectionRequestOptions,
  ): Promise<JsonObject> {
    const stops = signal ?? watch?.signal;
    return this.#client.request(message, ANY_RESULT, {
      timeout: NEVER_MS,
      allowInputRequired: true,
      ...(stops && { signal: stops }),
      ...(headers && { headers }),
    });
  }

  /** Calls a tool on the lane. A modern server is told with every message who speaks, and by which revision. */
  #call(
    lane: RequestLane,
    params: JsonObject,
    meta: Record<string, JsonValue>,
    watch: CallWatch | undefined,
  ): Promise<JsonObject> {
    if (this.era === 'legacy')
      return lane.request('tools/call', params, { watch, read: readLegacyResult, meta: undefined });
    const envelope = (this.#envelope ??= this.#makeEnvelope());
    for (const key of Object.keys(envelope)) meta[key] ??= envelope[key] ?? null;
    return lane.request('tools/call', params, { watch, read: readModernResult, meta: envelope });
  }

  #makeEnvelope(): JsonObject {
    const { info, capabilities } = this.#identity;
    return {
      [VERSION]: this.protocolVersion ?? '',
      [CLIENT_INFO]: info,
      [CLIENT_CAPABILITIES]: capabilities,
    };
  }

  #hearProgress(message: JSONRPCMessage): void {
    if (!('method' in message) || message.method !== PROGRESS) return;
    const { progressToken, ...progress } = objectOf(message.params);
    this.#progress.get(progressToken)?.(progress);
  }

  #closeIfDone(): void {
    if (this.#isRetired && this.#waiting === 0) this.close().catch(() => undefined);
  }
}

function readable(answer: JsonObject): JsonObject {
  if (!isTooDeep(answer)) return answer;
  const why = `it is nested deeper than ${MAX_DEPTH} levels`;
  throw new ProtocolFault(INTERNAL_ERROR, `The answer cannot be read: ${why}`);
}
