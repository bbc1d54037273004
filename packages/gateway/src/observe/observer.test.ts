import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, test } from 'vitest';
import type { GatewayEvent, ObservedEvent } from './gateway-event.ts';
import { Observer } from './observer.ts';

const halfOpened = (circuit: string): GatewayEvent => ({ type: 'circuit-half-opened', circuit });
const loaded: GatewayEvent = { type: 'config-loaded', changed: [] };

const observer = (capacity?: number) => {
  const clock = new ManualClock(0, 1000);
  return {
    clock,
    observer: new Observer({ clock, ...(capacity === undefined ? {} : { capacity }) }),
  };
};

describe('an observer', () => {
  test('gives every event a number and a time, and keeps it', () => {
    const { observer: seen, clock } = observer();
    expect(seen.lastSeq).toBe(0);
    expect(seen.firstSeq).toBe(1);
    seen.emit('mcp', halfOpened('a'));
    clock.skip(5);
    seen.emit('gateway', loaded);
    expect(seen.recent()).toEqual([
      { seq: 1, at: 1000, source: 'mcp', event: halfOpened('a') },
      { seq: 2, at: 1005, source: 'gateway', event: loaded },
    ]);
    expect(seen.lastSeq).toBe(2);
  });

  test('keeps only the newest', () => {
    const { observer: seen } = observer(3);
    for (let n = 1; n <= 10; n++) seen.emit('mcp', halfOpened(String(n)));
    expect(seen.recent().map(({ seq }) => seq)).toEqual([8, 9, 10]);
    expect(seen.firstSeq).toBe(8);
    expect(seen.recent({ after: 2 }).map(({ seq }) => seq)).toEqual([8, 9, 10]);
  });

  test('finds what came after an event, of some types, and the newest of many', () => {
    const { observer: seen } = observer();
    for (let n = 1; n <= 6; n++) seen.emit('mcp', n % 2 === 0 ? loaded : halfOpened(String(n)));
    const seqs = (events: readonly ObservedEvent[]) => events.map(({ seq }) => seq);
    expect(seqs(seen.recent({ after: 4 }))).toEqual([5, 6]);
    expect(seqs(seen.recent({ after: 6 }))).toEqual([]);
    expect(seqs(seen.recent({ types: new Set(['config-loaded']) }))).toEqual([2, 4, 6]);
    expect(seqs(seen.recent({ types: new Set(['config-loaded']), limit: 2 }))).toEqual([4, 6]);
    expect(seqs(seen.recent({ limit: 0 }))).toEqual([]);
  });

  test('gives the oldest after an event, for those who read one after the other', () => {
    const { observer: seen } = observer(4);
    for (let n = 1; n <= 10; n++) seen.emit('mcp', halfOpened(String(n)));
    const seqs = (after: number, limit: number) => seen.next(after, limit).map(({ seq }) => seq);
    expect(seqs(7, 2)).toEqual([8, 9]);
    expect(seqs(0, 2)).toEqual([7, 8]);
    expect(seqs(9, 100)).toEqual([10]);
    expect(seqs(10, 100)).toEqual([]);
  });

  test('tells every listener, until it no longer listens', () => {
    const { observer: seen } = observer();
    const told: string[] = [];
    const listener = ({ seq }: ObservedEvent) => void told.push(`first ${seq}`);
    const stop = seen.subscribe(listener);
    seen.subscribe(({ seq }) => void told.push(`second ${seq}`));
    // The same function may listen twice; ending one leaves the other.
    seen.subscribe(listener)();
    seen.emit('mcp', loaded);
    stop();
    stop();
    seen.emit('mcp', loaded);
    expect(told).toEqual(['first 1', 'second 1', 'second 2']);
  });

  test('a listener that throws hinders nobody, and is told of the next', () => {
    const { observer: seen } = observer();
    const told: number[] = [];
    let thrown = 0;
    seen.subscribe(() => {
      thrown++;
      throw new Error('broken');
    });
    seen.subscribe(({ seq }) => void told.push(seq));
    seen.emit('mcp', loaded);
    seen.emit('mcp', loaded);
    expect(told).toEqual([1, 2]);
    expect(thrown).toBe(2);
  });

  test('keeps the order where a listener emits', () => {
    const { observer: seen } = observer();
    const told: number[] = [];
    seen.subscribe(({ seq }) => {
      if (seq === 1) seen.emit('gateway', loaded);
    });
    seen.subscribe(({ seq }) => void told.push(seq));
    seen.emit('mcp', loaded);
    expect(told).toEqual([1, 2]);
  });
});
