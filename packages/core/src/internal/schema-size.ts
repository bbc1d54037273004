import type { JsonValue } from '../types.ts';

/** Levels of nesting that are looked into. What models write is far flatter. */
const MAX_DEPTH = 128;
/** Values in a value that are looked at; an object that holds itself would have no end. */
const MAX_SIZE = 5_000_000;
/** A long text counts as many values: patterns have to read it. */
export const CHARACTERS_PER_PART = 64;

/** How many values are in a value, itself included; undefined when it is too large or too deep to walk. */
export function sizeOf(value: JsonValue): number | undefined {
  const open: { value: JsonValue; depth: number }[] = [{ value, depth: 1 }];
  let size = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.depth > MAX_DEPTH || size > MAX_SIZE) return undefined;
    size++;
    const { value: part, depth } = next;
    if (typeof part === 'string') size += Math.floor(part.length / CHARACTERS_PER_PART);
    else if (typeof part === 'object' && part !== null)
      for (const inner of Object.values<JsonValue>(part))
        open.push({ value: inner, depth: depth + 1 });
  }
  return size;
}
