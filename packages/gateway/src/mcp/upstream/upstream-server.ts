import type { Clock, JsonObject } from '@holdfast/core';
import { backoffDelay } from '@holdfast/core/guard';
import type { BackoffSettings } from '@holdfast/core/guard';
import type { Transport } from '@modelcontextprotocol/client';
import { safeLine } from '../../cli/safe-text.ts';
import type { Logger } from '../../log/logger.ts';
import type { ServerChanged } from '../../observe/gateway-event.ts';
import { NotSentError } from '../call/not-sent-error.ts';
import type { Exchange, Message } from '../exchange.ts';
import type { McpServerConfig } from '../mcp-config.ts';
import { ChildTransport } from '../stdio/child-transport.ts';
import { LineQuota } from '../stdio/line-quota.ts';
import { LOG_LINES_PER_SECOND } from '../stdio/message-reader.ts';
import type { ClientIdentity, Connection, ConnectionRequestOptions } from './connection.ts';
import type { EraVerdicts } from './era-verdicts.ts';
import { openConnection } from './open-connection.ts';
import { isSessionGone, readRequestError } from './read-request-error.ts';
import { SseTransport } from './sse-transport.ts';

/** What a server says outside of answers, and what becomes of it. */
export interface UpstreamListener {
  /** The server asks for something that only a client has. */
  onRequest(server: UpstreamServer, request: Message, signal: AbortSignal): Promise<JsonObject>;
  onNotification(server: UpstreamServer, notification: Message): void;
  /** It is there again, or for the first time: what it offers may have changed. */
  onConnected(server: UpstreamServer): void;
  /** Told how it is, for those who watch. */
  onState?(server: UpstreamServer, state: ServerChanged['state'], reason?: string): void;
}

export interface UpstreamServerOptions {
  readonly config: McpServerConfig;
  readonly identity: ClientIdentity;
  readonly listener: UpstreamListener;
  readonly prefer?: 'legacy' | undefined;
  readonly connectTimeoutMs: number;
  readonly verdicts: EraVerdicts;
  readonly createTransport: (server: McpServerConfig, log: Logger) => Transport;
  readonly clock: Clock;
  readonly random?: () => number;
  readonly log: Logger;
}

/** How a server is, for people. */
export interface UpstreamStatus {
  readonly state: 'new' | 'connecting' | 'connected' | 'waiting' | 'closed';
  readonly era?: 'legacy' | 'modern';
  readonly protocol_version?: string;
  /** Why it is not connected. */
  readonly reason?: string;
  /** Since when it is connected, or is not. */
  readonly since: string;
  /** Why a connection was last lost or could not be made. It stays when there is one again. */
  readonly last_error?: { readonly at: string; readonly message: string };
  /** Times it was connected to anew. */
  readonly reconnects: number;
  /** Unrequested messages over the limit. */
  readonly dropped_messages: number;
  readonly running_requests: number;
}

const BACKOFF: BackoffSettings = {
  initialDelayMs: 500,
  multiplier: 2,
  maxDelayMs: 30_000,
  jitter: 'equal',
};

const LONGEST_REASON = 300;

/** A connection that lasted this long was a good one: the next failure starts with a short delay again. */
const STEADY_MS = 10_000;

/** Whoever needs a server that is tried again so soon waits for it: a crash costs the next call no more than that. */
const WORTH_WAITING_MS = 1000;

/** One MCP server: connected when it is first needed, and again whenever it went away. */
export class UpstreamServer {
  readonly config: McpServerConfig;
  /** What it is being asked now. */
  readonly running = new Set<Exchange>();
  /** How many lines a second the log takes of what the server does. */
  readonly lines: LineQuota;
  readonly #options: UpstreamServerOptions;
  readonly #log: Logger;
  #connection: Connection | undefined;
  /** Several who need a connection wait for one. */
  #connecting: Promise<Connection> | undefined;
  /** What is being connected. */
  #opening: Transport | undefined;
  /** Since it last did something for somebody: what works is started again soon, however often it dies. */
  #failures = 0;
  #reconnects = -1;
  #dropped = 0;
  /** Tells of dropped messages, at most once a second. */
  readonly #overLimit: LineQuota;
  #connectedAt = 0;
  #retryAt = 0;
  #reason: string | undefined;
  /** When it was last connected or lost, in milliseconds since 1970. */
  #since: number;
  #lastError: UpstreamStatus['last_error'];
  #cancelRetry: (() => void) | undefined;
  #isClosed = false;

  constructor(options: UpstreamServerOptions) {
    this.config = options.config;
    this.#options = options;
    this.#log = options.log.child({ server: options.config.name });
    this.lines = new LineQuota({
      perSecond: LOG_LINES_PER_SECOND,
      clock: options.clock,
      onDropped: (lines) => this.#log.warn({ lines }, 'more lines about the server'),
    });
    this.#overLimit = new LineQuota({
      perSecond: 0,
      clock: options.clock,
      onDropped: (messages) =>
        this.#log.warn({ messages }, 'the server sends more than it may; messages were dropped'),
    });
    this.#since = options.clock.wallTime();
  }

  get name(): string {
    return this.config.name;
  }

  /** The connection, if there is one now. */
  get current(): Connection | undefined {
    return this.#connection;
  }

  get status(): UpstreamStatus {
    const era = this.#connection?.era;
    const version = this.#connection?.protocolVersion;
    return {
      state: this.#state(),
      ...(era !== undefined && { era }),
      ...(version !== undefined && { protocol_version: version }),
      ...(this.#connection === undefined && this.#reason !== undefined && { reason: this.#reason }),
      since: new Date(this.#since).toISOString(),
      ...(this.#lastError !== undefined && { last_error: this.#lastError }),
      reconnects: Math.max(0, this.#reconnects),
      dropped_messages: this.#dropped,
      running_requests: this.running.size,
    };
  }

  /** The connection, made if there is none. Rejects with a `NotSentError` that says why there is none. */
  async connect(): Promise<Connection> {
    if (this.#connection !== undefined) return this.#connection;
    if (this.#isClosed) throw new NotSentError(`${this.name} is closed`);
    const waitMs = this.#retryAt - this.#options.clock.now();
    if (this.#connecting === undefined && waitMs > WORTH_WAITING_MS) {
      const seconds = Math.ceil(waitMs / 1000);
      throw new NotSentError(
        `${this.name} is not running (${this.#reason ?? 'it ended'}); it is tried again in ${seconds} s`,
      );
    }
    this.#connecting ??= this.#openAfter(waitMs).finally(() => (this.#connecting = undefined));
    return this.#connecting;
  }

  /**
   * Asks the server for an exchange. A session that it has forgotten is begun anew, once: it cannot have done
   * what it refused to hear.
   */
  async request(
    message: Message,
    options: ConnectionRequestOptions = {},
    exchange?: Exchange,
  ): Promise<JsonObject> {
    const connection = this.#connection ?? (await this.connect());
    if (exchange !== undefined) this.running.add(exchange);
    try {
      const answer = await connection.request(message, options);
      if (message.method === 'tools/call') this.#failures = 0;
      return answer;
    } catch (error) {
      if (!isSessionGone(error) || connection.era === 'modern') {
        throw readRequestError(error, this.name, this.#reason);
      }
      this.#log.info({}, 'the server has forgotten the session; a new one is begun');
      this.#drop(connection, 'the session ended');
      this.#retryAt = 0;
      const next = await this.connect();
      try {
        return await next.request(message, options);
      } catch (again) {
        throw readRequestError(again, this.name, this.#reason);
      }
    } finally {
      if (exchange !== undefined) this.running.delete(exchange);
    }
  }

  /**
   * Ends the connection, if there is one, and makes a new one without waiting for the next attempt. Requests that run
   * on it fail. Rejects as `connect` does.
   */
  async reconnect(): Promise<void> {
    const connection = this.#connection;
    if (connection !== undefined) {
      this.#drop(connection, 'it is reconnected');
      await connection.close().catch(() => undefined);
    }
    this.#failures = 0;
    this.#retryAt = 0;
    await this.connect();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRetry?.();
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection !== undefined) this.#options.listener.onState?.(this, 'stopped');
    await connection?.close().catch(() => undefined);
    // A server that does not answer is not waited for.
    await this.#opening?.close().catch(() => undefined);
    await this.#connecting?.catch(() => undefined);
  }

  #state(): UpstreamStatus['state'] {
    if (this.#isClosed) return 'closed';
    if (this.#connection !== undefined) return 'connected';
    if (this.#connecting !== undefined) return 'connecting';
    return this.#reason === undefined ? 'new' : 'waiting';
  }

  /** Takes the place of the attempt that is planned. */
  async #openAfter(waitMs: number): Promise<Connection> {
    this.#cancelRetry?.();
    if (waitMs > 0) {
      await new Promise<void>((resolve) => {
        const cancel = this.#options.clock.setTimer(resolve, waitMs);
        this.#cancelRetry = () => {
          cancel();
          resolve();
        };
      });
    }
    return this.#open();
  }

  async #open(): Promise<Connection> {
    const { config, identity, listener, prefer, verdicts, createTransport, clock } = this.#options;
    this.#cancelRetry?.();
    listener.onState?.(this, 'connecting');
    let transport: Transport | undefined;
    try {
      const connection = await openConnection({
        server: config,
        identity,
        prefer,
        timeoutMs: this.#options.connectTimeoutMs,
        verdicts,
        clock,
        createTransport: (server, log) => {
          if (this.#isClosed) throw new NotSentError(`${this.name} is closed`);
          return (this.#opening = transport = createTransport(server, log));
        },
        log: this.#options.log,
        listener: {
          onRequest: (request, signal) => listener.onRequest(this, request, signal),
          onNotification: (notification) => listener.onNotification(this, notification),
          onClose: (ended) =>
            this.#ended(ended, reasonOf(transport) ?? 'the connection was closed'),
          onDropped: () => {
            this.#dropped++;
            this.#overLimit.admit();
          },
          onOddity: (error) => {
            if (this.lines.admit()) this.#log.debug({ error }, 'something odd on the connection');
          },
        },
      });
      if (this.#isClosed) {
        await connection.close().catch(() => undefined);
        throw new NotSentError(`${this.name} is closed`);
      }
      this.#connection = connection;
      this.#connectedAt = clock.now();
      this.#reconnects++;
      this.#reason = undefined;
      this.#since = clock.wallTime();
      const { era, protocolVersion } = connection;
      this.#log.info({ era, protocolVersion }, 'connected');
      listener.onState?.(this, 'connected');
      listener.onConnected(this);
      return connection;
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      // What a server answers to a handshake may be a whole page.
      const why = reasonOf(transport) ?? safeLine(said).slice(0, LONGEST_REASON);
      this.#failed(why);
      if (!this.#isClosed) listener.onState?.(this, 'lost', why);
      await transport?.close().catch(() => undefined);
      this.#planRetry();
      this.#log.warn({ error, reason: why }, 'could not connect');
      throw new NotSentError(`${this.name} could not be started or reached: ${why}`, {
        cause: error,
      });
    } finally {
      this.#opening = undefined;
    }
  }

  #ended(connection: Connection, why: string): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.#failed(why);
    this.#since = this.#options.clock.wallTime();
    this.#overLimit.tell();
    this.lines.tell();
    if (this.#isClosed) return;
    if (this.#options.clock.now() - this.#connectedAt >= STEADY_MS) this.#failures = 0;
    this.#log.warn({ reason: why }, 'connection ended');
    this.#options.listener.onState?.(this, 'lost', why);
    this.#planRetry();
  }

  /** What else was asked on the connection finds out for itself: some of it may still be answered. */
  #drop(connection: Connection, why: string): void {
    if (this.#connection === connection) {
      this.#connection = undefined;
      this.#reason = why;
      this.#since = this.#options.clock.wallTime();
      this.#options.listener.onState?.(this, 'lost', why);
    }
    connection.retire();
  }

  #failed(message: string): void {
    this.#reason = message;
    const at = new Date(this.#options.clock.wallTime()).toISOString();
    this.#lastError = { at, message };
  }

  /** The next attempt is made even if nobody asks, so that a server that comes back is there before it is needed. */
  #planRetry(): void {
    if (this.#isClosed) return;
    const { clock, random = Math.random } = this.#options;
    const delayMs = backoffDelay(++this.#failures, BACKOFF, random);
    this.#retryAt = clock.now() + delayMs;
    this.#cancelRetry?.();
    this.#cancelRetry = clock.setTimer(
      () => {
        this.#retryAt = 0;
        this.connect().catch(() => undefined);
      },
      delayMs,
      true,
    );
  }
}

/** What the transport knows of its end: the exit of a process, with its last words. */
function reasonOf(transport: Transport | undefined): string | undefined {
  const isKnown = transport instanceof ChildTransport || transport instanceof SseTransport;
  return isKnown ? transport.ending : undefined;
}
