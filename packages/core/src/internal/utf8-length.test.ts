import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exceedsUtf8, utf8Length } from './utf8-length.ts';

const encoder = new TextEncoder();

describe('utf8Length', () => {
  test('counts what an encoder writes, lone surrogates included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), fc.boolean(), (text, isCut) => {
        const input = isCut ? text.slice(1) : text;
        expect(utf8Length(input)).toBe(encoder.encode(input).length);
      }),
    );
    expect(utf8Length('\ud800x')).toBe(4);
  });

  test('says whether a text exceeds a limit', () => {
    for (const text of ['', 'abc', 'äöü', '😀😀', 'x'.repeat(50)]) {
      const bytes = encoder.encode(text).length;
      expect(exceedsUtf8(text, bytes)).toBe(false);
      expect(exceedsUtf8(text, bytes - 1)).toBe(true);
    }
  });
});
