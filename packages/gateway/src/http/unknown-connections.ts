import type { Socket } from 'node:net';
import type { Clock } from '@holdfast/core';

/** How often connections are closed while there are too many. Requests that have arrived are read before that. */
const SWEEP_EVERY_MS = 1000;

/**
 * Connections from which no request was let in yet. Each takes a file descriptor, so that no more than a few may be
 * idle: the oldest of them are closed.
 */
export class UnknownConnections {
  readonly #most: number;
  readonly #clock: Clock;
  /** Whether an idle connection has outlived a sweep, the oldest first. */
  readonly #idle = new Map<Socket, boolean>();
  readonly #known = new WeakSet<Socket>();
  #cancel: (() => void) | undefined;

  constructor(most: number, clock: Clock) {
    this.#most = most;
    this.#clock = clock;
  }

  add(socket: Socket): void {
    this.#idle.set(socket, false);
    socket.once('close', () => this.#idle.delete(socket));
    this.#watch();
  }

  /** A request was let in: its connection is limited by time only. */
  letIn(socket: Socket): void {
    this.#known.add(socket);
  }

  requestBegan(socket: Socket): void {
    this.#idle.delete(socket);
  }

  requestEnded(socket: Socket): void {
    if (this.#known.has(socket) || socket.destroyed) return;
    this.#idle.set(socket, false);
    this.#watch();
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #watch(): void {
    if (this.#cancel !== undefined || this.#idle.size <= this.#most) return;
    this.#cancel = this.#clock.setTimer(() => this.#sweep(), SWEEP_EVERY_MS, true);
  }

  #sweep(): void {
    this.#cancel = undefined;
    let tooMany = this.#idle.size - this.#most;
    for (const [socket, isOld] of this.#idle) {
      if (tooMany-- <= 0) break;
      if (isOld) socket.destroy();
      else this.#idle.set(socket, true);
    }
    this.#watch();
  }
}
