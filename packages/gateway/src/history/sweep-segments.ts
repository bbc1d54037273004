import { rm } from 'node:fs/promises';
import type { HistoryBounds } from './history-bounds.ts';
import { HISTORY_KINDS } from './history-kind.ts';
import type { Segment } from './list-segments.ts';

/** A gateway that is started again and again leaves a few small ones each time, and each question looks at all of them. */
const MOST_SEGMENTS = 500;

/**
 * Removes segments that are too old, then the oldest ones until the rest fits: of the kind that takes the most room,
 * so that the few transitions outlive a flood of requests.
 *
 * @param isInUse - those that are written to, which stay
 */
export async function sweepSegments(
  segments: readonly Segment[],
  bounds: HistoryBounds,
  now: number,
  isInUse: (segment: Segment) => boolean = () => false,
): Promise<void> {
  for (const { path } of tooMany(segments, bounds, now, isInUse)) {
    // Another process may remove it at the same time.
    await rm(path, { force: true });
  }
}

function tooMany(
  segments: readonly Segment[],
  { maxBytes, maxAgeMs }: HistoryBounds,
  now: number,
  isInUse: (segment: Segment) => boolean,
): readonly Segment[] {
  const isOld = (segment: Segment): boolean =>
    now - segment.changedAt > maxAgeMs && !isInUse(segment);
  const removed = segments.filter(isOld);
  const left = segments.filter((segment) => !isOld(segment));
  const queues = HISTORY_KINDS.map((kind) => new Queue(left.filter((each) => each.kind === kind)));
  let bytes = sumOf(left);
  let count = left.length;
  while (bytes > maxBytes || count > MOST_SEGMENTS) {
    const weightOf = (queue: Queue): number => (bytes > maxBytes ? queue.bytes : queue.count);
    const heaviestFirst = [...queues].sort((one, other) => weightOf(other) - weightOf(one));
    const next = firstOf(heaviestFirst, (queue) => queue.takeOldest(isInUse));
    if (next === undefined) break;
    removed.push(next);
    bytes -= next.bytes;
    count--;
  }
  return removed;
}

/** The segments of one kind. */
class Queue {
  readonly #oldestFirst: Segment[];
  bytes: number;

  constructor(segments: readonly Segment[]) {
    this.#oldestFirst = [...segments].sort((one, other) => one.changedAt - other.changedAt);
    this.bytes = sumOf(segments);
  }

  get count(): number {
    return this.#oldestFirst.length;
  }

  takeOldest(isInUse: (segment: Segment) => boolean): Segment | undefined {
    const index = this.#oldestFirst.findIndex((segment) => !isInUse(segment));
    const [taken] = index < 0 ? [] : this.#oldestFirst.splice(index, 1);
    this.bytes -= taken?.bytes ?? 0;
    return taken;
  }
}

function sumOf(segments: readonly Segment[]): number {
  return segments.reduce((total, { bytes }) => total + bytes, 0);
}

function firstOf<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
