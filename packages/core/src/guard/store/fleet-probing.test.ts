import { describe, expect, it } from 'vitest';
import type { Permit } from '../../internal/circuit-machine.ts';
import { BROKEN, isRefused, permitOf, succeed } from '../breaker/breaker-under-test.case.ts';
import type { CircuitBreaker, Refusal } from '../breaker/circuit-breaker.ts';
import type { CircuitOptions } from '../breaker/circuit-options.ts';
import { fleetWith } from './fleet-under-test.case.ts';
import type { FleetUnderTest } from './fleet-under-test.case.ts';

const OPEN_MS = 10_000;
/** What is left of it when all have heard, and a little more. */
const REST_MS = OPEN_MS - 2500 + 300;

/** A fleet whose open time is just over, as everybody knows. */
async function halfOpen(options: CircuitOptions = {}, replicas = 3): Promise<FleetUnderTest> {
  const under = fleetWith({ replicas, options: { openForMs: OPEN_MS, ...options } });
  for (const circuit of under.circuits) succeed(circuit);
  await under.hear();
  under.circuits[0]!.isolate('for a while', OPEN_MS);
  for (const circuit of under.circuits) isRefused(circuit);
  await under.hear();
  expect(new Set(under.states().split(' '))).toEqual(new Set(['open']));
  return under;
}

const isPermit = (admission: Permit | Refusal): admission is Permit => !('isRefused' in admission);

/** The circuit that is let through, and its permit, when all of them ask. */
function probesOf(
  circuits: readonly CircuitBreaker[],
): { circuit: CircuitBreaker; permit: Permit }[] {
  return circuits.flatMap((circuit) => {
    const permit = circuit.acquire();
    return isPermit(permit) ? [{ circuit, permit }] : [];
  });
}

describe('a fleet that is half-open', () => {
  it('lets one call of all replicas through, once somebody was refused', async () => {
    const { circuits, clock } = await halfOpen();
    for (const circuit of circuits) isRefused(circuit);
    await clock.advance(REST_MS);
    const probes = probesOf(circuits);

    expect(probes).toHaveLength(1);
    expect(probes[0]!.permit.isProbe).toBe(true);
    await clock.advance(5000);
    expect(probesOf(circuits)).toEqual([]);
  });

  it('asks for no place while nobody calls', async () => {
    const { replicas, clock, circuits } = fleetWith({ options: { openForMs: OPEN_MS } });
    for (const circuit of circuits) succeed(circuit);
    await clock.advance(2000);
    circuits[0]!.isolate('for a while', OPEN_MS);
    await clock.advance(30_000);

    expect(replicas.map(({ store }) => store.countOf('lease'))).toEqual([0, 0, 0]);
  });

  it('closes everywhere when the probe succeeds', async () => {
    const { circuits, clock, states, hear } = await halfOpen();
    await clock.advance(OPEN_MS);
    for (const circuit of circuits) isRefused(circuit);
    await clock.advance(300);
    const [probe] = probesOf(circuits);
    probe!.circuit.settle(probe!.permit);
    expect(probe!.circuit.state).toBe('closed');
    await hear();

    expect(states()).toBe('closed closed closed');
  });

  it('opens everywhere when the probe fails, for longer each time', async () => {
    const growing = { openForGrowth: 3, openForMs: OPEN_MS };
    const { circuits, clock, states, hear } = await halfOpen(growing);
    await clock.advance(OPEN_MS);
    for (const circuit of circuits) isRefused(circuit);
    await clock.advance(300);
    const [probe] = probesOf(circuits);
    probe!.circuit.settle(probe!.permit, BROKEN);
    expect(probe!.circuit.state).toBe('open');
    await hear();

    expect(states()).toBe('open open open');
    for (const circuit of circuits) isRefused(circuit);
    await clock.advance(REST_MS);
    const [again] = probesOf(circuits);
    again!.circuit.settle(again!.permit, BROKEN);
    await hear();
    expect(circuits.map(({ history }) => history.at(-1)!.reason)).toEqual(
      Array.from({ length: 3 }, () => 'probe_failed'),
    );
    const waits = circuits.map((circuit) => circuit.metadata().circuit_retry_after_seconds);
    for (const wait of waits) expect(wait).toBeGreaterThan((2 * OPEN_MS) / 1000);
  });

  it('waits for as many successes as it is to have, whoever makes them', async () => {
    const { circuits, clock, states, hear } = await halfOpen({ successesToClose: 3 });
    await clock.advance(OPEN_MS);
    const made = new Set<CircuitBreaker>();
    for (let probe = 0; probe < 3; probe++) {
      for (const circuit of circuits) isRefused(circuit);
      await clock.advance(1500);
      // Whoever has made one lets others go first, which makes them wait.
      const [taken] = probesOf(circuits);
      made.add(taken!.circuit);
      taken!.circuit.settle(taken!.permit);
      expect(taken!.circuit.state).toBe('half-open');
      await clock.advance(100);
    }
    await hear();

    expect(states()).toBe('closed closed closed');
  });

  it('gives the place of a probe that was cancelled to another', async () => {
    const { circuits, clock } = await halfOpen();
    await clock.advance(OPEN_MS);
    for (const circuit of circuits) isRefused(circuit);
    await clock.advance(300);
    const [probe] = probesOf(circuits);
    probe!.circuit.release(probe!.permit);
    const others = circuits.filter((circuit) => circuit !== probe!.circuit);
    for (const circuit of others) isRefused(circuit);
    await clock.advance(1500);

    expect(probesOf(others)).toHaveLength(1);
  });

  it('gives a place back that no call has come for', async () => {
    const { circuits, clock, replicas } = await halfOpen({}, 2);
    isRefused(circuits[0]!);
    await clock.advance(OPEN_MS + 2000);
    expect(replicas[0]!.store.countOf('settle')).toBe(1);
    isRefused(circuits[1]!);
    await clock.advance(200);

    expect(permitOf(circuits[1]!).isProbe).toBe(true);
  });

  it('frees the place of a replica that died when its lease is over', async () => {
    const { circuits, clock, replicas } = await halfOpen({ probeLeaseMs: 5000 });
    await clock.advance(OPEN_MS);
    for (const circuit of circuits) isRefused(circuit);
    await clock.advance(300);
    const [probe] = probesOf(circuits);
    const dead = circuits.indexOf(probe!.circuit);
    replicas[dead]!.store.fault = 'silent';
    const others = circuits.filter((_, at) => at !== dead);
    let freedAfterMs = 0;
    while (probesOf(others).length === 0 && freedAfterMs < 60_000) {
      await clock.advance(100);
      freedAfterMs += 100;
    }

    expect(freedAfterMs).toBeGreaterThan(4000);
    expect(freedAfterMs).toBeLessThan(5000 + 1000 + 1500);
  });

  it('keeps the place of a call that may take longer than its lease', async () => {
    const { circuits, clock, states, hear } = await halfOpen({ probeLeaseMs: 5000 });
    await clock.advance(OPEN_MS);
    for (const circuit of circuits) isRefused(circuit);
    await clock.advance(300);
    const permits = circuits.map((circuit) => circuit.acquire(undefined, 30_000));
    const at = permits.findIndex(isPermit);
    const others = circuits.filter((_, other) => other !== at);
    for (let second = 0; second < 28; second++) {
      expect(probesOf(others)).toEqual([]);
      await clock.advance(1000);
    }
    circuits[at]!.settle(permits[at] as Permit);
    await hear();

    expect(states()).toBe('closed closed closed');
  });

  it('tells who is refused how long the probe of another may take', async () => {
    const { circuits, clock } = await halfOpen({ probeLeaseMs: 20_000 });
    await clock.advance(OPEN_MS);
    for (const circuit of circuits) isRefused(circuit);
    await clock.advance(300);
    const [probe] = probesOf(circuits);
    const other = circuits.find((circuit) => circuit !== probe!.circuit)!;
    isRefused(other);
    await clock.advance(1500);

    const refusal = other.acquire();
    if (isPermit(refusal)) throw new Error('let through');
    expect(refusal.state).toBe('half-open');
    expect(refusal.retryAfterMs).toBeGreaterThan(10_000);
    expect(refusal.retryAfterMs).toBeLessThan(22_000);
  });

  it('hears of a probe whose telling was lost, as long as its lease lasts', async () => {
    const { circuits, clock, replicas, states, hear } = await halfOpen();
    await clock.advance(OPEN_MS);
    for (const circuit of circuits) isRefused(circuit);
    await clock.advance(300);
    const [probe] = probesOf(circuits);
    const { store } = replicas[circuits.indexOf(probe!.circuit)]!;
    let lost = 0;
    store.faultOf = (operation) => (operation === 'settle' && lost++ === 0 ? 'reject' : undefined);
    probe!.circuit.settle(probe!.permit);
    await hear();

    expect(lost).toBe(2);
    expect(states()).toBe('closed closed closed');
  });

  it('asks again for a place whose grant was lost, and gets the same', async () => {
    const { circuits, clock, replicas } = await halfOpen({}, 1);
    const { store } = replicas[0]!;
    let lost = 0;
    store.faultOf = (operation) => (operation === 'lease' && lost++ === 0 ? 'mute' : undefined);
    isRefused(circuits[0]!);
    await clock.advance(REST_MS + 400);

    expect(store.countOf('lease')).toBe(2);
    expect(permitOf(circuits[0]!).isProbe).toBe(true);
  });

  it('follows the store where a probe came too late to count', async () => {
    const { circuits, clock, replicas, store, hear } = await halfOpen({ probeLeaseMs: 1000 }, 2);
    await clock.advance(OPEN_MS);
    isRefused(circuits[0]!);
    await clock.advance(500);
    const probe = circuits[0]!.acquire();
    if (!isPermit(probe)) throw new Error('refused');
    const { store: way } = replicas[0]!;
    way.faultOf = (operation) => (operation === 'settle' ? 'mute' : undefined);
    store.clear();
    circuits[0]!.settle(probe);
    expect(circuits[0]!.state).toBe('closed');
    way.faultOf = undefined;
    await hear();
    await hear();

    // Nobody has confirmed it, so it is for a probe to find out again.
    expect(circuits[0]!.state).toBe('half-open');
  });
});
