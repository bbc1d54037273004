import { describe, expect, it } from 'vitest';
import { fail, isRefused, permitOf, succeed } from '../breaker/breaker-under-test.case.ts';
import { Circuits } from '../circuits.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import { CircuitMachine } from '../../internal/circuit-machine.ts';
import { CircuitFleet } from './circuit-fleet.ts';
import type { CircuitReport, ReplicaRecord } from './circuit-store.ts';
import { fleetWith, replicaWith } from './fleet-under-test.case.ts';
import { UNKNOWN_CIRCUIT } from './fleet-view.ts';
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

describe('a fleet that is closed while something is under way', () => {
  it('tells what came since the last report, and nothing after that', async () => {
    const { circuits, replicas, clock } = fleetWith({ replicas: 1 });
    const { fleet, store } = replicas[0]!;
    succeed(circuits[0]!);
    await clock.advance(0);
    succeed(circuits[0]!, 3);
    expect(fleet.isClosed).toBe(false);
    const closing = fleet.close();
    await clock.advance(0);
    await closing;
    expect(fleet.isClosed).toBe(true);
    expect(store.askedFor<CircuitReport>('report').map(({ calls }) => calls)).toEqual([1, 3]);
    const { length } = store.asked;
    succeed(circuits[0]!, 3);
    await clock.advance(60_000);

    expect(store.asked).toHaveLength(length);
  });

  it('tells what opens meanwhile, and does not join again for it', async () => {
    const { circuits, replicas, clock, store: memory } = fleetWith({ replicas: 1 });
    const { fleet, store } = replicas[0]!;
    store.delayMs = () => 100;
    succeed(circuits[0]!);
    await clock.advance(50);
    const closing = fleet.close();
    fail(circuits[0]!, 5);
    await clock.advance(1000);
    await closing;
    await clock.advance(10_000);

    expect(store.askedFor('report').at(-1)).toMatchObject({ trip: 'failure_threshold_exceeded' });
    expect(store.asked.at(-1)).toMatchObject({ operation: 'leave' });
    expect(await memory.replicas()).toEqual([]);
  });

  it('gives back the place of a probe that no call came for', async () => {
    const { circuits, replicas, clock } = fleetWith({ replicas: 1 });
    const { fleet, store } = replicas[0]!;
    circuits[0]!.isolate('for a moment', 1000);
    await clock.advance(2000);
    isRefused(circuits[0]!);
    await clock.advance(300);
    expect(store.countOf('lease')).toBe(1);
    const closing = fleet.close();
    await clock.advance(0);
    await closing;

    expect(store.askedFor('settle')).toMatchObject([{ outcome: 'ignored' }]);
  });

  it('asks nothing of a store that is away, and takes calls again', async () => {
    const { circuits, replicas, clock, hear } = fleetWith({
      replicas: 1,
      options: { onStoreLoss: 'refuse' },
    });
    const { fleet, store } = replicas[0]!;
    succeed(circuits[0]!);
    await hear();
    store.fault = 'reject';
    await clock.advance(10_000);
    expect(isRefused(circuits[0]!)).toBe(true);
    const { length } = store.asked;
    const closing = fleet.close();
    await clock.advance(0);
    await closing;

    expect(store.asked).toHaveLength(length);
    expect(isRefused(circuits[0]!)).toBe(false);
  });

  it('can be closed before it has heard of anything', async () => {
    const { replicas, clock } = fleetWith({ replicas: 1 });
    const { fleet, store } = replicas[0]!;
    store.delayMs = () => 100;
    await clock.advance(1);
    const closing = fleet.close();
    await clock.advance(1000);

    await expect(closing).resolves.toBeUndefined();
  });

  it('is not told that the store is lost for that it refused the farewell', async () => {
    const { replicas, clock } = fleetWith({ replicas: 1 });
    const { fleet, store, events } = replicas[0]!;
    await clock.advance(100);
    store.fault = 'reject';
    const closing = fleet.close();
    await clock.advance(0);
    await closing;

    expect(store.countOf('leave')).toBe(1);
    expect(events).toEqual([]);
  });
});

describe('what a store tells by itself', () => {
  type Listener = Parameters<MemoryCircuitStore['watch']>[0];

  /** A store that tells only what the test does. */
  class ToldStore extends MemoryCircuitStore {
    readonly listeners: Listener[] = [];
    stopped = 0;
    answer: (stop: () => Promise<void>) => Promise<() => Promise<void>> = (stop) =>
      Promise.resolve(stop);

    override watch(listener: Listener): Promise<() => Promise<void>> {
      this.listeners.push(listener);
      return this.answer(() => {
        this.stopped++;
        return Promise.resolve();
      });
    }
  }

  const OPEN = {
    ...UNKNOWN_CIRCUIT,
    version: Number.MAX_SAFE_INTEGER,
    state: 'open',
    openForMs: 60_000,
    reason: 'probe_failed',
  } as const;

  function setUp(): {
    clock: ManualClock;
    store: ToldStore;
    fleet: CircuitFleet;
    circuits: Circuits;
  } {
    const clock = new ManualClock();
    const store = new ToldStore({ clock });
    const fleet = new CircuitFleet({ store, clock, heartbeatMs: 5000 });
    return { clock, store, fleet, circuits: new Circuits({ fleet }) };
  }

  it('is nothing to a fleet that has no such circuit', async () => {
    const { clock, store, circuits } = setUp();
    await clock.advance(100);
    const circuit = circuits.get('search');
    store.listeners[0]!('other', OPEN);
    expect(circuit.state).toBe('closed');
    store.listeners[0]!('search', OPEN);

    expect(circuit.state).toBe('open');
  });

  it('ends with the fleet', async () => {
    const { clock, store, fleet, circuits } = setUp();
    const circuit = circuits.get('search');
    await clock.advance(100);
    const closing = fleet.close();
    await clock.advance(0);
    await closing;
    expect(store.stopped).toBe(1);
    store.listeners[0]!('search', OPEN);

    expect(circuit.state).toBe('closed');
  });

  it('ends though it began when the fleet was closed already', async () => {
    const { clock, store } = setUp();
    let begin = (): void => undefined;
    store.answer = (stop) => new Promise((resolve) => (begin = () => resolve(stop)));
    const fleet = new CircuitFleet({ store, clock });
    const closing = fleet.close();
    await clock.advance(1000);
    await closing;
    expect(store.stopped).toBe(0);
    begin();
    await clock.advance(0);

    expect(store.stopped).toBe(1);
  });

  it.each([
    ['could not', 2, () => Promise.reject(new Error('no'))],
    ['could', 1, (stop: () => Promise<void>) => Promise.resolve(stop)],
  ])('is asked for again after a loss where it %s before', async (_, times, answer) => {
    const clock = new ManualClock();
    const store = new ToldStore({ clock });
    store.answer = answer;
    let isLost = false;
    const join = store.join.bind(store);
    store.join = (...given) => (isLost ? Promise.reject(new Error('no')) : join(...given));
    const fleet = new CircuitFleet({ store, clock });
    await clock.advance(1000);
    isLost = true;
    await clock.advance(20_000);
    expect(fleet.status().isDegraded).toBe(true);
    isLost = false;
    await clock.advance(5000);

    expect(fleet.status().isDegraded).toBe(false);
    expect(store.listeners).toHaveLength(times);
  });
});

describe('a fleet and its circuits', () => {
  it('counts a circuit once that joins twice, and two of one name as two', async () => {
    const { replicas } = fleetWith({ replicas: 1 });
    const { fleet, circuits } = replicas[0]!;
    const other = new Circuits({ fleet });
    const seats = ['a', 'a'].map((name) => {
      const { settings } = circuits.get('search');
      return fleet.seat(name, { settings }, new CircuitMachine(settings, () => 0));
    });
    seats[0]!.join();
    seats[0]!.join();
    expect(fleet.status().circuits.map(({ name }) => name)).toEqual(['search', 'a']);
    seats[1]!.leave();
    seats[1]!.join();
    seats[0]!.leave();
    expect(fleet.status().circuits.map(({ name }) => name)).toEqual(['search', 'a']);
    seats[1]!.leave();
    other.get('search');

    expect(fleet.status().circuits.map(({ name }) => name)).toEqual(['search', 'search']);
  });

  it('lists circuits in the order in which they joined, the last time if they left before', () => {
    const { replicas } = fleetWith({ replicas: 1 });
    const { fleet, circuits } = replicas[0]!;
    const { settings } = circuits.get('search');
    const [a, b, stranger] = ['a', 'b', 'stranger'].map((name) =>
      fleet.seat(name, { settings }, new CircuitMachine(settings, () => 0)),
    );
    a!.join();
    b!.join();
    a!.leave();
    a!.join();
    stranger!.leave();

    expect(fleet.status().circuits.map(({ name }) => name)).toEqual(['search', 'b', 'a']);
  });

  it('tells how it is with every beat', async () => {
    const { replicas, clock } = fleetWith({ replicas: 1, fleet: { version: '1.2.3' } });
    const { circuits, store } = replicas[0]!;
    const startedAt = clock.wallTime();
    await clock.advance(3000);
    for (let tool = 0; tool < 60; tool++) fail(circuits.get(`tool-${tool}`), 5);
    succeed(circuits.get('search'), 7);
    await clock.advance(5000);

    const beats = store.askedFor<ReplicaRecord & { ttlMs: number }>('join');
    expect(beats[0]).toMatchObject({ circuits: 1, notClosed: [], calls: 0, failures: 0 });
    expect(beats.at(-1)).toEqual({
      at: expect.any(Number) as number,
      id: 'r0',
      startedAt,
      notClosed: Array.from({ length: 50 }, (_, tool) => `tool-${tool}`),
      circuits: 61,
      calls: 60 * 5 + 7,
      failures: 60 * 5,
      version: '1.2.3',
      ttlMs: 15_000,
    });
  });

  it('is set up as ever where an option is undefined', async () => {
    const fleet = { heartbeatMs: undefined, version: undefined } as object;
    const { replicas, clock } = fleetWith({ replicas: 1, fleet });
    await clock.advance(10);

    expect(replicas[0]!.store.askedFor('join')).toMatchObject([{ ttlMs: 15_000, version: '' }]);
  });

  it('names its probes by itself and by chance, so that none is taken for that of a namesake', () => {
    const store = new MemoryCircuitStore();
    const clock = new ManualClock();
    const named = new CircuitFleet({ store, clock, replica: 'a', random: () => 0.5 });
    const nameless = new CircuitFleet({ store, clock, random: () => 2 ** -32 });

    expect(named.nextToken()).toBe('a:8000000080000000:1');
    expect(named.nextToken()).toBe('a:8000000080000000:2');
    expect(nameless.replica).toBe('0000000100000001');
    expect(nameless.nextToken()).toBe('0000000100000001:1');
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
