import { describe, expect, test } from 'vitest';
import type { HistoryRecord } from './history-record.ts';
import type { Segment } from './list-segments.ts';
import { querySegments } from './query-segments.ts';
import type { SegmentQuery } from './read-segment.ts';

const SECOND = 1000;

function segment(writer: string, firstAt: number, changedAt: number): Segment {
  return { kind: 'requests', writer, firstAt, changedAt, number: 1, bytes: 1, path: writer };
}

/** A record each ten seconds. */
function recordsOf({ writer, firstAt, changedAt }: Segment, before = Infinity): HistoryRecord[] {
  const records: HistoryRecord[] = [];
  for (let at = changedAt; at >= firstAt; at -= 10 * SECOND) {
    if (at < before) records.push({ place: { at, writer, number: at }, about: {} });
  }
  return records;
}

async function ask(
  segments: readonly Segment[],
  given: Partial<SegmentQuery>,
): Promise<{ found: string[]; read: string[] }> {
  const read: string[] = [];
  const found = await querySegments(
    segments,
    { before: undefined, notBefore: 0, limit: 3, ...given },
    async (each, { before, limit }) => {
      read.push(each.writer);
      return recordsOf(each, before?.at).slice(0, limit);
    },
  );
  return { found: found.map(({ place }) => `${place.writer}${place.at / SECOND}`), read };
}

describe('asking several segments', () => {
  const long = segment('long', 0, 200 * SECOND);
  const first = segment('first', 0, 100 * SECOND);
  const second = segment('second', 110 * SECOND, 190 * SECOND);

  test('puts the records of runs at the same time in order', async () => {
    const { found } = await ask([first, second, long], { limit: 5 });
    expect(found).toEqual(['long200', 'second190', 'long190', 'second180', 'long180']);
  });

  test('reads no segment that can hold nothing newer', async () => {
    expect((await ask([first, second, long], { limit: 3 })).read).toEqual(['long', 'second']);
    expect((await ask([first, second], { limit: 9 })).read).toEqual(['second']);
    expect((await ask([first, second], { limit: 10 })).read).toEqual(['second', 'first']);
  });

  test('reads no segment that began after the place it was asked for', async () => {
    const before = { at: 50 * SECOND, writer: 'first', number: 50 * SECOND };
    expect(await ask([first, second, long], { before, limit: 2 })).toEqual({
      found: ['long40', 'first40'],
      read: ['long', 'first'],
    });
  });

  test('reads no segment that is too old', async () => {
    expect((await ask([first, second], { notBefore: 150 * SECOND, limit: 99 })).read).toEqual([
      'second',
    ]);
  });
});
