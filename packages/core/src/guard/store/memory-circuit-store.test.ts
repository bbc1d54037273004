import { expect, it } from 'vitest';
import { ManualClock } from '../../testing/manual-clock.ts';
import { describeCircuitStore, report } from './circuit-store-suite.case.ts';
import { MemoryCircuitStore } from './memory-circuit-store.ts';

describeCircuitStore('MemoryCircuitStore', () => {
  const clock = new ManualClock();
  const store = new MemoryCircuitStore({ clock });
  return Promise.resolve({
    one: store,
    other: store,
    advance: (ms) => clock.advance(ms),
    empty: () => {
      store.clear();
      return Promise.resolve();
    },
    keptForMs: (circuit) => Promise.resolve(store.keptForMs(circuit)),
    close: () => Promise.resolve(),
  });
});

it('forgets a circuit that nobody touched for its window and ten minutes', async () => {
  const clock = new ManualClock();
  const store = new MemoryCircuitStore({ clock });
  await store.report('search', report({ calls: 3, rules: { windowMs: 3_600_000 } }));
  clock.skip(3_600_000 + 600_000);
  await store.report('other', report());

  expect(store.keptForMs('search')).toBe(0);
});

it('goes by the time of the wall, whatever its clock begins with', async () => {
  const clock = new ManualClock(5000);
  const store = new MemoryCircuitStore({ clock });
  const { version } = await store.override('search', { type: 'reset', replica: 'r0' });

  expect(version).toBe(clock.wallTime());
});

it('knows nothing of a circuit the moment that it is kept no longer', async () => {
  const clock = new ManualClock();
  const store = new MemoryCircuitStore({ clock });
  const isolation = { type: 'isolate', replica: 'r0', note: 'for a moment', forMs: 1000 } as const;
  await store.override('search', isolation);
  await store.override('other', isolation);
  clock.skip(store.keptForMs('search') - 1);
  expect(await store.report('other', report())).toMatchObject({ state: 'half-open' });
  clock.skip(1);

  expect(await store.report('search', report())).toMatchObject({ state: 'closed', version: 0 });
});

it('lists replicas by name until their time is over, and none once it is cleared', async () => {
  const clock = new ManualClock();
  const store = new MemoryCircuitStore({ clock });
  const record = { startedAt: 0, notClosed: [], circuits: 0, calls: 0, failures: 0, version: '' };
  for (const id of ['c', 'a', 'd', 'b']) await store.join({ ...record, id }, 1000);
  const names = async (): Promise<string[]> => (await store.replicas()).map(({ id }) => id);
  clock.skip(999);
  expect(await names()).toEqual(['a', 'b', 'c', 'd']);
  clock.skip(1);
  expect(await names()).toEqual([]);
  await store.join({ ...record, id: 'a' }, 1000);
  store.clear();

  expect(await names()).toEqual([]);
});

it('refuses options that it does not have', () => {
  // @ts-expect-error There is no such option.
  expect(() => new MemoryCircuitStore({ url: 'redis://localhost' })).toThrow(
    'memory store.url: expected an option that exists (clock), got "redis://localhost"',
  );
});
