import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** How many conversations are kept, and for how long after they last went on. */
export const SWEEP_BOUNDS: Readonly<Record<'conversations' | 'ageMs', number>> = Object.freeze({
  conversations: 500,
  ageMs: 14 * 24 * 60 * 60 * 1000,
});

/** How files with the memory of a conversation end. */
export const MEMORY_SUFFIX = '.json';

/** Once there are too many, some more go, so that not every new one has to look at all of them. */
const ROOM = 50;

/**
 * Removes conversations that are old or too many, and what runs that ended too soon left behind.
 *
 * @param isDue - whether to look at their age, too; their number is always looked at
 */
export function sweepFolder(folder: string, now: number, isDue: boolean): void {
  const names = readdirSync(folder);
  const count = names.filter((name) => name.endsWith(MEMORY_SUFFIX)).length;
  if (!isDue && count <= SWEEP_BOUNDS.conversations) return;
  const remaining = names
    .map((name) => ({ name, age: now - changedAt(join(folder, name), now) }))
    .filter(({ name, age }) => {
      if (age <= SWEEP_BOUNDS.ageMs) return true;
      rmSync(join(folder, name), { force: true, recursive: true });
      return false;
    })
    .filter(({ name }) => name.endsWith(MEMORY_SUFFIX));
  if (remaining.length <= SWEEP_BOUNDS.conversations) return;
  remaining.sort((one, other) => one.age - other.age);
  for (const { name } of remaining.slice(SWEEP_BOUNDS.conversations - ROOM)) {
    rmSync(join(folder, name), { force: true });
  }
}

function changedAt(path: string, now: number): number {
  return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now;
}
