import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../testing/manual-clock.ts';
import { Circuits } from '../circuits.ts';
import { matchesCircuitPattern } from './circuit-names.ts';

const tool = (circuits: Circuits, name: string, server: string): boolean =>
  circuits.forTool(name, { server }).every((circuit) => !('isRefused' in circuit.acquire()));

describe('an isolated pattern', () => {
  it('refuses calls of every circuit that it matches, used before or not', () => {
    const circuits = new Circuits({ clock: new ManualClock() });
    expect(tool(circuits, 'pay', 'shop')).toBe(true);

    circuits.get('shop/*').isolate('maintenance');

    expect(tool(circuits, 'pay', 'shop')).toBe(false);
    expect(tool(circuits, 'refund', 'shop')).toBe(false);
    expect(tool(circuits, 'pay', 'bank')).toBe(true);
    expect(circuits.get('shop/pay').acquire()).toMatchObject({ circuit: 'shop/*', state: 'open' });
  });

  it('refuses nothing after its reset, its time, or when it is forgotten', async () => {
    const clock = new ManualClock();
    const circuits = new Circuits({ clock });
    const pattern = circuits.get('*');
    pattern.isolate('one');
    pattern.reset();
    expect(tool(circuits, 'pay', 'shop')).toBe(true);

    pattern.isolate('two', 1000);
    expect(tool(circuits, 'pay', 'shop')).toBe(false);
    await clock.advance(1000);
    expect(tool(circuits, 'pay', 'shop')).toBe(true);

    pattern.isolate('three');
    circuits.clear();
    expect(tool(circuits, 'pay', 'shop')).toBe(true);
  });

  it('refuses nothing while its name is only that of a tool', () => {
    const circuits = new Circuits({
      clock: new ManualClock(),
      defaults: { consecutiveFailures: 1 },
    });
    const star = circuits.get('shop/*');
    const permit = star.acquire();
    if (!('isRefused' in permit)) star.settle(permit, { class: 'server', message: 'down' });

    expect(star.state).toBe('open');
    expect(tool(circuits, 'pay', 'shop')).toBe(true);
  });
});

it.each([
  ['shop/*', 'shop/pay', true],
  ['*/search', 'github/search', true],
  ['a*b*c', 'a-b-c', true],
  ['a*b*c', 'ac', false],
  ['ab*ba', 'aba', false],
  ['*', '', true],
  ['shop/*', 'server:shop', false],
])('%s and %s: %s', (pattern, name, expected) => {
  expect(matchesCircuitPattern(pattern, name)).toBe(expected);
});
