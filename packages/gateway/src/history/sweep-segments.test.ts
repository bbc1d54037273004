import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HistoryKind } from './history-kind.ts';
import type { Segment } from './list-segments.ts';
import { sweepSegments } from './sweep-segments.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-sweep-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const NO_BOUNDS = { maxBytes: Infinity, maxAgeMs: Infinity };

function segment(kind: HistoryKind, changedAt: number, bytes = 10): Segment {
  const path = join(folder, `${kind}-${changedAt}`);
  writeFileSync(path, '');
  return { kind, changedAt, bytes, path, firstAt: 0, writer: '0123456789ab', number: 1 };
}

const isLeft = (segments: readonly Segment[]): boolean[] =>
  segments.map(({ path }) => existsSync(path));

describe('sweeping segments', () => {
  test('removes those that are too old', async () => {
    const segments = [segment('requests', 100), segment('failures', 200), segment('requests', 201)];
    await sweepSegments(segments, { ...NO_BOUNDS, maxAgeMs: 100 }, 301);
    expect(isLeft(segments)).toEqual([false, false, true]);
  });

  test('removes the oldest of the kind that takes the most room, until the rest fits', async () => {
    const transitions = [segment('transitions', 1), segment('transitions', 2)];
    const requests = [40, 30, 10, 20].map((at) => segment('requests', at));
    await sweepSegments([...transitions, ...requests], { ...NO_BOUNDS, maxBytes: 45 }, 1000);
    expect([isLeft(transitions), isLeft(requests)]).toEqual([
      [true, true],
      [true, true, false, false],
    ]);
  });

  test('leaves those that are written to', async () => {
    const segments = [segment('requests', 1), segment('requests', 2), segment('requests', 3)];
    const isInUse = (each: Segment): boolean => each === segments[0];
    await sweepSegments(segments, { maxBytes: 10, maxAgeMs: 1 }, 1000, isInUse);
    expect(isLeft(segments)).toEqual([true, false, false]);
  });

  test('keeps no more than five hundred, however small', async () => {
    const segments = Array.from({ length: 600 }, (_, index) => segment('failures', index, 0));
    const transition = segment('transitions', 0, 0);
    await sweepSegments([...segments, transition], NO_BOUNDS, 1000);
    expect(isLeft(segments).filter(Boolean)).toHaveLength(499);
    expect(isLeft([transition, ...segments.slice(101)])).not.toContain(false);
  });

  test('does not mind those that another process has just removed', async () => {
    const gone = segment('requests', 1);
    rmSync(gone.path);
    await sweepSegments([gone], { ...NO_BOUNDS, maxAgeMs: 1 }, 1000);
  });
});
