import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A way to a Redis that can be cut off: then nothing that is sent arrives, and nobody is told. */
export class RedisWire {
  readonly #server: Server;
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((near) => this.#join(near));
  }

  /** To the Redis on a port of loopback, by a port of its own. */
  static async to(target: number): Promise<RedisWire> {
    const wire = new RedisWire(target);
    wire.#server.listen(0, '127.0.0.1');
    await once(wire.#server, 'listening');
    return wire;
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.#isCut = true;
  }

  /** What was cut off is over, as parts of it are missing; new connections get through. */
  mend(): void {
    this.#isCut = false;
    this.#endAll();
  }

  async close(): Promise<void> {
    this.#endAll();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }

  #join(near: Socket): void {
    const far = connect({ host: '127.0.0.1', port: this.#target });
    this.#pass(near, far);
    this.#pass(far, near);
  }

  #pass(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.on('data', (chunk) => {
      if (!this.#isCut) to.write(chunk);
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
  }

  #endAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
