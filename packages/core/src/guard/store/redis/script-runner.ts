import { CircuitStoreError } from '../../../errors.ts';
import type { MonotonicClock } from '../../../internal/clock.ts';
import type { RedisConnection } from './redis-connection.ts';
import { SCRIPTS } from './scripts.ts';
import type { ScriptName } from './scripts.ts';

/** So many commands may wait for a server that is not there yet, or has stopped answering. */
const MOST_WAITING = 16;
/** With commands under way and none answered for so long, a server has stopped answering. */
const STALLED_MS = 5_000;

/**
 * Runs scripts, by their hash where the server has them. A client that is not connected would keep what it is
 * given until it is, and send it then, when it is long out of date: it is not given any.
 */
export class ScriptRunner {
  readonly #connection: RedisConnection;
  readonly #clock: MonotonicClock;
  #unanswered = 0;
  /** When the last answer came, or the first of what is unanswered was sent. */
  #quietSince = 0;
  #wasReady = false;

  constructor(connection: RedisConnection, clock: MonotonicClock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  /** Why nothing can be sent now; undefined where it can. */
  whyNot(): string | undefined {
    const isFull = this.#unanswered >= MOST_WAITING;
    if (!this.#connection.isReady()) {
      // One that was never connected is about to be, by whoever made it.
      return this.#wasReady || isFull ? 'the client is not connected' : undefined;
    }
    this.#wasReady = true;
    const quietMs = this.#clock.now() - this.#quietSince;
    if (!isFull || quietMs <= STALLED_MS) return undefined;
    return `${this.#unanswered} commands are unanswered, and none was in ${Math.round(quietMs)} ms`;
  }

  async run(name: ScriptName, key: string, values: readonly string[]): Promise<unknown> {
    const why = this.whyNot();
    if (why !== undefined) throw new CircuitStoreError(`Redis cannot ${name}: ${why}`);
    if (this.#unanswered === 0) this.#quietSince = this.#clock.now();
    this.#unanswered++;
    try {
      return await this.#evaluate(name, key, values);
    } catch (error) {
      throw new CircuitStoreError(`Redis cannot ${name}: ${messageOf(error)}`, error);
    } finally {
      this.#unanswered--;
      this.#quietSince = this.#clock.now();
    }
  }

  async #evaluate(name: ScriptName, key: string, values: readonly string[]): Promise<unknown> {
    const { sha1, lua } = SCRIPTS[name];
    try {
      return await this.#connection.evalSha(sha1, key, values);
    } catch (error) {
      // Never seen, or flushed since; on a cluster each node has its own.
      if (!messageOf(error).startsWith('NOSCRIPT')) throw error;
      return this.#connection.eval(lua, key, values);
    }
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
