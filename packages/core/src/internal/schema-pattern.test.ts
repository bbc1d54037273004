import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UnsupportedPattern } from './schema-pattern-parser.ts';
import { SchemaPattern } from './schema-pattern.ts';

const PLENTY = 1_000_000;

const isFound = (source: string, text: string): boolean | undefined =>
  new SchemaPattern(source).test(text, PLENTY);

/** Patterns of everything that is supported, over a small alphabet so that they sometimes match. */
const patterns = fc.letrec<{ node: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    fc.constantFrom(
      'a',
      'b',
      '1',
      ' ',
      '.',
      '\\d',
      '\\w',
      '\\s',
      '\\W',
      '\\D',
      '\\S',
      '\\.',
      '\\n',
    ),
    fc.constantFrom(
      '[ab]',
      '[^a]',
      '[a-c1]',
      '[\\d_-]',
      '[]',
      '[^]',
      '\\x61',
      '\\u0062',
      '\\u{1F600}',
    ),
    fc.constantFrom(
      '\\p{L}',
      '\\P{Lu}',
      '\u{1F600}',
      '[\u{1F600}a]',
      '\\ud83d\\ude00',
      '[^\\s\\w]',
    ),
  ),
  node: fc.oneof(
    { depthSize: 'small' },
    tie('atom'),
    fc.constantFrom('^', '$', '\\b', '\\B', ''),
    fc.tuple(tie('node'), tie('node')).map((parts) => parts.join('')),
    fc.tuple(tie('node'), tie('node')).map(([one, other]) => `(?:${one}|${other})`),
    fc
      .tuple(tie('node'), fc.constantFrom('*', '+', '?', '*?', '{2}', '{0,2}', '{1,}', '{0}'))
      .map(([part, count]) => `(${part})${count}`),
    tie('node').map((part) => `(?<n${part.length}>${part})`),
  ),
}));

describe('SchemaPattern', () => {
  test('finds what the expressions of the language find', () => {
    const texts = fc.array(
      fc.constantFrom('a', 'b', 'B', '1', '_', ' ', '\n', '.', '\u{1F600}', '\ud83d'),
      {
        maxLength: 6,
      },
    );
    fc.assert(
      fc.property(patterns.node, texts, (source, chars) => {
        // V8 finds \\B between the halves of a character, where there is no place.
        fc.pre(!source.includes('\\B') || !chars.includes('\u{1F600}'));
        let native: RegExp;
        try {
          native = new RegExp(source, 'u');
        } catch {
          return;
        }
        expect([source, isFound(source, chars.join(''))]).toEqual([
          source,
          native.test(chars.join('')),
        ]);
      }),
      { numRuns: 20 * (fc.readConfigureGlobal().numRuns ?? 100) },
    );
  });

  test.each([
    ['^\\d{4}-\\d{2}-\\d{2}$', '2026-11-16', true],
    ['^\\d{4}-\\d{2}-\\d{2}$', '2026-11-6', false],
    ['^[\\w.+\\-]+@[\\w-]+\\.[a-z]{2,}$', 'a.b+c@mail-x.org', true],
    ['^(?:https?|ftp)://', 'gopher://x', false],
    ['^#(?:[0-9a-f]{3}){1,2}$', '#ff00aa', true],
    ['^[a-z]*$', '', true],
    ['{x}', 'a{x}', true],
  ])('%s in %j: %s', (source, text, found) => {
    expect(isFound(source, text)).toBe(found);
  });

  test.each([
    '(a)\\1',
    '(?=a)',
    '(?<!a)b',
    '(?i:a)',
    '(',
    ')',
    '[a',
    '*a',
    '[b-a]',
    'a{3,2}',
    '\\',
    '\\c',
    '\\c1',
    '\\u12',
    '\\u{110000}',
    '\\p{Nonsense}',
    '\\q',
    '(){2000000000}',
    '(a{1000}){1000}',
    'a'.repeat(1001),
    '('.repeat(60) + ')'.repeat(60),
  ])('refuses what it cannot follow in one pass, or is no pattern: %s', (source) => {
    expect(() => new SchemaPattern(source)).toThrow(UnsupportedPattern);
  });

  test('takes any text for a pattern, or refuses it', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from('ab\\[](){}^$.|?*+-,19:<=!pux')) }),
        (source) => {
          try {
            expect(typeof isFound(source, 'ab1')).toBe('boolean');
          } catch (error) {
            expect(error).toBeInstanceOf(UnsupportedPattern);
          }
        },
      ),
      { numRuns: 10 * (fc.readConfigureGlobal().numRuns ?? 100) },
    );
  });

  test('does not run away on patterns that make others backtrack', () => {
    const long = `${'a'.repeat(50_000)}!`;
    expect(isFound('^(a+)+$', long)).toBe(false);
    expect(isFound('^(a|a)*$', long)).toBe(false);
    expect(isFound('a*a*a*a*b', long)).toBe(false);
  });

  test('gives up when the text is too long for the pattern', () => {
    expect(new SchemaPattern('a{1,100}b').test('a'.repeat(10_000), 1000)).toBe(undefined);
  });
});
