import { describe, expect, test } from 'vitest';
import { isDigit, isPunctuation, isQuote, isSpace, isWord, skipSpace } from './char-code.ts';

/** All characters up to U+FFFF of which it is true. */
function charactersOf(holds: (code: number) => boolean): string {
  let all = '';
  for (let code = 0; code <= 0xffff; code++) if (holds(code)) all += String.fromCharCode(code);
  return all;
}

const ASCII_WORD = '$0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
const QUOTES = '"\'`«»‘’“”';

describe('characters', () => {
  test('that are space are those of JSON, the one that does not break, and the mark of byte order', () => {
    expect(charactersOf(isSpace)).toBe('\t\n\r \u00a0\ufeff');
  });

  test('that are digits are ten', () => {
    expect(charactersOf(isDigit)).toBe('0123456789');
  });

  test('that open strings are quotes of all kinds', () => {
    expect(charactersOf(isQuote)).toBe(QUOTES);
  });

  test('that are the punctuation of JSON are six', () => {
    expect(charactersOf(isPunctuation)).toBe(',:[]{}');
  });

  test('that make words are letters, digits, and all beyond ASCII without another meaning', () => {
    const words = charactersOf(isWord);
    expect(words.slice(0, words.search(/[^\0-\x7f]/))).toBe(ASCII_WORD);
    const others = charactersOf((code) => code > 0x7f && !isWord(code));
    expect(others).toBe('\u00a0«»‘’“”\ufeff，：');
  });

  test('that are space are skipped, up to the end', () => {
    expect([
      skipSpace(' \t\nx', 0),
      skipSpace('x  ', 1),
      skipSpace('ab', 1),
      skipSpace('', 0),
    ]).toEqual([3, 3, 1, 0]);
  });
});
