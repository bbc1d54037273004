import { ManualClock } from '../../testing/manual-clock.ts';
import { CircuitBreaker } from '../breaker/circuit-breaker.ts';
import type { CircuitOptions } from '../breaker/circuit-options.ts';
import { resolveEnvironment } from '../guard-environment.ts';
import type { Counted } from './call-tally.ts';
import type { CircuitReport, SharedCircuit } from './circuit-store.ts';
import { FaultyStore } from './faulty-store.case.ts';
import type { FleetCircuit, FleetHome } from './fleet-circuit.ts';
import { FleetCircuit as Seat } from './fleet-circuit.ts';
import { UNKNOWN_CIRCUIT } from './fleet-view.ts';
import { MemoryCircuitStore } from './memory-circuit-store.ts';
import { StoreLink } from './store-link.ts';

/**
 * One circuit in its fleet. It is stepped when it asks for it and at no other time, and flushed when the test says
 * so, so that nothing but the circuit can remember what is due.
 */
export class SeatUnderTest implements FleetHome {
  readonly replica = 'r0';
  readonly clock = new ManualClock(10_000);
  readonly memory = new MemoryCircuitStore({ clock: this.clock });
  readonly store = new FaultyStore(this.memory, this.clock);
  readonly link: StoreLink;
  readonly breaker: CircuitBreaker;
  readonly freshMs = 1000;
  isClosed = false;
  /** What chance gives. */
  chance = 0.5;
  /** How many times less often is asked, as in a large fleet. */
  stretch = 1;
  readonly sums = { calls: 0, failures: 0 };
  members: FleetCircuit[] = [];
  #seat: FleetCircuit | undefined;
  #tokens = 0;
  #dueAt = Infinity;
  #cancel: () => void = () => undefined;

  constructor(options: CircuitOptions = {}) {
    const { clock } = this;
    const nobody = { lost: () => undefined, stirred: () => undefined, found: () => undefined };
    this.link = new StoreLink('r0', 500, resolveEnvironment({ clock }), nobody);
    this.breaker = new CircuitBreaker(
      'search',
      options,
      { clock },
      {
        seat: (name, circuit, machine) => (this.#seat = new Seat(name, this, circuit, machine)),
      },
    );
  }

  static joined(options: CircuitOptions = {}): SeatUnderTest {
    const under = new SeatUnderTest(options);
    under.seat.join();
    return under;
  }

  /** One whose fleet is in such a state, as the store has said. */
  static async told(
    shared: Partial<SharedCircuit>,
    options?: CircuitOptions,
  ): Promise<SeatUnderTest> {
    const under = SeatUnderTest.joined(options);
    await under.clock.advance(0);
    under.hear(shared);
    return under;
  }

  /** One that is half-open with its fleet, in the store too. */
  static async halfOpen(options?: CircuitOptions): Promise<SeatUnderTest> {
    const under = SeatUnderTest.joined(options);
    const command = { type: 'isolate', replica: 'r1', note: 'for a moment', forMs: 0 } as const;
    await under.memory.override('search', command);
    under.breaker.acquire();
    await under.clock.advance(0);
    return under;
  }

  get seat(): FleetCircuit {
    if (this.#seat === undefined) throw new Error('it has no seat');
    return this.#seat;
  }

  /** The store tells of a transition. */
  hear(shared: Partial<SharedCircuit>): void {
    this.seat.news({ ...UNKNOWN_CIRCUIT, ...shared });
  }

  get reports(): (CircuitReport & { readonly at: number })[] {
    return this.store.askedFor('report');
  }

  /** The last report. */
  get report(): (CircuitReport & { readonly at: number }) | undefined {
    return this.reports.at(-1);
  }

  /** What was counted is told now. */
  async flush(): Promise<void> {
    this.activate(this.seat, this.seat.step(this.now(), true));
    await this.clock.advance(0);
  }

  now(): number {
    return this.clock.now();
  }

  random(): number {
    return this.chance;
  }

  nextToken(): string {
    return `r0:${++this.#tokens}`;
  }

  stretched(ms: number): number {
    return ms * this.stretch;
  }

  activate(circuit: FleetCircuit, at: number): void {
    if (at >= this.#dueAt) return;
    this.#cancel();
    this.#dueAt = at;
    this.#cancel = this.clock.setTimer(() => {
      this.#dueAt = Infinity;
      this.activate(circuit, circuit.step(this.now(), false));
    }, at - this.now());
  }

  counted({ calls, failures }: Counted): void {
    this.sums.calls += calls;
    this.sums.failures += failures;
  }

  join(circuit: FleetCircuit): void {
    this.members.push(circuit);
  }

  remember(): void {
    // Nothing starts here that would have to know.
  }

  leave(circuit: FleetCircuit): void {
    this.members = this.members.filter((one) => one !== circuit);
    this.#cancel();
    this.#dueAt = Infinity;
  }
}
