/** How much is kept; what is older or does not fit goes, the oldest first. */
export interface HistoryBounds {
  readonly maxBytes: number;
  readonly maxAgeMs: number;
}

export const DEFAULT_HISTORY_BOUNDS: HistoryBounds = Object.freeze({
  maxBytes: 64 * 1024 * 1024,
  maxAgeMs: 30 * 24 * 60 * 60 * 1000,
});

const DAY_MS = 24 * 60 * 60 * 1000;
const LARGEST_SEGMENT_BYTES = 1024 * 1024;
/** A bound is kept by removing whole segments, so there have to be some. */
const SEGMENTS_AT_LEAST = 32;

/** Where a segment ends and the next one begins. */
export function segmentBounds({ maxBytes, maxAgeMs }: HistoryBounds): {
  readonly segmentBytes: number;
  /** The longest time from its first record to its last one. */
  readonly segmentMs: number;
} {
  return {
    segmentBytes: Math.min(LARGEST_SEGMENT_BYTES, Math.floor(maxBytes / SEGMENTS_AT_LEAST)),
    segmentMs: Math.min(DAY_MS, maxAgeMs / 10),
  };
}
