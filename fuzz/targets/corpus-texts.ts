import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository: string = fileURLToPath(new URL('../..', import.meta.url));

/** Longer ones make slow inputs. */
const LONGEST = 1500;

/** The texts of a folder of the corpus. */
export function corpusTexts(folder: string): string[] {
  const path = join(repository, 'corpus', folder);
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .map((name) => readFileSync(join(path, name), 'utf8'))
    .filter((text) => text.length <= LONGEST);
}
