import { CircuitStoreError, InvalidOptionError } from '../../../errors.ts';
import { checkOptions, object, text } from '../../../internal/check-options.ts';
import { systemClock } from '../../../internal/clock.ts';
import type { Clock } from '../../../internal/clock.ts';
import type {
  CircuitReport,
  CircuitStore,
  LeaseReply,
  LeaseRequest,
  NamedCircuit,
  OverrideCommand,
  ProbeSettlement,
  ReplicaRecord,
  SharedCircuit,
} from '../circuit-store.ts';
import { News } from './news.ts';
import { OpenIndex } from './open-index.ts';
import { rawAnswerOf, readAnswer, textOf } from './read-answer.ts';
import type { Answer } from './read-answer.ts';
import { readReplica } from './read-replica.ts';
import type { RedisClient } from './redis-client.ts';
import { connectionOf } from './redis-connection.ts';
import { isPrefix, RedisKeys } from './redis-keys.ts';
import {
  leaseArguments,
  numberText,
  overrideArguments,
  reportArguments,
  settleArguments,
} from './script-arguments.ts';
import { ScriptRunner } from './script-runner.ts';
import type { ScriptName } from './scripts.ts';

/** What a store is set up with where nothing else is said. */
export const REDIS_STORE_DEFAULTS: { readonly prefix: string } = Object.freeze({
  prefix: 'holdfast',
});

/** Where in Redis the circuits of a fleet are kept. */
export interface RedisCircuitStoreOptions {
  /** A connected client of `@redis/client` or `ioredis`, of one server or of a cluster. */
  readonly client: RedisClient;
  /** What all keys begin with: fleets with different prefixes know nothing of each other. @defaultValue 'holdfast' */
  readonly prefix?: string;
  /** Where time comes from, for waiting only: times of circuits are those of Redis. @defaultValue the system's clock */
  readonly clock?: Clock;
}

/**
 * The circuits of a fleet in Redis or Valkey: one hash for each, changed by scripts that touch no other key. It
 * uses the client that it is given, and a second connection of the same kind while somebody watches.
 */
export class RedisCircuitStore implements CircuitStore {
  readonly #keys: RedisKeys;
  readonly #runner: ScriptRunner;
  readonly #news: News;
  readonly #open: OpenIndex;

  constructor(options: RedisCircuitStoreOptions) {
    checkOptions(options, { client: object, prefix: text, clock: object }, 'redis store');
    const { client, prefix = REDIS_STORE_DEFAULTS.prefix, clock = systemClock } = options;
    if (!isPrefix(prefix)) {
      const expected = 'at most 64 letters, digits and _ . : / -';
      throw new InvalidOptionError('redis store.prefix', expected, prefix);
    }
    const connection = connectionOf(client);
    this.#keys = new RedisKeys(prefix);
    this.#runner = new ScriptRunner(connection, clock);
    this.#open = new OpenIndex(this.#runner, this.#keys.notClosed, () => clock.wallTime());
    this.#news = new News(connection, this.#keys.channel, clock);
  }

  async report(circuit: string, report: CircuitReport): Promise<SharedCircuit> {
    return (await this.#change('report', circuit, reportArguments(report))).shared;
  }

  async lease(circuit: string, request: LeaseRequest): Promise<LeaseReply> {
    const { isGranted, shared } = await this.#change('lease', circuit, leaseArguments(request));
    return { granted: isGranted, shared };
  }

  async settle(circuit: string, settlement: ProbeSettlement): Promise<SharedCircuit> {
    return (await this.#change('settle', circuit, settleArguments(settlement))).shared;
  }

  async override(circuit: string, command: OverrideCommand): Promise<SharedCircuit> {
    return (await this.#change('override', circuit, overrideArguments(command))).shared;
  }

  async join(replica: ReplicaRecord, ttlMs: number): Promise<number> {
    const values = [replica.id, numberText(ttlMs), JSON.stringify(replica)];
    const reply = await this.#runner.run('join', this.#keys.replicas, values);
    // A client may be set to give numbers as something else.
    const count = Number(reply);
    if (!Number.isSafeInteger(count)) throw unreadable('join', reply);
    return count;
  }

  async leave(replica: string): Promise<void> {
    await this.#runner.run('leave', this.#keys.replicas, [replica]);
  }

  async replicas(): Promise<readonly ReplicaRecord[]> {
    const records = await this.#runner.run('list', this.#keys.replicas, []);
    if (!Array.isArray(records)) throw unreadable('list', records);
    return (records as readonly unknown[])
      .map((record) => readReplica(textOf(record) ?? ''))
      .filter((record) => record !== undefined)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async notClosed(): Promise<readonly NamedCircuit[]> {
    const circuits = await this.#open.read();
    if (circuits === undefined) throw unreadable('list', circuits);
    return circuits;
  }

  watch(listener: (circuit: string, shared: SharedCircuit) => void): Promise<() => Promise<void>> {
    return this.#news.listen(listener);
  }

  async #change(name: ScriptName, circuit: string, values: readonly string[]): Promise<Answer> {
    const reply = await this.#runner.run(name, this.#keys.circuit(circuit), values);
    const raw = rawAnswerOf(reply);
    const answer = raw === undefined ? undefined : readAnswer(raw);
    if (raw === undefined || answer === undefined) throw unreadable(name, reply);
    // Whoever asked does not wait until the others know.
    if (answer.isTransition) void this.#news.tell(circuit, raw);
    if (answer.isTransition || answer.shared.state === 'closed')
      void this.#open.follow(circuit, raw, answer.shared);
    return answer;
  }
}

function unreadable(name: ScriptName, reply: unknown): CircuitStoreError {
  const received = Array.isArray(reply) ? `a list of ${reply.length} values` : typeof reply;
  return new CircuitStoreError(`Redis cannot ${name}: its answer was not understood: ${received}`);
}
