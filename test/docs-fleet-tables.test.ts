import { describe, expect, it } from 'vitest';
import { CIRCUIT_FLEET_DEFAULTS, CircuitBreaker, MemoryCircuitStore } from '@holdfast/core/guard';
import type { CircuitOptions, GuardEvent } from '@holdfast/core/guard';
import { code, defaultsIn, tableRows } from './support/markdown-tables.ts';

const page = 'docs/fleet.md';

/** The compiler sees to it that none is missing. */
const EVENTS: Readonly<Record<Extract<GuardEvent['type'], `store-${string}`>, true>> = {
  'store-degraded': true,
  'store-recovered': true,
};
const POLICIES: Readonly<Record<NonNullable<CircuitOptions['onStoreLoss']>, true>> = {
  local: true,
  admit: true,
  refuse: true,
};

describe('tables of fleets in the docs', () => {
  it('state the options that are in force', () => {
    const header = '| option | default | what it does |';
    expect(defaultsIn(page, header)).toEqual(CIRCUIT_FLEET_DEFAULTS);
  });

  it('list every event, and every way to go on without a store', () => {
    const names = (header: string): string[] =>
      tableRows(page, header).map(([cell]) => code(cell!));
    expect(names('| event | when | fields |')).toEqual(Object.keys(EVENTS));
    const ways = names('| `onStoreLoss` | while the store is away |');
    expect(ways).toEqual(Object.keys(POLICIES).map((name) => `'${name}'`));
    for (const way of ways)
      expect(
        () => new CircuitBreaker('x', { onStoreLoss: way.slice(1, -1) as 'local' }),
      ).not.toThrow();
  });

  it('say how many methods a store has to have', () => {
    const store = new MemoryCircuitStore();
    const needed = ['report', 'lease', 'settle', 'override', 'join', 'leave', 'replicas'] as const;
    expect(needed.map((name) => typeof store[name])).toEqual(needed.map(() => 'function'));
    expect(tableRows(page, '| store | for |').at(-1)![1]).toContain('seven methods');
  });
});
