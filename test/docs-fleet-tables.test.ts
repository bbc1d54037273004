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

describe('the arithmetic of docs/scale.md', () => {
  const rows = tableRows(
    'docs/scale.md',
    '| replicas × circuits in use | commands each time | told once in | commands a second |',
  );
  const number = (text: string): number => Number(text.replaceAll(',', ''));
  const { flushMs, maxCommandsPerSecond } = CIRCUIT_FLEET_DEFAULTS;
  const usual = (flushMs[0] + flushMs[1]) / 2 / 1000;

  it.each(rows)('holds for %s', (fleet, each, interval, perSecond) => {
    const [replicas, circuits] = fleet.split(' × ').map(number);
    const commands = replicas! * circuits!;
    const least = commands / maxCommandsPerSecond;
    // The interval is left to chance: up to a quarter longer than the limit asks for.
    const [from, to] = least > usual ? [least, least * 1.25] : [usual, usual];

    expect(number(each)).toBe(commands);
    const [told, most = told] = interval.replace(' s', '').split(' to ').map(Number);
    expect(told).toBeCloseTo(from, 1);
    expect(most).toBeCloseTo(to, 1);
    const average = commands / ((from + to) / 2);
    expect(Math.abs(number(perSecond) / average - 1)).toBeLessThan(0.02);
  });

  it('goes up to 10,000 replicas', () => {
    expect(rows.map(([fleet]) => fleet)).toContain('10,000 × 100');
  });
});
