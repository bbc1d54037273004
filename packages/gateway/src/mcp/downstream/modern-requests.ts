import { createHash } from 'node:crypto';
import type { Clock, JsonObject } from '@holdfast/core';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import { ClientGoneError } from '../../http/client-gone-error.ts';
import type { HttpExchange } from '../../http/http-exchange.ts';
import { objectOf, textOf } from '../../proxy/json/json-fields.ts';
import { CallSignal } from '../call-signal.ts';
import type { Message } from '../exchange.ts';
import type { FrontDesk } from './front-desk.ts';
import { errorAnswer } from './error-answer.ts';
import { HttpAnswer } from './http-answer.ts';
import { MISSING_CAPABILITY, ModernWire } from './modern-wire.ts';
import { KnownClient } from './plain-call.ts';
import type { PlainRequest } from './plain-request.ts';

/** How many credentials are remembered with what their clients said of themselves. */
const MOST_KNOWN = 100;

/**
 * Requests of modern clients over HTTP, all answered by one server of the SDK: none knows of another, and a server
 * each would cost more than the way to the tools.
 */
export class ModernRequests {
  readonly #desk: FrontDesk;
  readonly #clock: Clock;
  /** By credential, hashed: what its clients said of themselves last. */
  readonly #known = new Map<string, KnownClient>();
  #wire: ModernWire | undefined;

  constructor(desk: FrontDesk, clock: Clock) {
    this.#desk = desk;
    this.#clock = clock;
  }

  /** Resolves when the answer is sent, or nobody waits for it. */
  async answer(
    { request, response, signal }: HttpExchange,
    { message, revision }: PlainRequest,
  ): Promise<void> {
    await this.#desk.hub.ready();
    // Whoever went away while the servers started asks for nothing any more, and nobody would hear of its end.
    if (response.closed) return;
    const answer = new HttpAnswer(response, { clock: this.#clock });
    const credential = request.headers.authorization ?? '';
    const cancelCall =
      this.#callKnown(message, credential, answer) ??
      this.#pass(message, revision, credential, answer);
    const cancel = (): void => {
      cancelCall();
      if (signal.reason instanceof ClientGoneError) return;
      const error = { code: -32_000, message: 'The gateway is shutting down' };
      answer.finish({ jsonrpc: '2.0', id: message.id, error }, 503);
    };
    signal.addEventListener('abort', cancel, { once: true });
    await answer.closed;
    signal.removeEventListener('abort', cancel);
    cancelCall();
  }

  /** Answers a tool call of a client that is known. Returns what takes it back, or nothing where it is the SDK's. */
  #callKnown(
    { id, method, params: given }: JSONRPCRequest,
    credential: string,
    answer: HttpAnswer,
  ): (() => void) | undefined {
    const params = objectOf(given);
    const client =
      method === 'tools/call' ? this.#known.get(hashOf(credential))?.of(params) : undefined;
    if (client === undefined) return undefined;
    const signal = new CallSignal();
    const notify = ({ method: told, params: about }: Message): void =>
      void answer
        .tell({ jsonrpc: '2.0', method: told, ...(about && { params: about }) })
        .catch(() => undefined);
    let isOver = false;
    const finish = (message: JSONRPCMessage): void => {
      if (!isOver) answer.finish(message, statusOf(message));
      isOver = true;
    };
    this.#desk.answerKnown(params, client, { signal, requestId: id, notify }).then(
      (result) => finish({ jsonrpc: '2.0', id, result }),
      (error: unknown) => finish(errorAnswer(id, error)),
    );
    return () => {
      if (isOver) return;
      isOver = true;
      signal.abort('the client has gone');
    };
  }

  /** Leaves a request to the SDK. Returns what takes it back. */
  #pass(
    message: JSONRPCRequest,
    revision: string,
    credential: string,
    answer: HttpAnswer,
  ): () => void {
    const wire = this.#open(revision);
    const id = wire.take(message, { id: message.id, credential, answer });
    return () => wire.cancel(id);
  }

  #knownOf(credential: string): KnownClient {
    const key = hashOf(credential);
    const known = this.#known.get(key) ?? new KnownClient();
    // The one that was added first goes first.
    for (const oldest of this.#known.keys()) {
      if (this.#known.size < MOST_KNOWN || this.#known.has(key)) break;
      this.#known.delete(oldest);
    }
    this.#known.set(key, known);
    return known;
  }

  /** A server is of one revision, and says in each result whom it speaks for. Of an older one nothing new is asked. */
  #open(revision: string): ModernWire {
    const { serverInfo } = this.#desk.hub;
    const open = this.#wire;
    if (open?.serverInfo === serverInfo && open?.revision === revision) return open;
    const wire = new ModernWire(revision, serverInfo);
    const server = this.#desk.passingServer(revision, (info, id) => ({
      key: clientKey(info, wire.credentialOf(id)),
      isGuessed: true,
      requestId: wire.givenId(id),
      known: this.#knownOf(wire.credentialOf(id)),
    }));
    // What it awaits is `start`, of which the wire has nothing to do.
    void server.connect(wire);
    this.#wire = wire;
    return wire;
  }
}

/** A call that wants what its client cannot give is refused by the status, too. */
function statusOf(message: JSONRPCMessage): number {
  return 'error' in message && message.error.code === MISSING_CAPABILITY ? 400 : 200;
}

/**
 * Modern clients have no sessions. Those of one name with the same credentials are taken for one; hashed, so that
 * no credential is kept.
 */
export function clientKey(info: JsonObject | undefined, credential: string): string {
  const about = [textOf(info?.['name']), textOf(info?.['version']), credential];
  return `modern:${hashOf(JSON.stringify(about))}`;
}

function hashOf(text: string): string {
  return text === '' ? '' : createHash('sha256').update(text).digest('base64url');
}
