import type { ReplicaRecord } from '../circuit-store.ts';
import { readJson } from './read-json.ts';

/** What a replica wrote of itself; undefined where that is something else. */
export function readReplica(text: string): ReplicaRecord | undefined {
  const value = readJson(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, startedAt, notClosed, circuits, calls, failures, version } = value as Record<
    keyof ReplicaRecord,
    unknown
  >;
  const isWhole =
    typeof id === 'string' &&
    typeof version === 'string' &&
    typeof startedAt === 'number' &&
    typeof circuits === 'number' &&
    typeof calls === 'number' &&
    typeof failures === 'number' &&
    Array.isArray(notClosed);
  if (!isWhole) return undefined;
  const names = (notClosed as readonly unknown[]).filter((name) => typeof name === 'string');
  return { id, startedAt, notClosed: names, circuits, calls, failures, version };
}
