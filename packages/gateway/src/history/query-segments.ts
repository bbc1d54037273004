import { comparePlaces } from './history-place.ts';
import type { HistoryRecord } from './history-record.ts';
import type { Segment } from './list-segments.ts';
import { readSegment } from './read-segment.ts';
import type { SegmentQuery } from './read-segment.ts';

/** File systems keep the time of a change less exactly than clocks tell it. */
const COARSE_MS = 1_000;

/**
 * The newest records of all segments, newest first. Runs of several gateways overlap, so segments are read by the
 * time they were last written to, until those that are left can hold nothing newer than what was found.
 */
export async function querySegments(
  segments: readonly Segment[],
  query: SegmentQuery,
  read: typeof readSegment = readSegment,
): Promise<readonly HistoryRecord[]> {
  const { before, notBefore, limit } = query;
  const newestFirst = segments
    .filter(({ firstAt }) => before === undefined || firstAt <= before.at)
    .filter(({ changedAt }) => changedAt + COARSE_MS >= notBefore)
    .sort((one, other) => other.changedAt - one.changedAt);
  let found: readonly HistoryRecord[] = [];
  for (const segment of newestFirst) {
    const last = found[limit - 1];
    if (last !== undefined && last.place.at > segment.changedAt + COARSE_MS) break;
    found = [...found, ...(await read(segment, query))]
      .sort((one, other) => comparePlaces(other.place, one.place))
      .slice(0, limit);
  }
  return found;
}
