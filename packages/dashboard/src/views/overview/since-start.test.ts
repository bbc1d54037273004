import { expect, test } from 'vitest';
import type { Overview } from '../../api/api-types.ts';
import { sinceStart } from './since-start.ts';

const at = (second: number): string => new Date(second * 1000).toISOString();

/** A quarter of an hour in pieces of ten seconds, of a gateway that was started at some second of it. */
function overview(startedAt: number): Overview {
  const series = Array.from({ length: 90 }, (_, index) => ({ at: at(index * 10) }));
  return { since: at(startedAt), slot_seconds: 10, series } as unknown as Overview;
}

const drawn = (startedAt: number): readonly string[] =>
  sinceStart(overview(startedAt)).map((point) => point.at);

test('a gateway that was there all the time is drawn from the first piece on', () => {
  expect(drawn(0)).toHaveLength(90);
});

test('one that was started in between is drawn from then on', () => {
  expect(drawn(305)[0]).toBe(at(300));
  expect(drawn(305).at(-1)).toBe(at(890));
});

test('one that was started just now is drawn with room for what comes', () => {
  expect(drawn(895)).toHaveLength(18);
});
