import { readFileSync } from 'node:fs';

/**
 * Vectors that expect something we deliberately do otherwise, each with its reason: `id<TAB>reason`, a line
 * each. They are run, and must read the same streamed and whole, but are outside the shares.
 */
export function readExceptions(
  file: URL = new URL('exceptions.txt', import.meta.url),
): ReadonlyMap<string, string> {
  const lines = readFileSync(file, 'utf8').split('\n');
  const entries = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));
  return new Map(entries.map(([id = '', reason = '']) => [id, reason]));
}
