import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../testing/manual-clock.ts';
import { Circuits } from '../circuits.ts';
import { failAt, replicaWith } from './fleet-under-test.case.ts';
import type { Replica } from './fleet-under-test.case.ts';
import { MemoryCircuitStore } from './memory-circuit-store.ts';

/** Replicas on a store that has news. */
function started(): { start: () => Replica; hear: () => Promise<void> } {
  const clock = new ManualClock();
  const store = new MemoryCircuitStore({ clock });
  let at = 0;
  return {
    start: () => replicaWith({ fleet: { store } }, at++, store, clock),
    hear: () => clock.advance(2500),
  };
}

const isRefused = (circuits: Circuits, name: string): boolean =>
  'isRefused' in circuits.get(name).acquire();

describe('the first call of a circuit', () => {
  it('is refused on a replica that runs when another has isolated it', async () => {
    const { start, hear } = started();
    const [one, other] = [start(), start()];

    one.circuits.get('pay').isolate('maintenance');
    await hear();

    expect(isRefused(other.circuits, 'pay')).toBe(true);
    expect(other.circuits.get('pay').history.at(-1)).toMatchObject({ note: 'maintenance' });
  });

  it('is refused on a replica that starts after it was isolated or opened', async () => {
    const { start, hear } = started();
    const first = start();
    first.circuits.get('shop/*').isolate('maintenance');
    failAt(first, 5);
    await hear();

    const next = start();
    await next.fleet.load();

    expect(isRefused(next.circuits, 'shop/pay')).toBe(true);
    expect(isRefused(next.circuits, 'search')).toBe(true);
    expect(isRefused(next.circuits, 'other')).toBe(false);
  });

  it('is refused in a registry that replaces another', async () => {
    const { start, hear } = started();
    const { fleet, circuits } = start();
    circuits.get('pay').isolate('maintenance');
    await hear();

    const next = new Circuits({ fleet });
    circuits.clear();

    expect(isRefused(next, 'pay')).toBe(true);
    next.get('pay').reset();
    await hear();
    expect(isRefused(new Circuits({ fleet }), 'pay')).toBe(false);
  });

  it('is let through where the registry does not accept the name', async () => {
    const { start, hear } = started();
    const { fleet, circuits } = start();
    const other = new Circuits({ fleet, accepts: (name) => name.startsWith('a ') });
    circuits.get('a one').isolate('x');
    circuits.get('b one').isolate('x');
    await hear();
    circuits.clear();

    expect(other.list().map(({ name }) => name)).toEqual(['a one']);
  });
});

describe('a replica that starts', () => {
  it('waits for a silent store no longer than storeTimeoutMs', async () => {
    const clock = new ManualClock();
    const silent = Object.assign(new MemoryCircuitStore({ clock }), {
      notClosed: () => new Promise<never>(() => undefined),
    });
    const { fleet } = replicaWith(
      { fleet: { store: silent, storeTimeoutMs: 500 } },
      0,
      silent,
      clock,
    );

    const loaded = fleet.load();
    await clock.advance(500);

    await expect(loaded).resolves.toBeUndefined();
  });
});
