import { describe, expect, test } from 'vitest';
import { InvalidOptionError } from '../errors.ts';
import { createRandom } from './create-random.ts';

const draw = (seed: number, count: number): number[] =>
  Array.from({ length: count }, createRandom(seed));

describe('createRandom', () => {
  test('draws the same numbers for the same seed', () => {
    expect(draw(7, 20)).toEqual(draw(7, 20));
  });

  test('draws other numbers for another seed', () => {
    expect(new Set([1, 2, 3, -1, 0].flatMap((seed) => draw(seed, 20))).size).toBe(100);
  });

  test('draws numbers of [0, 1), evenly', () => {
    const numbers = draw(1, 10_000);
    expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
    for (let tenth = 0; tenth < 10; tenth++) {
      const inTenth = numbers.filter((number) => Math.floor(number * 10) === tenth);
      expect(inTenth.length).toBeGreaterThan(900);
      expect(inTenth.length).toBeLessThan(1100);
    }
  });

  test.each([1.5, NaN, Infinity])('refuses %s as a seed', (seed) => {
    expect(() => createRandom(seed)).toThrow(InvalidOptionError);
  });
});
