import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../testing/manual-clock.ts';
import { Circuits } from '../circuits.ts';
import type { GuardEvent } from '../guard-event.ts';
import { CategoryExecutors } from './category-executors.ts';

const categories = { search: { timeoutMs: 1000 }, files: { timeoutMs: 2000 } };

describe('the executors of categories', () => {
  test('are made once per tool', () => {
    const executors = new CategoryExecutors(new Circuits(), categories, {});
    const executor = executors.get('search', 'find');
    expect(executor).toMatchObject({ name: 'find', timeoutMs: 1000 });
    expect(executors.get('search', 'find')).toBe(executor);
    expect(executors.get('files', 'find')).not.toBe(executor);
    expect(executors.get('search', 'find')).toBe(executor);
  });

  test('are named after the category where no tool is', () => {
    const executors = new CategoryExecutors(new Circuits(), categories, {});
    expect([executors.get('search', undefined).name, executors.get('search', '').name]).toEqual([
      'search',
      'search',
    ]);
  });

  test('are not kept for a flood of tools', () => {
    const executors = new CategoryExecutors(new Circuits(), categories, {});
    const first = executors.get('search', 'first');
    // With that of the category itself.
    for (let at = 0; at < 998; at++) executors.get('search', `made-up-${at}`);
    expect(executors.get('search', 'first')).toBe(first);
    executors.get('search', 'one more');
    expect(executors.get('search', 'first')).not.toBe(first);
  });

  test('have the time, the chance and the listener of the circuits, unless they have their own', () => {
    const [clock, ownClock] = [new ManualClock(), new ManualClock()];
    const [random, ownRandom] = [() => 0.25, () => 0.75];
    const told: string[] = [];
    const listener =
      (who: string) =>
      ({ type }: GuardEvent): void =>
        void told.push(`${who}: ${type}`);
    const circuits = new Circuits({ clock, random, onEvent: listener('circuits') });
    const event = { type: 'call-timed-out', name: 'find', timeoutMs: 1 } as const;

    const lent = new CategoryExecutors(circuits, categories, {}).get('search', 'find').environment;
    expect(lent).toMatchObject({ clock, random });
    lent.emit?.(event);
    const own = { clock: ownClock, random: ownRandom, onEvent: listener('own') };
    const set = new CategoryExecutors(circuits, categories, own).get('search', 'find').environment;
    expect(set).toMatchObject({ clock: ownClock, random: ownRandom });
    set.emit?.(event);
    expect(told).toEqual(['circuits: call-timed-out', 'own: call-timed-out']);
  });
});
