import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashText } from './hash-text.ts';

describe('hashText', () => {
  test('gives 16 hexadecimal digits, the same for the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(hashText(text)).toMatch(/^[\da-f]{16}$/);
        expect(hashText(`${text}.`.slice(0, -1))).toBe(hashText(text));
      }),
    );
  });

  test('tells 200,000 texts apart that differ in few characters', () => {
    const seen = new Set<string>();
    for (let number = 0; number < 100_000; number++) {
      seen.add(hashText(`{"command":"cat /tmp/${number}"}`));
      seen.add(hashText(String.fromCharCode(number & 255, number >> 8)));
    }
    expect(seen.size).toBe(200_000);
  });

  test('moves about half of all bits when one character changes', () => {
    let moved = 0;
    for (let number = 0; number < 1000; number++) {
      const before = BigInt(`0x${hashText(`text ${number} a`)}`);
      const after = BigInt(`0x${hashText(`text ${number} b`)}`);
      moved += (before ^ after).toString(2).replaceAll('0', '').length;
    }
    expect(moved / 1000).toBeGreaterThan(30);
    expect(moved / 1000).toBeLessThan(34);
  });
});
