import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Protocol } from '../../test/support/scripted-model.ts';
import { answerOf } from './turn-answer.ts';
import type { TurnAnswer } from './turn-answer.ts';
import type { Attempt, Turn, Turns } from './turn.ts';

/** How a server treats a share of what it is asked. */
export interface Mood {
  /**
   * `stall`: it says nothing more, before or in the middle of an answer. `reset`: the connection is reset there.
   * `truncate`: the answer ends there as if it were whole, or its connection is closed. `errors`: it answers with one.
   */
  readonly kind: 'well' | 'stall' | 'reset' | 'truncate' | 'errors';
  /** 0 to 1. */
  readonly share: number;
}

export const WELL: Mood = { kind: 'well', share: 0 };

const PROTOCOLS: readonly (readonly [string, Protocol])[] = [
  ['/chat/completions', 'chat'],
  ['/messages', 'messages'],
  ['/responses', 'responses'],
];

/** Connections that nobody uses are to be gone when handles are counted. */
const KEEP_ALIVE_MS = 2000;

/** A server that runs models by script, and falls ill when it is told to. */
export class ModelServer {
  readonly name: string;
  mood: Mood = WELL;
  readonly #turns: Turns;
  readonly #server: Server;
  #port = 0;
  #running = 0;
  readonly #broken = new Map<Mood['kind'], number>();

  private constructor(name: string, turns: Turns) {
    this.name = name;
    this.#turns = turns;
    this.#server = createServer({ noDelay: true, keepAliveTimeout: KEEP_ALIVE_MS });
    this.#server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#running++;
      response.on('close', () => this.#running--);
      response.on('error', () => undefined);
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(name: string, turns: Turns): Promise<ModelServer> {
    const server = new ModelServer(name, turns);
    await server.comeUp();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/v1`;
  }

  /** Answers that were begun and that nobody has closed. */
  get running(): number {
    return this.#running;
  }

  /** Answers that it has spoilt in this way. */
  brokenBy(kind: Mood['kind']): number {
    return this.#broken.get(kind) ?? 0;
  }

  /** Nobody listens on its port, and whoever was connected is not any more. */
  async goDown(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async comeUp(): Promise<void> {
    if (this.#server.listening) return;
    this.#server.listen(this.#port, '127.0.0.1', 4096);
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    if (request.method === 'GET') {
      sendJson(response, 200, { object: 'list', data: [{ id: `${this.name}-1` }] });
      return;
    }
    const body = await readAll(request);
    const protocol = PROTOCOLS.find(([ending]) => path.endsWith(ending))?.[1];
    const turn = this.#turns.askedFor(body);
    if (protocol === undefined || turn === undefined) {
      sendJson(response, 404, { error: { message: 'no such turn', type: 'not_found' } });
      return;
    }
    const { stream = false } = JSON.parse(body) as { readonly stream?: boolean };
    const attempt = { server: this.name, sealed: 0, isFinished: false, sentBytes: 0 };
    turn.attempts.push(attempt);
    await this.#tell(turn, attempt, answerOf(turn.script, protocol, stream), response, stream);
  }

  async #tell(
    { script }: Turn,
    attempt: Attempt,
    answer: TurnAnswer,
    response: ServerResponse,
    isStream: boolean,
  ): Promise<void> {
    const { dice, pauseMs } = script;
    const { kind, share } = this.mood;
    const isIll = kind !== 'well' && dice.chance(share);
    if (isIll) this.#broken.set(kind, this.brokenBy(kind) + 1);
    if (isIll && kind === 'errors') {
      const status = dice.pick([500, 502, 503, 429]);
      sendJson(response, status, {
        error: { message: `scripted ${status}`, type: 'server_error' },
      });
      return;
    }
    // Now and then before the first byte, which may be asked for again; else somewhere within, mostly in a call.
    const stopAt = isIll ? (dice.chance(0.3) ? 0 : dice.whole(1, answer.finishedAt - 1)) : Infinity;
    const isSilent = stopAt === 0 && dice.chance(0.5);
    if (!isSilent) {
      const type = isStream ? 'text/event-stream' : 'application/json';
      response.writeHead(200, { 'content-type': type });
      response.flushHeaders();
    }
    const bytes = answer.body.subarray(0, stopAt);
    const size = Math.max(1, Math.ceil(answer.body.length / script.pieces));
    for (let at = 0; at < bytes.length; at += size) {
      if (at > 0 && pauseMs > 0) await sleep(pauseMs);
      if (response.destroyed) return;
      const piece = bytes.subarray(at, at + size);
      attempt.sentBytes = at + piece.length;
      attempt.sealed = answer.sealedAt.filter((end) => end <= attempt.sentBytes).length;
      attempt.isFinished = attempt.sentBytes >= answer.finishedAt;
      response.write(piece);
    }
    if (isIll) await breakOff(kind, response, dice.chance(0.5));
    else response.end();
  }
}

async function breakOff(
  kind: Mood['kind'],
  response: ServerResponse,
  isClean: boolean,
): Promise<void> {
  if (kind === 'stall') return;
  // What was written has to be read before, or a reset takes it away.
  await sleep(10);
  if (kind === 'reset') response.socket?.resetAndDestroy();
  else if (isClean && response.headersSent) response.end();
  else response.socket?.destroy();
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
