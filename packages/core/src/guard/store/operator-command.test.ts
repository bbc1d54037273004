import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../testing/manual-clock.ts';
import { fail, isRefused, succeed } from '../breaker/breaker-under-test.case.ts';
import { fleetWith } from './fleet-under-test.case.ts';
import { MemoryCircuitStore } from './memory-circuit-store.ts';

describe('what an operator wants', () => {
  it('is the last of what was said, however slow the store', async () => {
    const { circuits, replicas, states, hear, clock } = fleetWith({ replicas: 2 });
    for (const circuit of circuits) succeed(circuit);
    await hear();
    for (const { store } of replicas) store.delayMs = () => 100;
    circuits[0]!.isolate('by mistake');
    await clock.advance(50);
    circuits[0]!.reset('it was one');
    expect(states()).toBe('closed closed');
    for (let second = 0; second < 5; second++) {
      for (const circuit of circuits) isRefused(circuit);
      await clock.advance(1000);
    }

    expect(states()).toBe('closed closed');
    expect(replicas[0]!.store.countOf('override')).toBe(2);
    expect(replicas[1]!.fleet.status().circuits[0]!.shared).toMatchObject({ reason: 'reset' });
  });

  it('is not undone by what the store says before it has heard', async () => {
    const { circuits, replicas, states, clock, hear } = fleetWith({ replicas: 1 });
    fail(circuits[0]!, 5);
    await hear();
    expect(states()).toBe('open');
    replicas[0]!.store.delayMs = () => 200;
    await clock.advance(1100);
    circuits[0]!.reset();
    for (let step = 0; step < 40; step++) {
      await clock.advance(50);
      expect(states()).toBe('closed');
    }
  });

  it('is not told when its time is over before the store is back', async () => {
    const { circuits, replicas, clock } = fleetWith({ replicas: 1 });
    const { store } = replicas[0]!;
    store.fault = 'reject';
    await clock.advance(3000);
    circuits[0]!.isolate('for a moment', 2000);
    await clock.advance(5000);
    store.fault = undefined;
    await clock.advance(5000);

    expect(replicas[0]!.fleet.status().isDegraded).toBe(false);
    expect(store.countOf('override')).toBe(0);
  });

  it('is told again until it is heard', async () => {
    const { circuits, replicas, clock, store } = fleetWith({ replicas: 1 });
    let lost = 0;
    replicas[0]!.store.faultOf = (operation) =>
      operation === 'override' && lost++ === 0 ? 'silent' : undefined;
    circuits[0]!.isolate('under repair');
    await clock.advance(1000);

    expect(lost).toBe(2);
    expect(store.keptForMs('search')).toBeGreaterThan(0);
    expect(circuits[0]!.history).toHaveLength(1);
  });
});

describe('a store that is empty, and whose clock is ten minutes behind', () => {
  it('is told what there was, and follows operators as before', async () => {
    const { circuits, replicas, states, clock, hear } = fleetWith();
    for (const circuit of circuits) succeed(circuit);
    await hear();
    fail(circuits[0]!, 5);
    for (const circuit of circuits) isRefused(circuit);
    await hear();
    const behind = new ManualClock(0, clock.wallTime() - 600_000);
    const other = new MemoryCircuitStore({ clock: behind });
    for (const { store } of replicas) store.inner = other;
    await hear();
    expect(states()).toBe('open open open');
    const versions = replicas.map(({ fleet }) => fleet.status().circuits[0]!.shared!.version);
    expect(new Set(versions).size).toBe(1);

    circuits[1]!.reset('mended');
    await hear();
    for (const circuit of circuits) isRefused(circuit);
    await hear();
    expect(states()).toBe('closed closed closed');
    circuits[2]!.isolate('under repair');
    for (const circuit of circuits) isRefused(circuit);
    await hear();

    expect(states()).toBe('open open open');
  });

  it('takes an operator at his word that it hears first', async () => {
    const { circuits, replicas, states, clock, hear } = fleetWith();
    fail(circuits[0]!, 5);
    for (const circuit of circuits) isRefused(circuit);
    await hear();
    const behind = new ManualClock(0, clock.wallTime() - 600_000);
    const other = new MemoryCircuitStore({ clock: behind });
    circuits[0]!.reset();
    for (const { store } of replicas) store.inner = other;
    await hear();
    for (const circuit of circuits) isRefused(circuit);
    await hear();

    expect(states()).toBe('closed closed closed');
  });
});
