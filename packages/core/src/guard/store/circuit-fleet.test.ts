import { describe, expect, it } from 'vitest';
import { fail, isRefused, permitOf, succeed } from '../breaker/breaker-under-test.case.ts';
import { Circuits } from '../circuits.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import { CircuitFleet } from './circuit-fleet.ts';
import { fleetWith, replicaWith } from './fleet-under-test.case.ts';
import { MemoryCircuitStore } from './memory-circuit-store.ts';

const RATIO_ONLY = { consecutiveFailures: Infinity, minCalls: 10 } as const;

describe('a fleet', () => {
  it('lends circuits its clock and its chance, unless they have their own', () => {
    const clock = new ManualClock();
    const store = new MemoryCircuitStore({ clock });
    const [random, own] = [() => 0.25, () => 0.75];
    const fleet = new CircuitFleet({ store, clock, random });
    expect(new Circuits({ fleet }).environment).toMatchObject({ clock, random });
    expect(new Circuits({ fleet, clock, random: own }).environment).toMatchObject({
      clock,
      random: own,
    });
  });

  it('opens everywhere when it opens at one', async () => {
    const { circuits, states, hear } = fleetWith();
    for (const circuit of circuits) succeed(circuit);
    await hear();
    fail(circuits[0]!, 5);
    expect(states()).toBe('open closed closed');

    for (const circuit of circuits.slice(1)) succeed(circuit);
    await hear();

    expect(states()).toBe('open open open');
    expect(circuits.map(isRefused)).toEqual([true, true, true]);
  });

  it('opens at once on the others where the store tells them', async () => {
    const clock = new ManualClock();
    const store = new MemoryCircuitStore({ clock });
    const [one, other] = ['a', 'b'].map((replica) => {
      const circuits = new Circuits({ fleet: new CircuitFleet({ store, replica, clock }) });
      return circuits.get('search');
    });
    // What it asks for when it begins to listen is asked for by then, and the gap behind it is over.
    await clock.advance(1500);
    fail(one!, 5);
    await clock.advance(0);

    expect(other!.state).toBe('open');
  });

  it('asks for what it may have missed before the store could tell', async () => {
    const clock = new ManualClock();
    let ready = (): void => undefined;
    const isReady = new Promise<void>((resolve) => (ready = resolve));
    class LateNews extends MemoryCircuitStore {
      override async watch(
        ...listener: Parameters<MemoryCircuitStore['watch']>
      ): Promise<() => Promise<void>> {
        await isReady;
        return super.watch(...listener);
      }
    }
    const store = new LateNews({ clock });
    const [one, other] = ['a', 'b'].map((replica) => {
      const fleet = new CircuitFleet({ store, replica, clock, storeTimeoutMs: 5000 });
      return new Circuits({ fleet }).get('search');
    });
    fail(one!, 5);
    await clock.advance(1000);
    expect(other!.state).toBe('closed');

    ready();
    await clock.advance(1000);

    expect(other!.state).toBe('open');
  });

  it('opens by what all of them count, where each has too few calls to tell', async () => {
    const { circuits, states, hear } = fleetWith({ replicas: 6, options: RATIO_ONLY });
    for (const circuit of circuits) fail(circuit, 2);
    expect(states()).toBe('closed closed closed closed closed closed');
    await hear();
    for (const circuit of circuits) isRefused(circuit);
    await hear();

    expect(states()).toBe('open open open open open open');
  });

  it('opens by a row of failures that goes through several of them', async () => {
    const { circuits, states, hear } = fleetWith({ replicas: 5 });
    for (const circuit of circuits) fail(circuit);
    await hear();
    for (const circuit of circuits) isRefused(circuit);
    await hear();

    expect(states()).toBe('open open open open open');
  });

  it('leaves one sick replica to itself', async () => {
    const { circuits, states, clock, hear } = fleetWith({ replicas: 4 });
    for (let second = 0; second < 5; second++) {
      for (const circuit of circuits.slice(1)) succeed(circuit, 10);
      await clock.advance(1000);
    }
    fail(circuits[0]!, 5);
    await hear();

    expect(states()).toBe('open closed closed closed');
    expect(isRefused(circuits[0]!)).toBe(true);
    expect(circuits.slice(1).map(isRefused)).toEqual([false, false, false]);
  });

  it('lets a sick replica probe by itself, and no success of the others closes it', async () => {
    const { circuits, states, clock, hear } = fleetWith({ replicas: 4 });
    for (const circuit of circuits.slice(1)) succeed(circuit, 50);
    await hear();
    fail(circuits[0]!, 5);
    for (const circuit of circuits.slice(1)) succeed(circuit, 50);
    await hear();
    expect(states()).toBe('open closed closed closed');
    await clock.advance(60_000);

    const permit = permitOf(circuits[0]!);
    expect(permit.isProbe).toBe(true);
    circuits[0]!.settle(permit);

    expect(states()).toBe('closed closed closed closed');
  });

  it('opens when half of the replicas have opened, however long it went well', async () => {
    const { circuits, states, clock, hear } = fleetWith({ replicas: 4 });
    for (let second = 0; second < 5; second++) {
      for (const circuit of circuits) succeed(circuit, 100);
      await clock.advance(1000);
    }
    fail(circuits[0]!, 5);
    await hear();
    expect(states()).toBe('open closed closed closed');
    fail(circuits[1]!, 5);
    for (const circuit of circuits.slice(2)) succeed(circuit);
    await hear();

    expect(states()).toBe('open open open open');
  });

  it('opens only here what is of local scope', async () => {
    const { circuits, states, hear } = fleetWith({ options: { scope: 'local' } });
    for (const circuit of circuits) fail(circuit, 2);
    fail(circuits[0]!, 3);
    await hear();
    for (const circuit of circuits) isRefused(circuit);
    await hear();

    expect(states()).toBe('open closed closed');
  });

  it('tells how it opened, and on whose word', async () => {
    const { replicas, circuits, hear } = fleetWith({ replicas: 2 });
    for (const circuit of circuits) succeed(circuit);
    await hear();
    fail(circuits[0]!, 5);
    succeed(circuits[1]!);
    await hear();

    expect(replicas[0]!.events.filter(({ type }) => type === 'circuit-opened')).toMatchObject([
      { reason: 'failure_threshold_exceeded', failures: 5 },
    ]);
    expect(replicas[1]!.events).toMatchObject([{ type: 'circuit-opened', replica: 'r0' }]);
    expect(circuits[1]!.history).toMatchObject([{ to: 'open', replica: 'r0' }]);
  });

  it('keeps circuits of different namespaces apart', async () => {
    const clock = new ManualClock();
    const store = new MemoryCircuitStore({ clock });
    const fleet = new CircuitFleet({ store, clock });
    const [one, other, same] = ['mcp', 'proxy', 'mcp'].map((namespace) =>
      new Circuits({ fleet, namespace }).get('search'),
    );
    fail(one!, 5);
    await clock.advance(2000);

    expect([one!.state, other!.state, same!.state]).toEqual(['open', 'closed', 'open']);
    expect(fleet.status().circuits.map(({ name }) => name)).toEqual([
      'mcp:search',
      'mcp:search',
      'proxy:search',
    ]);
  });

  it('does not care what replicas think the time is', async () => {
    const minutes = [-10, 0, 10];
    const { circuits, states, clock, hear } = fleetWith({
      skew: (at) => ({ nowMs: at * 1_000_000, wallMs: minutes[at]! * 60_000 }),
    });
    for (const circuit of circuits) succeed(circuit);
    await hear();
    fail(circuits[0]!, 5);
    for (const circuit of circuits.slice(1)) succeed(circuit);
    await hear();
    expect(states()).toBe('open open open');
    await clock.advance(50_000);
    expect(states()).toBe('open open open');

    await clock.advance(8_000);
    for (const circuit of circuits) isRefused(circuit);
    await clock.advance(500);
    const probes = circuits.map((circuit) => circuit.acquire());
    expect(probes.filter((one) => !('isRefused' in one))).toHaveLength(1);
    for (const [at, probe] of probes.entries())
      if (!('isRefused' in probe)) circuits[at]!.settle(probe);
    await hear();

    expect(states()).toBe('closed closed closed');
  });
});

describe('what an operator does at one replica', () => {
  it('isolates everywhere', async () => {
    const { circuits, states, hear, replicas } = fleetWith();
    for (const circuit of circuits) succeed(circuit);
    await hear();
    circuits[0]!.isolate('under repair');
    expect(states()).toBe('open closed closed');
    for (const circuit of circuits.slice(1)) succeed(circuit);
    await hear();

    expect(states()).toBe('open open open');
    expect(circuits[2]!.history).toMatchObject([
      { reason: 'isolated', note: 'under repair', replica: 'r0' },
    ]);
    expect(replicas[0]!.circuit.history).toHaveLength(1);
  });

  it('resets everywhere, and what had opened by itself too', async () => {
    const { circuits, states, hear } = fleetWith();
    for (const circuit of circuits) succeed(circuit, 30);
    await hear();
    fail(circuits[1]!, 5);
    await hear();
    expect(states()).toBe('closed open closed');
    circuits[0]!.reset('mended');
    await hear();
    isRefused(circuits[1]!);
    await hear();

    expect(states()).toBe('closed closed closed');
    expect(circuits[1]!.history.at(-1)).toMatchObject({ reason: 'reset', note: 'mended' });
  });

  it('is heard by a replica that comes later', async () => {
    const under = fleetWith({ replicas: 1 });
    under.circuits[0]!.isolate('under repair');
    await under.hear();
    const late = replicaWith({}, 7, under.store, under.clock);
    succeed(late.circuit);
    await under.clock.advance(100);

    expect(late.circuit.state).toBe('open');
  });

  it('is over everywhere when its time is', async () => {
    const { circuits, states, clock, hear } = fleetWith();
    for (const circuit of circuits) succeed(circuit);
    await hear();
    circuits[0]!.isolate('for a while', 10_000);
    for (const circuit of circuits.slice(1)) succeed(circuit);
    await hear();
    expect(states()).toBe('open open open');
    await clock.advance(10_000);

    expect(states()).toBe('half-open half-open half-open');
  });
});

describe('the budget for retries', () => {
  const BROKEN = { class: 'server', message: 'HTTP 500' } as const;

  it('is one for the fleet', async () => {
    const { circuits, hear } = fleetWith({ replicas: 2 });
    for (const circuit of circuits) succeed(circuit);
    await hear();
    for (let retry = 0; retry < 100; retry++) expect(circuits[0]!.affordsRetry(BROKEN)).toBe(true);
    succeed(circuits[0]!);
    await hear();
    succeed(circuits[1]!);
    await hear();

    const afforded = Array.from({ length: 20 }, () => circuits[1]!.affordsRetry(BROKEN));

    // The three that are allowed in any second, paid for or not.
    expect(afforded.filter(Boolean)).toHaveLength(3);
  });

  it('is earned by the successes of all', async () => {
    const { circuits, hear } = fleetWith({ replicas: 2 });
    for (const circuit of circuits) succeed(circuit);
    await hear();
    for (let retry = 0; retry < 100; retry++) circuits[0]!.affordsRetry(BROKEN);
    succeed(circuits[0]!);
    await hear();
    succeed(circuits[1]!, 200);
    await hear();
    succeed(circuits[0]!);
    await hear();

    const afforded = Array.from({ length: 60 }, () => circuits[0]!.affordsRetry(BROKEN));

    expect(afforded.filter(Boolean)).toHaveLength(40);
  });
});

describe('a fleet that is closed', () => {
  it('tells what it has counted, and leaves', async () => {
    const { circuits, replicas, store, clock } = fleetWith({ replicas: 2, options: RATIO_ONLY });
    await clock.advance(100);
    succeed(circuits[0]!, 3);
    const closing = replicas[0]!.fleet.close();
    await clock.advance(0);
    await closing;

    const { calls } = replicas[1]!.fleet.status().circuits[0]!.shared ?? {};
    expect(calls).toBeUndefined();
    expect((await store.replicas()).map(({ id }) => id)).toEqual(['r1']);
    succeed(circuits[1]!);
    await clock.advance(2000);
    expect(replicas[1]!.fleet.status().circuits[0]!.shared?.calls).toBe(4);
  });

  it('leaves its circuits to themselves', async () => {
    const { circuits, replicas, clock, hear } = fleetWith({ replicas: 2 });
    fail(circuits[0]!, 5);
    await hear();
    const closing = replicas[0]!.fleet.close();
    await clock.advance(0);
    await closing;
    const { length } = replicas[0]!.store.asked;
    await clock.advance(60_000);
    const permit = permitOf(circuits[0]!);
    circuits[0]!.settle(permit);
    await clock.advance(60_000);

    expect(circuits[0]!.state).toBe('closed');
    expect(replicas[0]!.store.asked).toHaveLength(length);
  });

  it('is closed in time where the store says nothing, and only once', async () => {
    const { circuits, replicas, clock } = fleetWith({ replicas: 1 });
    succeed(circuits[0]!);
    await clock.advance(100);
    replicas[0]!.store.fault = 'silent';
    succeed(circuits[0]!);
    let isClosed = false;
    void replicas[0]!.fleet.close().then(() => (isClosed = true));
    await clock.advance(1500);
    await replicas[0]!.fleet.close();

    expect(isClosed).toBe(true);
  });
});

describe('what cannot work', () => {
  const store = new MemoryCircuitStore();

  it('is refused when the fleet is made', () => {
    // @ts-expect-error There is no such store.
    expect(() => new CircuitFleet({ store: 'redis://localhost' })).toThrow(
      'fleet.store: expected a store of circuits (an object with report, lease, settle, override, join, leave, replicas), got "redis://localhost"',
    );
    // @ts-expect-error It has to have one.
    expect(() => new CircuitFleet({})).toThrow('fleet.store: expected a store of circuits');
    expect(() => new CircuitFleet({ store, flushMs: [500, 100] })).toThrow(
      'fleet.flushMs: expected the least and the most milliseconds, at least 1, as [250, 1000], got an array',
    );
    expect(() => new CircuitFleet({ store, storeTimeoutMs: 0 })).toThrow('fleet.storeTimeoutMs');
  });

  it('is refused when circuits are made', () => {
    const fleet = new CircuitFleet({ store, clock: new ManualClock() });
    // @ts-expect-error A store is no fleet.
    expect(() => new Circuits({ fleet: store })).toThrow(
      'circuits.fleet: expected a CircuitFleet, got an object',
    );
    expect(() => new Circuits({ fleet, clock: new ManualClock() })).toThrow(
      'circuits.clock: expected the clock of the fleet, got an object',
    );
  });
});
