import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exceedsUtf8, utf8Length } from './utf8-length.ts';

const encoder = new TextEncoder();

describe('utf8Length', () => {
  test('counts what an encoder writes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        expect(utf8Length(text)).toBe(encoder.encode(text).length);
      }),
    );
  });

  test('counts a text the same wherever it is cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), fc.nat(80), (text, at) => {
        expect(utf8Length(text.slice(0, at)) + utf8Length(text.slice(at))).toBe(utf8Length(text));
      }),
    );
  });

  test('says whether a text exceeds a limit', () => {
    for (const text of ['', 'abc', 'äöü', '😀😀', 'x'.repeat(50)]) {
      const bytes = encoder.encode(text).length;
      expect(exceedsUtf8(text, bytes)).toBe(false);
      expect(exceedsUtf8(text, bytes - 1)).toBe(true);
    }
  });
});
