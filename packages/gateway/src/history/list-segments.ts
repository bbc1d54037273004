import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../agents/hook/code-of.ts';
import { readSegmentName } from './segment-name.ts';
import type { SegmentName } from './segment-name.ts';

/** A file of records that is there. */
export interface Segment extends SegmentName {
  readonly path: string;
  readonly bytes: number;
  /** When something was last written to it, in milliseconds since 1970. */
  readonly changedAt: number;
}

/**
 * The segments in a folder, whoever wrote them; none where there is no folder yet. Links, and what else has such a
 * name, are none.
 */
export async function listSegments(folder: string): Promise<readonly Segment[]> {
  const found = await lstat(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return [];
  if (!found.isDirectory()) throw new Error(`${folder} is no folder`);
  const names = await readdir(folder);
  const segments = await Promise.all(names.map((name) => look(folder, name)));
  return segments.filter((segment) => segment !== undefined);
}

async function look(folder: string, name: string): Promise<Segment | undefined> {
  const about = readSegmentName(name);
  if (about === undefined) return undefined;
  const path = join(folder, name);
  // Another process may just have removed it.
  const found = await lstat(path).catch(() => undefined);
  if (found?.isFile() !== true) return undefined;
  return { ...about, path, bytes: found.size, changedAt: found.mtimeMs };
}
