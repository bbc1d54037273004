import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareHookNames } from './hook-order.ts';

describe('the order of extensions', () => {
  test.each([
    ['by number', ['_30_c', '_10_a', '_20_b'], ['_10_a', '_20_b', '_30_c']],
    ['by number, not as text', ['_100_a', '_20_b', '_9_c'], ['_9_c', '_20_b', '_100_a']],
    ['by name where numbers are equal', ['_10_b', '_10_a', '_010_c'], ['_010_c', '_10_a', '_10_b']],
    ['with names without a number last', ['a', '_99_z', '10_b'], ['_99_z', '10_b', 'a']],
    [
      'with a number too long to count',
      ['z', `_${'9'.repeat(400)}_a`, '_1_b'],
      ['_1_b', `_${'9'.repeat(400)}_a`, 'z'],
    ],
    ['by code units, in every language', ['_10_ä', '_10_z', '_10_Z'], ['_10_Z', '_10_z', '_10_ä']],
  ])('goes %s', (_, names, sorted) => {
    expect(names.toSorted(compareHookNames)).toEqual(sorted);
  });

  test('is the same whatever the order of registration', () => {
    const name = fc.oneof(
      fc.string(),
      fc.tuple(fc.nat(200), fc.string()).map(([number, rest]) => `_${number}_${rest}`),
    );
    fc.assert(
      fc.property(fc.uniqueArray(name), fc.func(fc.nat()), (names, shuffle) => {
        const shuffled = names.toSorted((a, b) => shuffle(a) - shuffle(b));
        expect(shuffled.sort(compareHookNames)).toEqual(names.sort(compareHookNames));
      }),
    );
  });
});
