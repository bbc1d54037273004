import { createHash } from 'node:crypto';
import type { Clock, JsonObject } from '@holdfast/core';
import { ClientGoneError } from '../../http/client-gone-error.ts';
import type { HttpExchange } from '../../http/http-exchange.ts';
import { textOf } from '../../proxy/json/json-fields.ts';
import type { FrontDesk } from './front-desk.ts';
import { HttpAnswer } from './http-answer.ts';
import { ModernWire } from './modern-wire.ts';
import type { PlainRequest } from './plain-request.ts';

/**
 * Requests of modern clients over HTTP, all answered by one server of the SDK: none knows of another, and a server
 * each would cost more than the way to the tools.
 */
export class ModernRequests {
  readonly #desk: FrontDesk;
  readonly #clock: Clock;
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
    const wire = this.#open(revision);
    const answer = new HttpAnswer(response, { clock: this.#clock });
    const credential = request.headers.authorization ?? '';
    const id = wire.take(message, { id: message.id, credential, answer });
    const cancel = (): void => {
      wire.cancel(id);
      if (signal.reason instanceof ClientGoneError) return;
      const error = { code: -32_000, message: 'The gateway is shutting down' };
      answer.finish({ jsonrpc: '2.0', id: message.id, error }, 503);
    };
    signal.addEventListener('abort', cancel, { once: true });
    await answer.closed;
    signal.removeEventListener('abort', cancel);
    wire.cancel(id);
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
    }));
    // What it awaits is `start`, of which the wire has nothing to do.
    void server.connect(wire);
    this.#wire = wire;
    return wire;
  }
}

/**
 * Modern clients have no sessions. Those of one name with the same credentials are taken for one; hashed, so that
 * no credential is kept.
 */
export function clientKey(info: JsonObject | undefined, credential: string): string {
  const about = [textOf(info?.['name']), textOf(info?.['version']), credential];
  return `modern:${createHash('sha256').update(JSON.stringify(about)).digest('base64url')}`;
}
