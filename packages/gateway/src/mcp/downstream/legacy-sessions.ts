import { randomUUID } from 'node:crypto';
import { finished } from 'node:stream/promises';
import type { Clock } from '@holdfast/core';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { isInitializeRequest } from '@modelcontextprotocol/server';
import type { HttpExchange } from '../../http/http-exchange.ts';
import { sendJson } from '../../http/send-json.ts';
import type { Logger } from '../../log/logger.ts';
import { EventLog } from './event-log.ts';
import type { FrontDesk } from './front-desk.ts';

interface Session {
  readonly transport: NodeStreamableHTTPServerTransport;
  readonly close: () => Promise<void>;
  usedAt: number;
  running: number;
}

/** Clients seldom say goodbye. */
const IDLE_MS = 3_600_000;
const SWEEP_EVERY_MS = IDLE_MS / 4;
const MAX_SESSIONS = 1000;
/** After which a client whose stream broke comes back for the rest. */
const RETRY_MS = 1000;

/** Clients of the legacy era over HTTP, each with a session of its own. */
export class LegacySessions {
  readonly #desk: FrontDesk;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #sessions = new Map<string, Session>();
  #cancelSweep: (() => void) | undefined;

  constructor(desk: FrontDesk, clock: Clock, log: Logger) {
    this.#desk = desk;
    this.#clock = clock;
    this.#log = log;
  }

  get size(): number {
    return this.#sessions.size;
  }

  async answer({ request, response, method }: HttpExchange, body: unknown): Promise<void> {
    const id = request.headers['mcp-session-id'];
    if (typeof id === 'string') {
      const session = this.#sessions.get(id);
      if (session === undefined) {
        refuse(response, 404, 'Session not found; initialize a new one');
        return;
      }
      return this.#use(session, request, response, body);
    }
    const messages = Array.isArray(body) ? (body as readonly unknown[]) : [body];
    if (method !== 'POST' || !messages.some((message) => isInitializeRequest(message))) {
      refuse(response, 400, 'Bad Request: the Mcp-Session-Id header is missing');
      return;
    }
    this.#sweep();
    if (this.#sessions.size >= MAX_SESSIONS) {
      response.setHeader('retry-after', '60');
      refuse(response, 503, `Too many clients: ${MAX_SESSIONS} sessions are in use`);
      return;
    }
    const session = await this.#open();
    await this.#use(session, request, response, body);
    // A handshake that was refused began no session.
    const { sessionId } = session.transport;
    if (sessionId === undefined || !this.#sessions.has(sessionId)) await session.close();
  }

  async closeAll(): Promise<void> {
    this.#cancelSweep?.();
    await Promise.all([...this.#sessions.values()].map(({ close }) => close()));
    this.#sessions.clear();
  }

  async #use(
    session: Session,
    request: HttpExchange['request'],
    response: HttpExchange['response'],
    body: unknown,
  ): Promise<void> {
    session.running++;
    try {
      await session.transport.handleRequest(request, response, body);
      // It returns while the end of a large answer still waits for the client to read.
      await finished(response).catch(() => undefined);
    } finally {
      session.running--;
      session.usedAt = this.#clock.now();
    }
  }

  async #open(): Promise<Session> {
    await this.#desk.hub.ready();
    const id = randomUUID();
    const server = this.#desk.legacyServer(`session:${id}`);
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      eventStore: new EventLog(),
      retryInterval: RETRY_MS,
      onsessioninitialized: () => this.#add(id, session),
      onsessionclosed: () => void this.#sessions.delete(id),
    });
    const session: Session = {
      transport,
      close: () => server.close(),
      usedAt: this.#clock.now(),
      running: 0,
    };
    await server.connect(transport);
    this.#log.debug({ sessions: this.#sessions.size + 1 }, 'a client begins a session');
    return session;
  }

  #add(id: string, session: Session): void {
    this.#sessions.set(id, session);
    const planSweep = (): (() => void) =>
      this.#clock.setTimer(
        () => {
          this.#sweep();
          this.#cancelSweep = this.#sessions.size > 0 ? planSweep() : undefined;
        },
        SWEEP_EVERY_MS,
        true,
      );
    this.#cancelSweep ??= planSweep();
  }

  /** Ends what nobody uses, and the longest unused where there are too many. */
  #sweep(): void {
    const now = this.#clock.now();
    const idle = [...this.#sessions]
      .filter(([, { running }]) => running === 0)
      .sort(([, a], [, b]) => a.usedAt - b.usedAt);
    const surplus = this.#sessions.size - MAX_SESSIONS + 1;
    for (const [at, [id, session]] of idle.entries()) {
      if (at >= surplus && now - session.usedAt < IDLE_MS) break;
      this.#sessions.delete(id);
      session.close().catch(() => undefined);
    }
  }
}

function refuse(response: HttpExchange['response'], status: number, message: string): void {
  sendJson(response, status, { jsonrpc: '2.0', error: { code: -32_000, message }, id: null });
}
