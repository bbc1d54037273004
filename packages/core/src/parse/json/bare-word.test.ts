import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isCutWord,
  isEllipsis,
  isLiteral,
  isShortNumber,
  isStringPrefix,
  readBareWord,
} from './bare-word.ts';

describe('a word without quotes', () => {
  test.each([
    ['true', true, undefined],
    ['false', false, undefined],
    ['null', null, undefined],
    ['True', true, 'python-literal'],
    ['TRUE', true, 'python-literal'],
    ['False', false, 'python-literal'],
    ['FALSE', false, 'python-literal'],
    ['None', null, 'python-literal'],
    ['NULL', null, 'python-literal'],
    ['Null', null, 'python-literal'],
    ['undefined', null, 'javascript-literal'],
    ['7', 7, undefined],
    ['0', 0, undefined],
    ['0.5', 0.5, undefined],
    ['12345678901234560', 12345678901234560, undefined],
    ['-1.5e+3', -1500, undefined],
    ['2E-2', 0.02, undefined],
    ['-1e5', -100_000, undefined],
    ['+1', 1, 'number'],
    ['007', 7, 'number'],
    ['2.', 2, 'number'],
    ['.5', 0.5, 'number'],
    ['.5_5', 0.55, 'number'],
    ['+1e+2', 100, 'number'],
    ['+1e10', 1e10, 'number'],
    ['1_000.5_0', 1000.5, 'number'],
    ['1_0e2', 1000, 'number'],
    ['0x1F', 31, 'number'],
    ['-0x1f', -31, 'number'],
    ['+0o17', 15, 'number'],
    ['0B101', 5, 'number'],
    ['read', 'read', 'unquoted-value'],
    ['1.2.3', '1.2.3', 'unquoted-value'],
    ['.', '.', 'unquoted-value'],
    ['0xg', '0xg', 'unquoted-value'],
    ['a0x1', 'a0x1', 'unquoted-value'],
    ['0x1h', '0x1h', 'unquoted-value'],
    ['1e', '1e', 'unquoted-value'],
    ['x1', 'x1', 'unquoted-value'],
    ['Infinity2', 'Infinity2', 'unquoted-value'],
    ['aNaN', 'aNaN', 'unquoted-value'],
  ])('%s is read as %j, with the repair %s', (word, value, repair) => {
    expect(readBareWord(word)).toEqual({ value, repair, lossy: false });
    expect(isLiteral(word)).toBe(repair !== 'unquoted-value');
  });

  test.each(['NaN', 'nan', 'Infinity', '-Infinity', '+inf', 'Inf'])(
    '%s is no number of JSON, and lost',
    (word) => {
      const lost = { value: null, repair: 'non-finite-number', lossy: true };
      expect(readBareWord(word)).toEqual(lost);
    },
  );
});

describe('a short number', () => {
  test.each(['0', '7', '10', '0.5', '12.25', '123456789012345'])('is %s', (word) => {
    expect(isShortNumber(word)).toBe(true);
  });

  test.each([
    '',
    '.',
    '.5',
    '5.',
    '00',
    '01.5',
    '1.2.3',
    '1..2',
    '-1',
    '1e5',
    'a',
    '1a',
    '1/2',
    '1:2',
  ])('is not %j', (word) => {
    expect(isShortNumber(word)).toBe(false);
  });

  test('is none beyond sixteen characters', () => {
    expect(isShortNumber('12345678901234567')).toBe(false);
  });

  test('is always one that JSON has', () => {
    const word = fc.string({ unit: fc.constantFrom('0', '1', '2', '3', '.', '9'), maxLength: 18 });
    fc.assert(
      fc.property(word, (text) => {
        if (isShortNumber(text)) expect(JSON.parse(text)).toBe(Number(text));
      }),
    );
  });
});

describe('a word that is cut', () => {
  test.each([
    '',
    '-',
    '+',
    '1.',
    '1e',
    '-2E',
    '3e+',
    '+4e-',
    't',
    'fals',
    'nul',
    'Tru',
    'F',
    'Non',
  ])('may go on after %j', (word) => {
    expect(isCutWord(word)).toBe(true);
  });

  test.each(['1', '1.5', 'true', 'None', 'rue', 'x', 'x.', 'e-', '--', 'a1.', 'Nobody'])(
    'is not %j',
    (word) => {
      expect(isCutWord(word)).toBe(false);
    },
  );
});

describe('what stands for something else', () => {
  test('is an ellipsis for what was left out', () => {
    expect(['...', '…', '..', '....', 'x'].map((word) => isEllipsis(word))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test.each(['r', 'b', 'u', 'f', 'R', 'rb', 'bR', 'fr', 'RF'])('is %s before a string', (word) => {
    expect(isStringPrefix(word)).toBe(true);
  });

  test.each(['', 'x', 'rr', 'bar', 'rbx', 'xrb', 'bf'])('is not %j before a string', (word) => {
    expect(isStringPrefix(word)).toBe(false);
  });
});
