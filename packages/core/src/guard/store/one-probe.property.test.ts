import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Permit } from '../../internal/circuit-machine.ts';
import { createRandom } from '../../testing/create-random.ts';
import { BROKEN, CANCELLED } from '../breaker/breaker-under-test.case.ts';
import type { CircuitBreaker } from '../breaker/circuit-breaker.ts';
import type { StoreFault } from './faulty-store.case.ts';
import { fleetWith } from './fleet-under-test.case.ts';
import type { FleetUnderTest } from './fleet-under-test.case.ts';

const LEASE_MS = 4000;
const FAULTS: readonly StoreFault[] = ['silent', 'mute', 'reject', 'throw'];

interface Probe {
  readonly circuit: CircuitBreaker;
  readonly permit: Permit;
  readonly startedAt: number;
  readonly endsAt: number;
}

interface World {
  readonly seed: number;
  readonly replicas: number;
  readonly probes: number;
  readonly lossRate: number;
  readonly delayMs: number;
}

const worlds: fc.Arbitrary<World> = fc.record({
  seed: fc.integer(),
  replicas: fc.integer({ min: 1, max: 6 }),
  probes: fc.integer({ min: 1, max: 2 }),
  lossRate: fc.constantFrom(0, 0.05, 0.3),
  delayMs: fc.constantFrom(0, 20, 200, 400),
});

/** A fleet whose calls, answers and losses are left to chance, and what it let through. */
class Simulation {
  readonly under: FleetUnderTest;
  readonly #world: World;
  readonly #random: () => number;
  #running: Probe[] = [];
  /** When the fleet was last to be probed: what was granted before that is over, as all that it counted. */
  #halfOpenAt = 0;
  made = 0;

  constructor(world: World) {
    this.#world = world;
    this.#random = createRandom(world.seed);
    this.under = fleetWith({
      replicas: world.replicas,
      // It opens and closes by the fleet's word alone, and nobody probes without a lease.
      options: {
        consecutiveFailures: Infinity,
        failureRatio: Infinity,
        onStoreLoss: 'refuse',
        openForMs: 3000,
        probeLeaseMs: LEASE_MS,
        probes: world.probes,
      },
    });
    void this.under.store.watch((_, { state }) => {
      if (state === 'half-open') this.#halfOpenAt = this.under.clock.now();
    });
    for (const { store } of this.under.replicas) {
      store.delayMs = () => (this.#random() * world.delayMs) / 2;
      store.faultOf = () =>
        this.#random() < world.lossRate ? FAULTS[Math.floor(this.#random() * 4)] : undefined;
    }
  }

  calm(): void {
    for (const { store } of this.under.replicas) {
      store.delayMs = () => 0;
      store.faultOf = undefined;
    }
  }

  /** Time passes, calls come to some replicas, and probes end. */
  async run(ms: number, outcome?: 'success'): Promise<void> {
    const { clock, circuits } = this.under;
    const until = clock.now() + ms;
    while (clock.now() < until) {
      await clock.advance(Math.ceil(this.#random() * 300));
      this.#end(outcome);
      for (const circuit of circuits) if (this.#random() < 0.6) this.#call(circuit);
    }
  }

  #call(circuit: CircuitBreaker): void {
    const permit = circuit.acquire();
    if ('isRefused' in permit) return;
    if (!permit.isProbe) {
      circuit.settle(permit);
      return;
    }
    this.made++;
    const now = this.under.clock.now();
    // Some hang: their places are free again when their leases are over.
    const takesMs = this.#random() < 0.1 ? 3 * LEASE_MS : this.#random() * LEASE_MS;
    this.#running.push({ circuit, permit, startedAt: now, endsAt: now + takesMs });
    const live = this.#running.filter(
      ({ startedAt }) => startedAt >= this.#halfOpenAt && now < startedAt + LEASE_MS,
    );
    if (live.length > this.#world.probes)
      throw new Error(`${live.length} probes at ${now} ms, where ${this.#world.probes} may be`);
  }

  #end(outcome: 'success' | undefined): void {
    const now = this.under.clock.now();
    const ended = this.#running.filter(({ endsAt }) => endsAt <= now);
    this.#running = this.#running.filter(({ endsAt }) => endsAt > now);
    for (const { circuit, permit } of ended) {
      const chance = outcome === 'success' ? 1 : this.#random();
      circuit.settle(permit, chance < 0.4 ? BROKEN : chance < 0.6 ? CANCELLED : undefined);
    }
  }
}

test('whatever is slow, lost or late, no more probes are under way than there may be', async () => {
  const numRuns = Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / 4);
  let made = 0;
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const simulation = new Simulation(world);
      const { store, clock } = simulation.under;
      const command = { replica: 'operator', note: 'a round begins' };
      for (let round = 0; round < 4; round++) {
        await store.override('search', { type: 'isolate', forMs: 2000, ...command });
        await simulation.run(12_000);
      }
      made += simulation.made;
      // Once all is well again, it closes everywhere.
      simulation.calm();
      await simulation.run(3 * LEASE_MS + 40_000, 'success');
      await clock.advance(3000);

      expect(new Set(simulation.under.states().split(' '))).toEqual(new Set(['closed']));
    }),
    { numRuns },
  );

  expect(made).toBeGreaterThan(numRuns);
});
