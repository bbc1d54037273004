import { describe, expect, it } from 'vitest';
import { Utf8Reader } from './utf8-reader.ts';

function read(bytes: Uint8Array, size: number): string {
  const reader = new Utf8Reader();
  let text = '';
  for (let at = 0; at < bytes.length; at += size)
    text += reader.write(bytes.subarray(at, at + size));
  reader.end();
  return text;
}

const SIZES = [1, 2, 3, 5, 100];

describe('Utf8Reader', () => {
  it.each(SIZES)('reads characters of every length in chunks of %i bytes', (size) => {
    const text = 'a\0é\u07FF€\uFFFD🙂\u{10FFFF}z';

    expect(read(Buffer.from(text), size)).toBe(text);
  });

  it.each(SIZES)('leaves out one byte order mark at the start in chunks of %i bytes', (size) => {
    expect(read(Buffer.from('\uFEFF\uFEFFa\uFEFF'), size)).toBe('\uFEFFa\uFEFF');
  });

  it.each([
    ['a byte that never occurs', [0x61, 0xff, 0x61], 1, '0xff'],
    ['a continuation without a start', [0x61, 0x62, 0x80], 2, '0x80'],
    ['an overlong slash', [0xc0, 0xaf], 0, '0xc0'],
    ['an overlong sequence of three', [0x61, 0xe0, 0x80, 0x80], 1, '0xe0'],
    ['a surrogate', [0xed, 0xa0, 0x80], 0, '0xed'],
    ['a number past the last character', [0xf4, 0x90, 0x80, 0x80], 0, '0xf4'],
    ['a character broken off by another', [0xc3, 0xa9, 0xe2, 0x82, 0x61], 2, '0xe2'],
  ])('says where %s stands', (_what, bytes, offset, byte) => {
    for (const size of SIZES) {
      expect(() => read(Uint8Array.from(bytes), size)).toThrow(
        `not valid UTF-8: unexpected byte ${byte} at byte offset ${offset}`,
      );
    }
  });

  it('says where a character begins that the input does not finish', () => {
    for (const size of SIZES) {
      expect(() => read(Uint8Array.from([0x61, 0xf0, 0x9f, 0x99]), size)).toThrow(
        'not valid UTF-8: the input ends inside a character at byte offset 1',
      );
    }
  });
});
