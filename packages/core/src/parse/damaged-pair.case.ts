import fc from 'fast-check';
import { expect } from 'vitest';
import type { ParseResult } from './parse-result.ts';
import type { JsonValue } from '../types.ts';

type Call = readonly [name: string, args: Readonly<Record<string, JsonValue>>];

/** Two calls of which every name, key and value says to which it belongs. */
const PAIRS: readonly (readonly [Call, Call])[] = [
  [
    ['one_run', { one: 'one is' }],
    ['two_run', { two: 'two is' }],
  ],
  [
    ['one_run', { one_path: 'one.txt', one_text: 'one' }],
    ['two_run', { two_path: 'two.txt', two_text: 'two' }],
  ],
  [
    ['one_run', { one: ['one', 'ones'], one_at: { one: 1 } }],
    ['two_run', { two: ['two'], two_at: { two: 2 } }],
  ],
  [
    ['one_run', { one: 1 }],
    ['two_run', { two: 2 }],
  ],
];
const STRUCTURE = /[{}[\]()<>"'`,:=|]/;

/** A text with two calls, of which the first has lost some of its brackets, quotes, commas or colons. */
export interface DamagedPair {
  readonly text: string;
  readonly calls: readonly [Call, Call];
}

/** Damaged pairs of what `writeAll` writes. */
export function damagedPairs(
  writeAll: (calls: readonly Call[]) => string,
): fc.Arbitrary<DamagedPair> {
  return fc
    .tuple(fc.constantFrom(...PAIRS), fc.array(fc.nat(), { minLength: 1, maxLength: 3 }))
    .map(([calls, places]) => damage(calls, writeAll(calls), writeAll(calls.slice(0, 1)), places));
}

function damage(
  calls: readonly [Call, Call],
  both: string,
  first: string,
  places: readonly number[],
): DamagedPair {
  let end = 0;
  while (end < first.length && first[end] === both[end]) end++;
  // Both a second call and the end of all calls may begin so: with a part of a tag, or with a bracket.
  const tag = both.lastIndexOf('<', end - 1);
  if (tag > both.lastIndexOf('>', end - 1)) end = tag;
  while (/[<[{,\s]/.test(both.charAt(end - 1))) end--;
  const structure = both
    .slice(0, end)
    .split('')
    .flatMap((one, at) => (STRUCTURE.test(one) ? [at] : []));
  const lost = new Set(places.map((place) => structure[place % structure.length]));
  const text = both
    .split('')
    .filter((_, at) => !lost.has(at))
    .join('');
  return { text, calls };
}

/**
 * Expects that no call that would be run is made of both calls, and that the second is read, or is still there as
 * text or in a call that is not run.
 */
export function expectApart({ text, calls: [, second] }: DamagedPair, result: ParseResult): void {
  const isSecond = (source: string): boolean => source.includes('two');
  let isKept = isSecond(result.text) || isSecond(result.reasoning);
  for (const segment of result.segments) {
    if (segment.type !== 'calls') continue;
    for (const { name, arguments: args, complete, lossy, repairs } of segment.calls) {
      const said = JSON.stringify([name, args]);
      const isRun = complete && !lossy;
      if (said.includes('one') && isSecond(said))
        expect({ text, said, isRun: false }).toEqual({ text, said, isRun });
      isKept ||=
        isSecond(said) || (!isRun && repairs.includes('surrounding-text') && isSecond(segment.raw));
    }
  }
  expect({ text, second, isKept }).toEqual({ text, second, isKept: true });
}
