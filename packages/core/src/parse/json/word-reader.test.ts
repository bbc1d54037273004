import { describe, expect, test } from 'vitest';
import { WORD_GOES_ON, WordReader } from './word-reader.ts';

const MARKERS = { endMarker: '</call>', nextMarker: '[next]' };
const NO_MARKERS = { endMarker: '', nextMarker: '' };

/** The word of which `start` was read, and where it ends. */
function readValue(text: string, { start = 'a', inTuple = false, ending = false } = {}) {
  const reader = new WordReader();
  reader.begin(start);
  const end = reader.readValue(text, 0, MARKERS, inTuple, ending);
  return { word: reader.word, end, ...(end === WORD_GOES_ON && { consumed: reader.consumed }) };
}

describe('a key without quotes', () => {
  test.each([':', '：', '=', ' ', '\n', '"', "'", '}', ']', ')', ',', '，', '{'])(
    'ends before %j',
    (end) => {
      const reader = new WordReader();
      reader.begin('k');
      expect(reader.readKey(`xxey${end}`, 2)).toBe(4);
      expect(reader.word).toBe('key');
    },
  );

  test('goes on over chunks', () => {
    const reader = new WordReader();
    reader.begin('k');
    expect(reader.readKey('ey-', 0)).toBe(WORD_GOES_ON);
    expect(reader.consumed).toBe(3);
    expect(reader.readKey('[1;', 0)).toBe(WORD_GOES_ON);
    expect(reader.readKey(':', 0)).toBe(0);
    expect(reader.word).toBe('key-[1;');
  });
});

describe('a value without quotes', () => {
  test.each([',', '}', ']', '\n', '，', '"', '`', '</call>', ' # b', ' // b'])(
    'ends before %j',
    (rest) => {
      const word = `ab c${/^ /.test(rest) ? ' ' : ''}`;
      expect(readValue(`b c${rest}x`)).toEqual({ word, end: word.length - 1 });
    },
  );

  test.each(['b(c)', 'b (c', 'b Cd', 'b/c', 'b#c', 'b;c', 'b{c', 'b<c', 'b: c', '</cat'])(
    'goes on through %j',
    (text) => {
      expect(readValue(text)).toEqual({
        word: `a${text}`,
        end: WORD_GOES_ON,
        consumed: text.length,
      });
    },
  );

  test('ends before a parenthesis in a tuple', () => {
    expect(readValue('b)', { inTuple: true })).toEqual({ word: 'ab', end: 1 });
    expect(readValue('b C)', { inTuple: true })).toEqual({ word: 'ab C', end: 3 });
  });

  test('ends before a semicolon where it is a number or a literal', () => {
    expect(readValue('2;', { start: '1' })).toEqual({ word: '12', end: 1 });
    expect(readValue('rue ;', { start: 't' })).toEqual({ word: 'true ', end: 4 });
    expect(readValue('2;', { start: 'x' }).end).toBe(WORD_GOES_ON);
    const digits = '1'.repeat(63);
    expect(readValue(`${digits};`, { start: '1' }).end).toBe(63);
    expect(readValue(`${digits}1;`, { start: '1' }).end).toBe(WORD_GOES_ON);
  });

  test('ends before a comment that follows a space of an earlier chunk', () => {
    const reader = new WordReader();
    reader.begin('a');
    expect(reader.readValue('b ', 0, NO_MARKERS, false, false)).toBe(WORD_GOES_ON);
    expect(reader.readValue('# c', 0, NO_MARKERS, false, false)).toBe(0);
    expect(reader.word).toBe('ab ');
    reader.begin('x');
    expect(reader.readValue('#', 0, NO_MARKERS, false, false)).toBe(WORD_GOES_ON);
    reader.begin(' ');
    expect(reader.readValue('/', 0, NO_MARKERS, false, false)).toBe(0);
  });

  test.each([
    ['0', true],
    ['9', true],
    ['a', true],
    ['z', true],
    ['.', true],
    ['+', true],
    ['-', true],
    ['E', true],
    [' ', true],
    ['\t', true],
    ['A', false],
    ['_', false],
    ['/', false],
    ['\u0001', false],
    ['\u00a0', false],
  ])('may be a number or a literal of JSON with %j in it: %s', (character, isClean) => {
    const reader = new WordReader();
    reader.begin('');
    reader.readValue(`1${character}`, 0, MARKERS, false, false);
    expect(reader.isClean).toBe(isClean);
  });

  test('waits where the end marker may have begun', () => {
    expect(readValue('b</ca')).toEqual({ word: 'ab', end: WORD_GOES_ON, consumed: 1 });
    expect(readValue('b</ca', { ending: true })).toEqual({
      word: 'ab</ca',
      end: WORD_GOES_ON,
      consumed: 5,
    });
  });

  test('ends before what begins the next document', () => {
    expect(readValue('b[next]')).toEqual({ word: 'ab', end: 1 });
    expect(readValue('b[ne')).toEqual({ word: 'ab', end: WORD_GOES_ON, consumed: 1 });
  });

  test('ends before a marker that begins as words do', () => {
    const reader = new WordReader();
    reader.begin('x');
    expect(reader.readValue('abcend', 0, { endMarker: 'end', nextMarker: '' }, false, false)).toBe(
      3,
    );
  });
});
