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

it('refuses options that it does not have', () => {
  // @ts-expect-error There is no such option.
  expect(() => new MemoryCircuitStore({ url: 'redis://localhost' })).toThrow(
    'memory store.url: expected an option that exists (clock), got "redis://localhost"',
  );
});
