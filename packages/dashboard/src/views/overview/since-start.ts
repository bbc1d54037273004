import type { Overview, SeriesPoint } from '../../api/api-types.ts';

/** Fewer of them would be drawn as a few thick bars. */
const FEWEST = 18;

/** What is worth drawing: before the gateway was started nothing could happen. */
export function sinceStart({ since, series, slot_seconds }: Overview): readonly SeriesPoint[] {
  const from = Date.parse(since) - slot_seconds * 1000;
  const before = series.findIndex(({ at }) => Date.parse(at) >= from);
  return series.slice(Math.max(0, Math.min(before, series.length - FEWEST)));
}
