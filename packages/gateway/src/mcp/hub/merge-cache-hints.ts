import type { JsonObject } from '@holdfast/core';
import type { ListSnapshot } from './server-lists.ts';

/** How long a list of several servers holds: as long as the shortest of them, and shared only where all of them are. */
export function mergeCacheHints(snapshots: readonly ListSnapshot[]): JsonObject {
  if (snapshots.length === 0 || snapshots.some(({ ttlMs }) => ttlMs === undefined)) return {};
  const isPublic = snapshots.every(({ cacheScope }) => cacheScope === 'public');
  return {
    ttlMs: Math.min(...snapshots.map(({ ttlMs }) => ttlMs ?? 0)),
    cacheScope: isPublic ? 'public' : 'private',
  };
}
