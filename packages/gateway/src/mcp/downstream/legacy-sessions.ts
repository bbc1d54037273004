import { randomUUID } from 'node:crypto';
import type { Clock } from '@holdfast/core';
import { isInitializeRequest } from '@modelcontextprotocol/server';
import type { HttpExchange } from '../../http/http-exchange.ts';
import type { Logger } from '../../log/logger.ts';
import { CallLane } from './call-lane.ts';
import type { FrontDesk } from './front-desk.ts';
import { refuse } from './refuse.ts';
import { SessionTransport } from './session-transport.ts';

interface Session {
  readonly transport: SessionTransport;
  readonly close: () => Promise<void>;
  usedAt: number;
  running: number;
}

/** Clients seldom say goodbye. */
const IDLE_MS = 3_600_000;
const SWEEP_EVERY_MS = IDLE_MS / 4;
const MAX_SESSIONS = 1000;
const SESSION_NOT_FOUND = -32_001;

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

  async answer(exchange: HttpExchange, body: unknown): Promise<void> {
    const { request, response, method } = exchange;
    const id = request.headers['mcp-session-id'];
    if (typeof id === 'string') {
      const session = this.#sessions.get(id);
      if (session === undefined) {
        refuse(response, 404, 'Session not found; initialize a new one', SESSION_NOT_FOUND);
        return;
      }
      return this.#use(session, exchange, body);
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
    await this.#use(session, exchange, body);
    // A handshake that was refused began no session.
    if (!session.transport.isBegun) await this.#end(session);
  }

  async closeAll(): Promise<void> {
    this.#cancelSweep?.();
    await Promise.all([...this.#sessions.values()].map(({ close }) => close()));
    this.#sessions.clear();
  }

  async #use(session: Session, exchange: HttpExchange, body: unknown): Promise<void> {
    const { method, response } = exchange;
    if (method === 'DELETE') {
      await this.#end(session);
      response.writeHead(200).end();
      return;
    }
    if (method !== 'POST' && method !== 'GET') {
      response.setHeader('allow', 'GET, POST, DELETE');
      refuse(response, 405, 'Method not allowed.');
      return;
    }
    session.running++;
    try {
      await session.transport.answer(exchange, body);
    } finally {
      session.running--;
      session.usedAt = this.#clock.now();
    }
  }

  async #open(): Promise<Session> {
    await this.#desk.hub.ready();
    const id = randomUUID();
    const { server, answerCall } = this.#desk.legacyServer(`session:${id}`);
    const transport = new SessionTransport(id, this.#clock);
    const session: Session = {
      transport,
      close: () => server.close(),
      usedAt: this.#clock.now(),
      running: 0,
    };
    await server.connect(transport);
    new CallLane(transport, answerCall);
    this.#add(id, session);
    this.#log.debug({ sessions: this.#sessions.size }, 'a client begins a session');
    return session;
  }

  #end({ transport, close }: Session): Promise<void> {
    this.#sessions.delete(transport.sessionId);
    return close();
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
    const idle = [...this.#sessions.values()]
      .filter(({ running }) => running === 0)
      .sort((a, b) => a.usedAt - b.usedAt);
    const surplus = this.#sessions.size - MAX_SESSIONS + 1;
    for (const [at, session] of idle.entries()) {
      if (at >= surplus && now - session.usedAt < IDLE_MS) break;
      this.#end(session).catch(() => undefined);
    }
  }
}
