import { describe, expect, test } from 'vitest';
import { readDoubledEscape } from './doubled-escape.ts';
import { readEscape } from './escape.ts';

const DOUBLE = '"'.charCodeAt(0);
const SINGLE = "'".charCodeAt(0);

/** An escape with other text before and after it. */
const read = (escape: string, quote = DOUBLE, ending = false) =>
  readEscape(`ab${escape}`, 2, quote, ending);

const whole = { keptBackslash: false, truncated: false };

describe('an escape that JSON has', () => {
  test.each([
    ['\\"', '"', '"'],
    ['\\\\', '\\', '\\'],
    ['\\/', '/', '\\/'],
    ['\\b', '\b', '\\b'],
    ['\\f', '\f', '\\f'],
    ['\\n', '\n', '\\n'],
    ['\\r', '\r', '\\r'],
    ['\\t', '\t', '\\t'],
  ])('%s is a character, and in a path what is written', (escape, text, pathText) => {
    expect(read(`${escape}zz`)).toEqual({ text, pathText, length: 2, valid: true, ...whole });
  });

  test.each([
    ['\\u0041', 'A'],
    ['\\uaFfA', '\uaffa'],
    ['\\u09ag', undefined],
  ])('%s has four digits', (escape, text) => {
    const expected =
      text === undefined
        ? { text: '\\', length: 1, valid: false, keptBackslash: true }
        : { text, pathText: escape, length: 6, valid: true, ...whole };
    expect(read(`${escape}99`)).toMatchObject(expected);
  });
});

describe('an escape that other languages have', () => {
  test.each([
    ['\\x41', 'A', 4],
    ['\\xfF', '\u00ff', 4],
    ['\\U0001F600', '😀', 10],
    ['\\U0010ffff', '\u{10ffff}', 10],
    ['\\u{41}', 'A', 6],
    ['\\u{10FFFF}', '\u{10ffff}', 10],
  ])('%s is read, and is none of JSON', (escape, text, length) => {
    expect(read(`${escape}77`)).toEqual({ text, pathText: escape, length, valid: false, ...whole });
  });

  test("\\' is a quote, and one of JSON only where it ends the string", () => {
    const quote = { text: "'", pathText: "\\'", length: 2, ...whole };
    expect(read("\\'x")).toEqual({ ...quote, valid: false });
    expect(read("\\'x", SINGLE)).toEqual({ ...quote, valid: true });
    expect(read('\\`x', '`'.charCodeAt(0))).toMatchObject({ text: '`', length: 2, valid: true });
  });

  test.each([
    '\\d+',
    '\\d00000041',
    '\\Users',
    '\\x4g12',
    '\\xg1',
    '\\U0001F60',
    '\\U00110000',
    '\\u{}x',
    '\\u{110000}',
    '\\u{41 ',
    '\\u{1234567}',
    '\\u12 4',
    '\\u/234',
    '\\u:234',
    '\\u@234',
    '\\uG234',
    '\\u`234',
    '\\`x',
  ])('keeps its backslash in %s', (escape) => {
    expect(read(`${escape} zz`)).toEqual({
      text: '\\',
      pathText: '\\',
      length: 1,
      valid: false,
      keptBackslash: true,
      truncated: false,
    });
  });
});

describe('an escape at the end of what has come', () => {
  test.each(['\\', '\\u', '\\u00', '\\u004', '\\x', '\\x4', '\\U0001F6', '\\u{', '\\u{41'])(
    'waits for more after %s',
    (escape) => {
      expect(read(escape)).toBeUndefined();
    },
  );

  test.each([
    ['\\', 1],
    ['\\u', 2],
    ['\\u004', 5],
  ])('is cut where no more comes after %s', (escape, length) => {
    expect(read(escape, DOUBLE, true)).toEqual({
      text: '',
      pathText: '',
      length,
      valid: false,
      keptBackslash: false,
      truncated: true,
    });
  });

  test.each(['\\x4', '\\U0001F6', '\\u{41', '\\u{'])(
    'is none where no more comes after %s',
    (escape) => {
      expect(read(escape, DOUBLE, true)).toMatchObject({
        text: '\\',
        keptBackslash: true,
        length: 1,
      });
    },
  );

  test.each(['\\u0041', '\\x41', '\\U0001F600', '\\u{41}', '\\n'])('is whole in %s', (escape) => {
    expect(read(escape)).toMatchObject({ length: escape.length });
  });
});

describe('an escape that was escaped once more', () => {
  test.each([
    ['\\\\n', '\n', 3],
    ['\\\\"', '"', 3],
    ['\\\\u0041', 'A', 7],
    ["\\\\'", "'", 3],
    ['\\\\\\"', '"', 4],
    ['\\\\\\\\', '\\', 4],
    ['\\\\\\n', '\\', 2],
    ['\\\\', '', 2],
  ])('is %s', (escape, text, length) => {
    expect(readDoubledEscape(`ab${escape}`, 2)).toEqual({ text, length });
  });
});
