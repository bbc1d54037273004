import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exceedsUtf8, fitUtf8, utf8Length } from './utf8-length.ts';

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

describe('fitUtf8', () => {
  /** Character by character, a pair only where both its halves fit. */
  function fitSlowly(text: string, from: number, room: number): { end: number; bytes: number } {
    let bytes = 0;
    let end = from;
    for (; end < text.length; end++) {
      const size = utf8Length(text.charAt(end));
      const asks = /[\ud800-\udbff]/.test(text.charAt(end)) ? 2 * size : size;
      if (bytes + asks > room) break;
      bytes += size;
    }
    return { end, bytes };
  }

  test('finds the first character that does not fit, in texts of any length', () => {
    const unit = fc.oneof(fc.constantFrom('a', 'ä', '中', '😀'), fc.string({ unit: 'binary' }));
    const text = fc.tuple(unit, fc.nat(3000), unit).map(([a, n, b]) => a.repeat(n) + b);
    fc.assert(
      fc.property(text, fc.nat(5), fc.nat(4000), (long, from, room) => {
        const start = Math.min(from, long.length);
        expect(fitUtf8(long, start, room)).toEqual(fitSlowly(long, start, room));
      }),
    );
  });

  test('takes nothing where there is no room', () => {
    expect(fitUtf8('abc', 1, 0)).toEqual({ end: 1, bytes: 0 });
    expect(fitUtf8('abc', 1, -5)).toEqual({ end: 1, bytes: 0 });
  });
});
