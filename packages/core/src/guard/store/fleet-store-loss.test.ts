import { describe, expect, it } from 'vitest';
import { CircuitOpenError } from '../../errors.ts';
import { fail, isRefused, permitOf, succeed } from '../breaker/breaker-under-test.case.ts';
import { Circuits } from '../circuits.ts';
import { Executor } from '../executor.ts';
import type { GuardEvent } from '../guard-event.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import { CircuitFleet } from './circuit-fleet.ts';
import type { CircuitStore } from './circuit-store.ts';
import type { StoreFault } from './faulty-store.case.ts';
import { fleetWith, typesOf } from './fleet-under-test.case.ts';
import type { FleetUnderTest } from './fleet-under-test.case.ts';

function breakAll({ replicas }: FleetUnderTest, fault: StoreFault | undefined): void {
  for (const { store } of replicas) store.fault = fault;
}

const storeEvents = (events: readonly { type: string }[]): string[] =>
  events.map(({ type }) => type).filter((type) => type.startsWith('store-'));

describe.each(['silent', 'mute', 'reject', 'throw'] as const)('a store that is %s', (fault) => {
  it('is told of once, and told of once when it is back', async () => {
    const under = fleetWith({ replicas: 1 });
    const { events } = under.replicas[0]!;
    succeed(under.circuits[0]!);
    await under.hear();
    breakAll(under, fault);
    succeed(under.circuits[0]!);
    await under.clock.advance(30_000);
    expect(storeEvents(events)).toEqual(['store-degraded']);
    expect(under.replicas[0]!.fleet.status().isDegraded).toBe(true);
    breakAll(under, undefined);
    await under.clock.advance(30_000);

    expect(storeEvents(events)).toEqual(['store-degraded', 'store-recovered']);
    expect(under.replicas[0]!.fleet.status()).toMatchObject({ isDegraded: false });
  });

  it('holds up no call', async () => {
    const under = fleetWith({ replicas: 1 });
    breakAll(under, fault);
    for (let second = 0; second < 20; second++) {
      succeed(under.circuits[0]!, 1000);
      await under.clock.advance(1000);
    }

    expect(under.circuits[0]!.metrics().successes).toBe(20_000);
  });

  it('lets nothing pile up', async () => {
    const under = fleetWith({ replicas: 1 });
    const { store, circuits } = under.replicas[0]!;
    succeed(circuits.get('search'));
    await under.hear();
    breakAll(under, fault);
    for (let second = 0; second < 120; second++) {
      for (let tool = 0; tool < 20; tool++) succeed(circuits.get(`tool-${tool}`), 50);
      await under.clock.advance(1000);
    }

    expect(store.pending).toBeLessThanOrEqual(45);
    expect(store.countOf('report')).toBeLessThan(60);
  });

  it('leaves what is open open, and what is closed closed', async () => {
    const under = fleetWith();
    for (const circuit of under.circuits) succeed(circuit);
    await under.hear();
    under.circuits[0]!.isolate('under repair');
    for (const circuit of under.circuits) isRefused(circuit);
    await under.hear();
    breakAll(under, fault);
    await under.clock.advance(120_000);

    expect(under.states()).toBe('open open open');
    expect(under.circuits.map(isRefused)).toEqual([true, true, true]);
  });

  it('leaves each to probe by itself when the open time is over', async () => {
    const under = fleetWith();
    for (const circuit of under.circuits) succeed(circuit);
    await under.hear();
    fail(under.circuits[0]!, 5);
    for (const circuit of under.circuits) isRefused(circuit);
    await under.hear();
    expect(under.states()).toBe('open open open');
    breakAll(under, fault);
    await under.clock.advance(60_000);

    for (const circuit of under.circuits) {
      const permit = permitOf(circuit);
      expect(permit.isProbe).toBe(true);
      expect(isRefused(circuit)).toBe(true);
      circuit.settle(permit);
    }
    expect(under.states()).toBe('closed closed closed');
  });

  it('leaves each to open by its own counts', async () => {
    const under = fleetWith();
    breakAll(under, fault);
    await under.hear();
    fail(under.circuits[0]!, 5);
    await under.hear();

    expect(under.states()).toBe('open closed closed');
  });
});

describe('a store that is back', () => {
  async function openThenLost(options = {}): Promise<FleetUnderTest> {
    const under = fleetWith({ options });
    for (const circuit of under.circuits) succeed(circuit);
    await under.hear();
    fail(under.circuits[0]!, 5);
    for (const circuit of under.circuits) isRefused(circuit);
    await under.hear();
    expect(under.states()).toBe('open open open');
    breakAll(under, 'reject');
    await under.clock.advance(5000);
    return under;
  }

  it('gets back what it lost from those who hold it', async () => {
    const under = await openThenLost();
    under.store.clear();
    breakAll(under, undefined);
    await under.clock.advance(5000);

    expect(under.states()).toBe('open open open');
    const { shared } = under.replicas[1]!.fleet.status().circuits[0]!;
    expect(shared).toMatchObject({ state: 'open', openings: 1 });
    expect(shared!.openForMs).toBeGreaterThan(40_000);
    expect(shared!.openForMs).toBeLessThan(50_000);
  });

  it('gets an isolation back that nobody ended', async () => {
    const under = fleetWith({ replicas: 2 });
    under.circuits[0]!.isolate('under repair');
    await under.hear();
    under.store.clear();
    await under.hear();
    succeed(under.circuits[1]!);
    await under.hear();

    expect(under.states()).toBe('open open');
    expect(under.circuits[1]!.history.at(-1)).toMatchObject({ note: 'under repair' });
  });

  it('closes nothing by having forgotten it', async () => {
    const under = await openThenLost();
    breakAll(under, undefined);
    await under.clock.advance(3000);
    for (let second = 0; second < 20; second++) {
      under.store.clear();
      await under.clock.advance(1000);
      expect(under.states()).toBe('open open open');
    }
  });

  it('is followed by those who closed in the meantime', async () => {
    const under = await openThenLost();
    await under.clock.advance(60_000);
    const permit = permitOf(under.circuits[2]!);
    under.circuits[2]!.settle(permit);
    expect(under.states()).toBe('half-open half-open closed');
    breakAll(under, undefined);
    await under.clock.advance(3000);
    expect(under.states()).toBe('half-open half-open half-open');

    isRefused(under.circuits[2]!);
    await under.clock.advance(100);
    under.circuits[2]!.settle(permitOf(under.circuits[2]!));
    await under.hear();

    expect(under.states()).toBe('closed closed closed');
  });

  it('hears what an operator did while it was away', async () => {
    const under = fleetWith({ replicas: 2 });
    for (const circuit of under.circuits) succeed(circuit);
    await under.hear();
    breakAll(under, 'silent');
    succeed(under.circuits[0]!);
    await under.hear();
    under.circuits[0]!.isolate('under repair', 60_000);
    await under.clock.advance(10_000);
    breakAll(under, undefined);
    await under.clock.advance(15_000);
    succeed(under.circuits[1]!);
    await under.hear();

    expect(under.states()).toBe('open open');
    const { shared } = under.replicas[1]!.fleet.status().circuits[0]!;
    expect(shared).toMatchObject({ reason: 'isolated', note: 'under repair', replica: 'r0' });
    // The time that nobody could tell of it has passed all the same.
    expect(shared!.openForMs).toBeLessThan(50_000);
  });

  it('is asked for what was isolated meanwhile, though nobody calls it', async () => {
    const under = fleetWith({ replicas: 2 });
    for (const circuit of under.circuits) succeed(circuit);
    await under.hear();
    const cutOff = under.replicas[1]!;
    cutOff.store.fault = 'silent';
    await under.clock.advance(10_000);
    under.circuits[0]!.isolate('under repair');
    await under.hear();
    expect(under.states()).toBe('open closed');
    cutOff.store.fault = undefined;
    await under.clock.advance(2000);

    expect(under.states()).toBe('open open');
  });

  it('counts what it missed, unless that is too old', async () => {
    const options = { consecutiveFailures: Infinity, failureRatio: 1, windowMs: 60_000 };
    const under = fleetWith({ replicas: 1, options });
    const { fleet, circuit } = under.replicas[0]!;
    succeed(circuit);
    await under.hear();
    breakAll(under, 'reject');
    succeed(circuit, 7);
    await under.clock.advance(10_000);
    breakAll(under, undefined);
    await under.clock.advance(5000);
    expect(fleet.status().circuits[0]!.shared?.calls).toBe(8);
    breakAll(under, 'reject');
    succeed(circuit, 7);
    await under.clock.advance(100_000);
    breakAll(under, undefined);
    await under.clock.advance(5000);
    succeed(circuit);
    await under.hear();

    expect(fleet.status().circuits[0]!.shared?.calls).toBe(1);
  });
});

describe('a store that stood still', () => {
  it.each([
    [2, 1],
    [1, 20],
    [3, 1],
    [3, 20],
    [6, 8],
    [60, 1],
    [60, 20],
  ])('for %i s, asked by %i circuits, is followed within 2 s', async (seconds, tools) => {
    const under = fleetWith({ replicas: 2 });
    const [stopped, other] = [under.replicas[0]!, under.replicas[1]!];
    const circuits = Array.from({ length: tools }, (_, tool) => stopped.circuits.get(`t${tool}`));
    for (const circuit of [...circuits, ...under.circuits]) succeed(circuit);
    await under.hear();
    stopped.store.fault = 'paused';
    for (let tenth = 0; tenth < seconds * 10; tenth++) {
      for (const circuit of circuits) succeed(circuit);
      await under.clock.advance(100);
    }
    expect(storeEvents(stopped.events)).toEqual(['store-degraded']);
    fail(other.circuit, 5);
    await under.clock.advance(50);
    stopped.store.goOn();
    succeed(stopped.circuit);
    await under.clock.advance(2000);

    expect(storeEvents(stopped.events)).toEqual(['store-degraded', 'store-recovered']);
    expect(under.states()).toBe('open open');
  });

  it('is asked no more often for that it may come back', async () => {
    const under = fleetWith({ replicas: 1 });
    const { store, circuits } = under.replicas[0]!;
    for (let tool = 0; tool < 20; tool++) succeed(circuits.get(`t${tool}`));
    await under.hear();
    store.fault = 'paused';
    for (let tool = 0; tool < 20; tool++) succeed(circuits.get(`t${tool}`));
    await under.clock.advance(3000);
    const asked = store.asked.length;
    await under.clock.advance(60_000);

    expect(store.asked.length - asked).toBeLessThanOrEqual(8);
  });
});

describe('a store that is slow', () => {
  it('is as good as any while it answers in time', async () => {
    const under = fleetWith();
    for (const { store } of under.replicas) store.delayMs = () => 200;
    for (const circuit of under.circuits) succeed(circuit);
    await under.hear();
    fail(under.circuits[0]!, 5);
    for (const circuit of under.circuits) isRefused(circuit);
    await under.hear();

    expect(under.states()).toBe('open open open');
    expect(under.replicas.map(({ events }) => storeEvents(events))).toEqual([[], [], []]);
  });

  it('is away while it is too slow, and does not come and go', async () => {
    const under = fleetWith({ replicas: 1 });
    const { store, events } = under.replicas[0]!;
    store.delayMs = () => 400;
    for (let second = 0; second < 60; second++) {
      succeed(under.circuits[0]!);
      await under.clock.advance(1000);
    }
    expect(storeEvents(events)).toEqual(['store-degraded']);
    store.delayMs = () => 5;
    await under.clock.advance(15_000);

    expect(storeEvents(events)).toEqual(['store-degraded', 'store-recovered']);
  });

  it('is not lost for one answer that is', async () => {
    const under = fleetWith({ replicas: 1 });
    const { store, events } = under.replicas[0]!;
    let asked = 0;
    store.faultOf = (operation) =>
      operation === 'report' && asked++ % 3 === 0 ? 'silent' : undefined;
    for (let second = 0; second < 30; second++) {
      succeed(under.circuits[0]!);
      await under.clock.advance(1000);
    }

    expect(storeEvents(events)).toEqual([]);
  });
});

describe('a store that answers with nonsense', () => {
  it('is as good as away', async () => {
    const clock = new ManualClock();
    const nonsense = (): Promise<never> => Promise.resolve(undefined as never);
    const store: CircuitStore = {
      report: nonsense,
      lease: nonsense,
      settle: nonsense,
      override: nonsense,
      join: () => Promise.resolve(Number.NaN),
      leave: nonsense,
      replicas: nonsense,
      // @ts-expect-error It should have been a promise.
      watch: () => undefined,
    };
    const events: GuardEvent[] = [];
    const onEvent = (event: GuardEvent): void => void events.push(event);
    const fleet = new CircuitFleet({ store, clock, onEvent, heartbeatMs: 100_000 });
    const circuit = new Circuits({ fleet }).get('search');
    for (let second = 0; second < 5; second++) {
      succeed(circuit, 3);
      await clock.advance(1000);
    }

    expect(circuit.metrics().successes).toBe(15);
    expect(storeEvents(events)[0]).toBe('store-degraded');
  });
});

describe('what a circuit does while the store is away', () => {
  async function lostWith(onStoreLoss: 'local' | 'admit' | 'refuse'): Promise<FleetUnderTest> {
    const under = fleetWith({ replicas: 1, options: { onStoreLoss } });
    succeed(under.circuits[0]!);
    await under.hear();
    breakAll(under, 'reject');
    succeed(under.circuits[0]!);
    await under.hear();
    expect(storeEvents(under.replicas[0]!.events)).toEqual(['store-degraded']);
    return under;
  }

  it('goes by its own counts', async () => {
    const { circuits } = await lostWith('local');
    expect(isRefused(circuits[0]!)).toBe(false);
    fail(circuits[0]!, 5);

    expect(isRefused(circuits[0]!)).toBe(true);
  });

  it('lets every call through, with admit', async () => {
    const under = await lostWith('admit');
    const circuit = under.circuits[0]!;
    fail(circuit, 5);
    expect(circuit.state).toBe('open');
    expect(isRefused(circuit)).toBe(false);
    breakAll(under, undefined);
    await under.clock.advance(3000);

    expect(isRefused(circuit)).toBe(true);
  });

  it('does not let through what a person isolated, with admit', async () => {
    const { circuits } = await lostWith('admit');
    circuits[0]!.isolate('under repair');

    expect(isRefused(circuits[0]!)).toBe(true);
  });

  it('lets no call through and says why, with refuse', async () => {
    const under = await lostWith('refuse');
    const { circuit, events } = under.replicas[0]!;

    expect(circuit.acquire()).toEqual({
      isRefused: true,
      circuit: 'search',
      state: 'closed',
      retryAfterMs: 1000,
      reason: 'store-lost',
    });
    expect(events.at(-1)).toMatchObject({ type: 'circuit-refused', reason: 'store-lost' });
    const error = new CircuitOpenError('search', 1000, 'store-lost');
    expect(error.message).toBe(
      'circuit search takes no calls while its store is away; retry in 1 s',
    );
    await expect(circuit.call(() => 1)).rejects.toThrow(error);
    const executor = new Executor({ circuits: [circuit], clock: under.clock });
    await expect(executor.call(() => 1)).rejects.toThrow(error);
    expect(circuit.metrics().rejections).toBe(3);
    breakAll(under, undefined);
    await under.clock.advance(3000);
    expect(isRefused(circuit)).toBe(false);
  });

  it('refuses nothing in shadow mode', async () => {
    const options = { onStoreLoss: 'refuse', mode: 'shadow' } as const;
    const under = fleetWith({ replicas: 1, options });
    breakAll(under, 'throw');
    await under.hear();

    expect(under.replicas[0]!.fleet.status().isDegraded).toBe(true);
    expect(isRefused(under.circuits[0]!)).toBe(false);
  });
});

describe('what is told of a loss', () => {
  it('has no secrets', async () => {
    const under = fleetWith({ replicas: 1 });
    breakAll(under, 'reject');
    await under.hear();

    const { events, fleet } = under.replicas[0]!;
    expect(events[0]).toEqual({
      type: 'store-degraded',
      replica: 'r0',
      reason: 'error',
      message: 'connect ECONNREFUSED redis://user:***@10.0.0.1:6379',
    });
    expect(fleet.status().reason).toBe('connect ECONNREFUSED redis://user:***@10.0.0.1:6379');
  });

  it('says how long was waited', async () => {
    const under = fleetWith({ replicas: 1 });
    breakAll(under, 'silent');
    await under.hear();

    expect(typesOf(under.replicas[0]!.events)).toEqual(['store-degraded']);
    expect(under.replicas[0]!.events[0]).toMatchObject({
      reason: 'timeout',
      message: 'no answer within 500 ms',
    });
  });
});
