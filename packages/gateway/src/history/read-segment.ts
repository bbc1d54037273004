import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { comparePlaces } from './history-place.ts';
import type { HistoryPlace } from './history-place.ts';
import type { HistoryRecord } from './history-record.ts';
import type { Segment } from './list-segments.ts';
import { readSegmentLine } from './segment-line.ts';

/** Far more than a segment grows to: what is larger, nobody of us wrote. */
const MOST_BYTES = 8 * 1024 * 1024;
// Windows has neither of the last two: undefined adds no bits.
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export interface SegmentQuery {
  readonly before: HistoryPlace | undefined;
  /** What is older is no longer told, though it is still there. */
  readonly notBefore: number;
  readonly limit: number;
}

/** The newest records of a segment, newest first. Lines that are not whole are passed over. */
export async function readSegment(
  { path, writer }: Segment,
  { before, notBefore, limit }: SegmentQuery,
): Promise<readonly HistoryRecord[]> {
  const records: HistoryRecord[] = [];
  const lines = (await readText(path)).split('\n');
  // What stands behind the last line feed is a line that somebody is writing, or was killed at.
  for (let index = lines.length - 2; index >= 0 && records.length < limit; index--) {
    const line = readSegmentLine(lines[index] ?? '');
    if (line === undefined) continue;
    const { at, number, about } = line;
    if (at < notBefore) break;
    const place = { at, writer, number };
    if (before === undefined || comparePlaces(place, before) < 0) records.push({ place, about });
  }
  return records;
}

/** Empty where it is gone by now, or cannot be read: the others still can. */
async function readText(path: string): Promise<string> {
  const file = await open(path, READ).catch(() => undefined);
  if (file === undefined) return '';
  try {
    const about = await file.stat();
    if (!about.isFile() || about.size > MOST_BYTES) return '';
    return await file.readFile('utf8');
  } catch {
    return '';
  } finally {
    await file.close();
  }
}
