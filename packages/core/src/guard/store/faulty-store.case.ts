import type { Clock } from '../../internal/clock.ts';
import type {
  CircuitReport,
  CircuitStore,
  LeaseReply,
  LeaseRequest,
  OverrideCommand,
  ProbeSettlement,
  ReplicaRecord,
  SharedCircuit,
} from './circuit-store.ts';

export type StoreFault =
  /** The question never gets there, and nothing comes back. */
  | 'silent'
  /** The question gets there, and the answer is lost. */
  | 'mute'
  /** The question gets there, and is answered when the store goes on. */
  | 'paused'
  | 'reject'
  | 'throw';

/** One operation that was asked for. */
export interface AskedOperation {
  readonly at: number;
  readonly operation: string;
  readonly circuit: string;
  /** What the store was told with it. */
  readonly told: unknown;
}

/** A replica's way to a store: slow, broken or gone as the test wants it, and it remembers what was asked. */
export class FaultyStore implements CircuitStore {
  fault: StoreFault | undefined;
  /** Says the fault of each operation, where that differs. */
  faultOf: ((operation: string) => StoreFault | undefined) | undefined;
  /** How long a question takes to get there, and an answer to get back. */
  delayMs: () => number = () => 0;
  readonly asked: AskedOperation[] = [];
  /** Operations that were neither answered nor refused. */
  pending = 0;
  /** The store at the other end. */
  inner: CircuitStore;
  readonly #clock: Clock;
  /** What waits for it to go on. */
  readonly #held: (() => void)[] = [];

  constructor(inner: CircuitStore, clock: Clock) {
    this.inner = inner;
    this.#clock = clock;
  }

  /** It answers again, and first what it was asked while it was paused. */
  goOn(): void {
    this.fault = undefined;
    for (const release of this.#held.splice(0)) release();
  }

  countOf(operation: string): number {
    return this.asked.filter((one) => one.operation === operation).length;
  }

  /** When each operation of a kind was asked for, and with what. */
  askedFor<T>(operation: string): (T & { readonly at: number })[] {
    return this.asked
      .filter((one) => one.operation === operation)
      .map(({ at, told }) => ({ ...(told as T), at }));
  }

  report(circuit: string, report: CircuitReport): Promise<SharedCircuit> {
    return this.#pass('report', circuit, report, () => this.inner.report(circuit, report));
  }

  lease(circuit: string, request: LeaseRequest): Promise<LeaseReply> {
    return this.#pass('lease', circuit, request, () => this.inner.lease(circuit, request));
  }

  settle(circuit: string, settlement: ProbeSettlement): Promise<SharedCircuit> {
    return this.#pass('settle', circuit, settlement, () => this.inner.settle(circuit, settlement));
  }

  override(circuit: string, command: OverrideCommand): Promise<SharedCircuit> {
    return this.#pass('override', circuit, command, () => this.inner.override(circuit, command));
  }

  join(replica: ReplicaRecord, ttlMs: number): Promise<number> {
    return this.#pass('join', '', { ...replica, ttlMs }, () => this.inner.join(replica, ttlMs));
  }

  leave(replica: string): Promise<void> {
    return this.#pass('leave', '', replica, () => this.inner.leave(replica));
  }

  replicas(): Promise<readonly ReplicaRecord[]> {
    return this.#pass('replicas', '', undefined, () => this.inner.replicas());
  }

  #pass<T>(operation: string, circuit: string, told: unknown, ask: () => Promise<T>): Promise<T> {
    this.asked.push({ at: this.#clock.now(), operation, circuit, told });
    const fault = this.faultOf?.(operation) ?? this.fault;
    if (fault === 'throw') throw new Error('no connection');
    this.pending++;
    if (fault === 'silent') return new Promise(() => undefined);
    const answer = fault === 'reject' ? REFUSED() : this.#deliver(ask, fault);
    return answer.finally(() => this.pending--);
  }

  async #deliver<T>(ask: () => Promise<T>, fault: StoreFault | undefined): Promise<T> {
    await this.#wait(this.delayMs());
    if (fault === 'paused') await new Promise<void>((resolve) => this.#held.push(resolve));
    const answer = await ask();
    if (fault === 'mute') await new Promise(() => undefined);
    await this.#wait(this.delayMs());
    return answer;
  }

  async #wait(ms: number): Promise<void> {
    if (ms > 0) await new Promise<void>((resolve) => this.#clock.setTimer(resolve, ms));
  }
}

const REFUSED = async (): Promise<never> => {
  await Promise.resolve();
  throw new Error('connect ECONNREFUSED redis://user:hunter2hunter2@10.0.0.1:6379');
};
