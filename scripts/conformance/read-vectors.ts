import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { BadInputError } from './bad-input-error.ts';
import { readVector } from './vector.ts';
import type { Vector } from './vector.ts';

export interface VectorFile {
  /** The file's name without its ending: what the vectors are reported under. */
  readonly source: string;
  readonly vectors: readonly Vector[];
}

/** Reads a file of JSON Lines, or every `.jsonl` file of a folder. */
export function readVectors(path: string): VectorFile[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new BadInputError(`${path}: there is no such file or folder`);
  if (!stats.isDirectory()) return [readFile(path)];
  const names = readdirSync(path).filter((name) => name.endsWith('.jsonl'));
  if (names.length === 0) throw new BadInputError(`${path}: the folder holds no .jsonl file`);
  return names.sort().map((name) => readFile(join(path, name)));
}

function readFile(path: string): VectorFile {
  const lines = readFileSync(path, 'utf8').split('\n');
  const vectors = lines.flatMap((line, at) =>
    line.trim() === '' ? [] : readVector(readLine(line, `${path}:${at + 1}`), `${path}:${at + 1}`),
  );
  if (vectors.length === 0) throw new BadInputError(`${path}: the file holds no vectors`);
  return { source: basename(path).replace(/\.jsonl$/, ''), vectors };
}

function readLine(line: string, where: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new BadInputError(`${where}: not JSON: ${error instanceof Error ? error.message : ''}`);
  }
}
