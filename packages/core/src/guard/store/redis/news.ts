import type { Clock } from '../../../internal/clock.ts';
import type { SharedCircuit } from '../circuit-store.ts';
import { rawAnswerOf, readAnswer } from './read-answer.ts';
import type { RawAnswer } from './read-answer.ts';
import { readJson } from './read-json.ts';
import type { RedisConnection, Subscription } from './redis-connection.ts';

export type NewsListener = (circuit: string, shared: SharedCircuit) => void;

/** A name that is longer is not told to everybody: who wants to know of it asks. */
const LONGEST_NAME = 1_000;
/** Whoever begins to listen waits no longer than this for a server that does not answer. */
const READY_WITHIN_MS = 2_000;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;

/**
 * Transitions, told to all replicas on one channel. There is a connection for it while somebody listens; one that
 * the client has given up is made anew. What is lost meanwhile comes with the next report.
 */
export class News {
  readonly #connection: RedisConnection;
  readonly #channel: string;
  readonly #clock: Clock;
  readonly #listeners = new Set<NewsListener>();
  #subscription: Subscription | undefined;
  #cancelRetry: (() => void) | undefined;
  #retryMs = FIRST_RETRY_MS;

  constructor(connection: RedisConnection, channel: string, clock: Clock) {
    this.#connection = connection;
    this.#channel = channel;
    this.#clock = clock;
  }

  /** Resolves when it is told, whether or not anybody hears it. */
  async tell(circuit: string, answer: RawAnswer): Promise<void> {
    if (circuit.length > LONGEST_NAME) return;
    try {
      await this.#connection.publish(this.#channel, JSON.stringify([circuit, ...answer]));
    } catch {
      // It only makes the news come sooner.
    }
  }

  /** Resolves when news come, or it is clear that they will take a while. */
  async listen(listener: NewsListener): Promise<() => Promise<void>> {
    // The same function may listen twice.
    const own: NewsListener = (circuit, shared) => listener(circuit, shared);
    this.#listeners.add(own);
    if (this.#listeners.size === 1) this.#subscribe();
    if (this.#subscription !== undefined) await this.#settled(this.#subscription.ready);
    return async () => {
      if (this.#listeners.delete(own) && this.#listeners.size === 0) await this.#stop();
    };
  }

  #subscribe(): void {
    const end = (): void => {
      if (this.#subscription === subscription) this.#subscribeLater();
    };
    const subscription = this.#connection.subscribe(this.#channel, {
      heard: (message) => this.#hear(message),
      ended: end,
    });
    this.#subscription = subscription;
    subscription.ready.then(() => (this.#retryMs = FIRST_RETRY_MS), end);
  }

  #subscribeLater(): void {
    const ended = this.#subscription;
    this.#subscription = undefined;
    if (ended !== undefined) void quietly(ended);
    this.#cancelRetry = this.#clock.setTimer(() => this.#subscribe(), this.#retryMs, true);
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
  }

  async #stop(): Promise<void> {
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    const subscription = this.#subscription;
    this.#subscription = undefined;
    if (subscription !== undefined) await quietly(subscription);
  }

  #hear(message: string): void {
    const value = readJson(message);
    if (!Array.isArray(value)) return;
    const [circuit, ...fields] = value as readonly unknown[];
    const raw = rawAnswerOf(fields);
    const answer = raw === undefined ? undefined : readAnswer(raw);
    if (typeof circuit !== 'string' || answer === undefined) return;
    for (const listener of [...this.#listeners]) {
      try {
        listener(circuit, answer.shared);
      } catch {
        // Thrown into the client, it would end the connection or the process.
      }
    }
  }

  /** Waits until it is ready, has failed, or takes too long. */
  #settled(ready: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.setTimer(resolve, READY_WITHIN_MS, true);
      const done = (): void => {
        cancel();
        resolve();
      };
      ready.then(done, done);
    });
  }
}

async function quietly(subscription: Subscription): Promise<void> {
  try {
    await subscription.stop();
  } catch {
    // It had ended already.
  }
}
