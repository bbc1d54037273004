import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FuzzInput } from './fuzz-input.ts';

/** Reads inputs, a line of JSON each: `[choice, text]`. None where there is no file. */
export function readInputs(file: string): FuzzInput[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [choice, text] = JSON.parse(line) as [number, string];
      return { text, choice };
    });
}

/** Writes inputs, the shortest first, so that a change of one is a change of one line. */
export function writeInputs(file: string, inputs: readonly FuzzInput[]): void {
  const lines = inputs.map(({ text, choice }) => JSON.stringify([choice >>> 0, text]));
  const sorted = [...new Set(lines)].sort(
    (one, other) => one.length - other.length || (one < other ? -1 : 1),
  );
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, sorted.map((line) => `${line}\n`).join(''));
}

/** The shortest inputs that fit into so many bytes together. */
export function fitInto(inputs: readonly FuzzInput[], mostBytes: number): FuzzInput[] {
  let left = mostBytes;
  return [...inputs]
    .sort((one, other) => one.text.length - other.text.length)
    .filter(({ text, choice }) => {
      left -= Buffer.byteLength(JSON.stringify([choice, text])) + 1;
      return left >= 0;
    });
}
