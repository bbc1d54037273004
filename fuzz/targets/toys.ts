import { BrokenLaw } from '../loop/fuzz-target.ts';
import type { FuzzTarget } from '../loop/fuzz-target.ts';
import { turnUntilRound } from '../toys/endless-wheel.ts';
import { openDoor } from '../toys/locked-door.ts';
import { waitFor } from '../toys/slow-words.ts';

/** Not of the product: they show that the loop finds what it is for. */
export const toyTargets: readonly FuzzTarget[] = [
  {
    name: 'toy-locked-door',
    seeds: [],
    words: [],
    sources: ['fuzz/toys/locked-door.ts'],
    maxLength: 16,
    run: ({ text }) => {
      if (openDoor(text)) throw new BrokenLaw('the door stays closed', text);
    },
  },
  {
    name: 'toy-slow-words',
    seeds: [{ text: 'a b', choice: 1 }],
    words: [' '],
    sources: ['fuzz/toys/slow-words.ts'],
    maxLength: 16,
    run: ({ text }) => void waitFor(text),
    readOnce: (text) => void waitFor(text),
  },
  {
    name: 'toy-endless-wheel',
    seeds: [{ text: 'ab', choice: 0 }],
    words: ['a', 'b'],
    sources: ['fuzz/toys/endless-wheel.ts'],
    maxLength: 8,
    run: ({ text }) => void turnUntilRound(text),
  },
];
