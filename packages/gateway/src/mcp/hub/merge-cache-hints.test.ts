import { expect, test } from 'vitest';
import { mergeCacheHints } from './merge-cache-hints.ts';

test.each([
  ['of no server says nothing', [], {}],
  ['says nothing where one server does not', [{ items: [], ttlMs: 5 }, { items: [] }], {}],
  [
    'holds as long as the shortest, for everybody where all do',
    [
      { items: [], ttlMs: 5, cacheScope: 'public' },
      { items: [], ttlMs: 9, cacheScope: 'public' },
    ],
    { ttlMs: 5, cacheScope: 'public' },
  ],
  [
    'is private where one is',
    [
      { items: [], ttlMs: 5, cacheScope: 'public' },
      { items: [], ttlMs: 9 },
    ],
    { ttlMs: 5, cacheScope: 'private' },
  ],
])('a list of several servers %s', (_what, snapshots, hints) => {
  expect(mergeCacheHints(snapshots)).toEqual(hints);
});
