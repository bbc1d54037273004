import { CircuitBreaker } from '@holdfast/core/guard';
import type { Failure } from '@holdfast/core/guard';
import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, test } from 'vitest';
import { CircuitTimelines, TIMELINE_LENGTH } from './circuit-timelines.ts';

const BROKEN: Failure = { class: 'server', message: 'HTTP 500' };
const CANCELLED: Failure = { class: 'cancelled', message: 'taken back' };

function circuit(): { one: CircuitBreaker; make: (failure?: Failure) => void } {
  const one = new CircuitBreaker(
    'pay',
    { consecutiveFailures: 2, openForMs: 1000 },
    { clock: new ManualClock() },
  );
  const make = (failure?: Failure): void => {
    const permit = one.acquire();
    if (!('isRefused' in permit)) one.settle(permit, failure);
  };
  return { one, make };
}

describe('the timeline of a circuit', () => {
  test('tells what became of its last calls, oldest first', () => {
    const timelines = new CircuitTimelines();
    const { one, make } = circuit();
    expect(timelines.of(one)).toBe('');
    for (const failure of [undefined, CANCELLED, undefined, BROKEN, BROKEN, undefined]) {
      make(failure);
      timelines.settled(one);
    }
    expect(timelines.of(one)).toBe('sisffr');
  });

  test('misses nothing that nobody told of, and counts nothing twice', () => {
    const timelines = new CircuitTimelines();
    const { one, make } = circuit();
    make();
    make();
    expect(timelines.of(one)).toBe('ss');
    timelines.settled(one);
    timelines.settled(one);
    make(BROKEN);
    expect(timelines.of(one)).toBe('ssf');
  });

  test('does not grow', () => {
    const timelines = new CircuitTimelines();
    const { one, make } = circuit();
    for (let call = 0; call < 1000; call++) make();
    make(BROKEN);
    expect(timelines.of(one)).toBe(`${'s'.repeat(TIMELINE_LENGTH - 1)}f`);
  });

  test('belongs to one circuit', () => {
    const timelines = new CircuitTimelines();
    const [first, second] = [circuit(), circuit()];
    first.make();
    second.make(BROKEN);
    expect([timelines.of(first.one), timelines.of(second.one)]).toEqual(['s', 'f']);
  });
});
