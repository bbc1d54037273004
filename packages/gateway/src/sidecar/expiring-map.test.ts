import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, test } from 'vitest';
import { ExpiringMap } from './expiring-map.ts';

function mapOf(max: number): {
  readonly map: ExpiringMap<number>;
  readonly clock: ManualClock;
  readonly forgotten: number[];
} {
  const clock = new ManualClock();
  const forgotten: number[] = [];
  const onForget = (value: number): void => void forgotten.push(value);
  return { map: new ExpiringMap({ max, keepMs: 100, clock, onForget }), clock, forgotten };
}

describe('ExpiringMap', () => {
  test('forgets a value when its time is up, without being asked', async () => {
    const { map, clock, forgotten } = mapOf(10);
    map.set('a', 1);
    await clock.advance(60);
    map.set('b', 2);
    await clock.advance(39);
    expect([map.get('a'), forgotten]).toEqual([1, []]);
    await clock.advance(1);
    expect([map.get('a'), map.get('b'), forgotten]).toEqual([undefined, 2, [1]]);
    await clock.advance(60);
    expect([map.size, forgotten, clock.pendingTimers]).toEqual([0, [1, 2], 0]);
  });

  test('starts the time of a value anew when it is set again', async () => {
    const { map, clock, forgotten } = mapOf(10);
    map.set('a', 1);
    await clock.advance(60);
    map.set('a', 1);
    await clock.advance(60);
    expect([map.get('a'), forgotten]).toEqual([1, []]);
  });

  test('makes room by forgetting the one that was set longest ago', () => {
    const { map, forgotten } = mapOf(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('a', 1);
    map.set('c', 3);
    expect([map.has('a'), map.has('b'), map.has('c'), forgotten]).toEqual([true, false, true, [2]]);
  });

  test('tells nobody of what is taken out', async () => {
    const { map, clock, forgotten } = mapOf(2);
    map.set('__proto__', 1);
    expect([map.take('__proto__'), map.take('__proto__')]).toEqual([1, undefined]);
    await clock.advance(200);
    expect(forgotten).toEqual([]);
  });

  test('leaves no timer behind when it is cleared', () => {
    const { map, clock, forgotten } = mapOf(2);
    map.set('a', 1);
    map.clear();
    expect([map.size, forgotten, clock.pendingTimers]).toEqual([0, [1], 0]);
  });

  test('has one timer for all of its values', () => {
    const { map, clock } = mapOf(1000);
    for (let index = 0; index < 500; index++) map.set(String(index), index);
    expect(clock.pendingTimers).toBe(1);
  });
});
