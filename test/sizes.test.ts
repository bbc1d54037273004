import { describe, expect, it } from 'vitest';
import { measureSizes } from '../scripts/reference/measure-sizes.ts';
import type { EntrySize } from '../scripts/reference/measure-sizes.ts';
import { reviewedSizes } from '../scripts/reference/sizes-page.ts';

/** What a change may cost without anybody looking at it. */
const TOLERATED_SHARE = 0.03;
const TOLERATED_BYTES = 300;

function isNear(now: number, before: number): boolean {
  return Math.abs(now - before) <= Math.max(TOLERATED_BYTES, before * TOLERATED_SHARE);
}

function changeOf(name: string, now: EntrySize, before: EntrySize | undefined): string[] {
  if (before === undefined) return [`${name} is new`];
  const isSame = isNear(now.minified, before.minified) && isNear(now.gzipped, before.gzipped);
  return isSame ? [] : [`${name}: ${before.gzipped} bytes gzipped, now ${now.gzipped}`];
}

describe('the entries of core', () => {
  it('are as large as reviewed in test/sizes.json', { timeout: 60_000 }, async () => {
    const reviewed = reviewedSizes();
    const sizes = await measureSizes();
    const changes = [...sizes].flatMap(([name, now]) => changeOf(name, now, reviewed.get(name)));
    const gone = [...reviewed.keys()].filter((name) => !sizes.has(name));

    expect(
      { changes, gone },
      'if that is meant, run npm run sizes:update and let the difference be reviewed',
    ).toEqual({ changes: [], gone: [] });
  });
});
