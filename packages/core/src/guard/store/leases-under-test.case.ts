import { CIRCUIT_RULES, CircuitMachine } from '../../internal/circuit-machine.ts';
import type { CircuitRules, CircuitState, Permit } from '../../internal/circuit-machine.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import { resolveEnvironment } from '../guard-environment.ts';
import type { LeaseRequest, ProbeSettlement, SharedCircuit } from './circuit-store.ts';
import { FaultyStore } from './faulty-store.case.ts';
import { MemoryCircuitStore } from './memory-circuit-store.ts';
import { ProbeLeases } from './probe-leases.ts';
import type { LeasedCircuit } from './probe-leases.ts';
import { StoreLink } from './store-link.ts';

type At<T> = T & { readonly at: number };

/**
 * The leases of a circuit that its fleet holds half-open. They are stepped when they ask for it and at no other
 * time, so that nothing but they can remember what is due.
 */
export class LeasesUnderTest implements LeasedCircuit {
  readonly name = 'search';
  readonly replica = 'r0';
  readonly clock = new ManualClock(1000);
  readonly memory = new MemoryCircuitStore({ clock: this.clock });
  readonly store = new FaultyStore(this.memory, this.clock);
  readonly rules: CircuitRules;
  readonly probeLeaseMs: number;
  readonly link: StoreLink;
  readonly machine: CircuitMachine;
  readonly leases = new ProbeLeases(this);
  readonly told: SharedCircuit[] = [];
  /** How many times less often is asked, as in a large fleet. */
  stretch = 1;
  #tokens = 0;
  #dueAt = Infinity;
  #cancel: () => void = () => undefined;

  constructor(rules: Partial<CircuitRules>) {
    this.rules = { ...CIRCUIT_RULES, ...rules };
    this.probeLeaseMs = this.rules.probeLeaseMs;
    const nobody = { lost: () => undefined, stirred: () => undefined, found: () => undefined };
    this.link = new StoreLink('r0', 500, resolveEnvironment({ clock: this.clock }), nobody);
    this.machine = new CircuitMachine(this.rules, () => 0, {
      transitioned: ({ to }, now) => {
        this.leases.moveOn(to, now);
      },
    });
  }

  static async halfOpen(rules: Partial<CircuitRules> = {}): Promise<LeasesUnderTest> {
    const under = new LeasesUnderTest({ probeLeaseMs: 5000, ...rules });
    await under.memory.override('search', {
      type: 'isolate',
      replica: 'operator',
      note: 'for a moment',
      forMs: 0,
    });
    under.follow('half-open');
    return under;
  }

  /** The fleet is in such a state from now on. */
  follow(state: CircuitState, openForMs = 0): void {
    const reason = state === 'closed' ? 'probe_succeeded' : 'probe_failed';
    this.machine.adopt({ state, openForMs, openings: 1, reason }, this.now());
  }

  /** A call comes, and may take so long. */
  call(leaseMs: number = this.probeLeaseMs): Permit | undefined {
    const permit = this.machine.acquire(this.now(), leaseMs);
    if (permit === undefined) this.leases.want(this.now());
    else this.leases.use(permit, leaseMs, this.now());
    return permit;
  }

  /** A call is refused, and the next is a probe once the store has granted it. */
  async probe(leaseMs: number = this.probeLeaseMs): Promise<Permit> {
    this.call();
    await this.clock.advance(0);
    const permit = this.call(leaseMs);
    if (permit === undefined) throw new Error('refused');
    await this.clock.advance(0);
    return permit;
  }

  settle(permit: Permit, outcome: ProbeSettlement['outcome'] = 'success'): boolean {
    return this.leases.settle(permit, outcome, 0, this.now());
  }

  /** Somebody else makes the probe. */
  async occupy(ttlMs: number): Promise<void> {
    const request = { replica: 'r1', token: 'r1:1', ttlMs, rules: this.rules };
    await this.memory.lease('search', request);
  }

  async free(): Promise<void> {
    const settlement = { replica: 'r1', token: 'r1:1', rules: this.rules };
    await this.memory.settle('search', { ...settlement, outcome: 'ignored' });
  }

  /** Something else has made it due. */
  poke(): void {
    this.wake(this.now());
  }

  get asked(): At<LeaseRequest>[] {
    return this.store.askedFor('lease');
  }

  get settled(): At<ProbeSettlement>[] {
    return this.store.askedFor('settle');
  }

  now(): number {
    return this.clock.now();
  }

  nextToken(): string {
    return `r0:${++this.#tokens}`;
  }

  stretched(ms: number): number {
    return ms * this.stretch;
  }

  heard(shared: SharedCircuit): void {
    this.told.push(shared);
  }

  wake(at: number): void {
    if (at >= this.#dueAt) return;
    this.#cancel();
    this.#dueAt = at;
    this.#cancel = this.clock.setTimer(() => {
      this.#dueAt = Infinity;
      this.wake(this.leases.step(this.now()));
    }, at - this.now());
  }
}
