import { getJson } from '../world/probes.ts';
import type { World } from '../world/world.ts';

interface Page {
  readonly records: readonly { readonly at: string; readonly id?: string }[];
  readonly next_before: string | null;
}

const PAGES = 4;

/** What is kept on disk can be read page by page, newest first, and no request is told twice. */
export async function checkHistory(world: World): Promise<void> {
  const { violations } = world;
  const seen = new Set<string>();
  let before = '';
  let last = Infinity;
  for (let page = 0; page < PAGES; page++) {
    const { records, next_before: next } = await getJson<Page>(
      world,
      `/api/v1/history?kind=requests&limit=200${before}`,
    );
    for (const { at, id } of records) {
      const time = Date.parse(at);
      const isNew = id === undefined || !seen.has(id);
      violations.check(
        'history-whole',
        isNew && time <= last,
        () => `the request ${String(id)} of ${at} is told ${isNew ? 'out of order' : 'twice'}`,
      );
      if (id !== undefined) seen.add(id);
      last = time;
    }
    if (next === null) return;
    before = `&before=${encodeURIComponent(next)}`;
  }
}
