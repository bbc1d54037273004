import { describe, expect, test } from 'vitest';
import { readYaml } from './read-yaml.ts';

const nested: Readonly<Record<string, (levels: number) => string>> = {
  'lists in brackets': (levels) => `${'['.repeat(levels)}1${']'.repeat(levels)}`,
  'maps in braces': (levels) => `${'{a: '.repeat(levels)}1${'}'.repeat(levels)}`,
  'lists of dashes': (levels) => `${'- '.repeat(levels)}1`,
  'maps by their indent': (levels) =>
    `${Array.from({ length: levels }, (_, at) => `${' '.repeat(at)}a:`).join('\n')} 1`,
  'keys of question marks': (levels) => `${'? '.repeat(levels)}1`,
  'brackets without an end': (levels) => '['.repeat(levels),
};

describe('deep nesting', () => {
  test.each(Object.entries(nested))('of %s is told beyond 64 levels', (_, write) => {
    for (const levels of [65, 70, 1000]) {
      const read = readYaml(write(levels));
      expect(read.ok ? [] : read.problems.map(({ message }) => message)).toEqual([
        'nested deeper than 64',
      ]);
    }
  });

  test('is told with its place, however deep it is, and costs no more than the way there', () => {
    const startedAt = performance.now();
    expect(readYaml(`a: 1\nb: ${'['.repeat(1_000_000)}`)).toEqual({
      ok: false,
      problems: [{ line: 2, column: 67, message: 'nested deeper than 64' }],
    });
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });

  test.each(['lists in brackets', 'maps in braces', 'lists of dashes', 'maps by their indent'])(
    'of %s is read up to there',
    (kind) => {
      const read = readYaml(nested[kind]!(64));
      expect(read.ok && JSON.stringify(read.value)).toMatch(/^(?:\[|\{"a":){64}1/);
    },
  );
});

describe('keys of objects', () => {
  test('are data, whatever they are called', () => {
    const read = readYaml('__proto__: { polluted: true }\nconstructor: { prototype: { a: 1 } }');
    const value = (read.ok ? read.value : undefined) as { readonly polluted?: unknown };
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value.polluted).toBeUndefined();
  });
});

describe('a key that is there twice', () => {
  test.each([
    ['in lines', 'a: 1\nb:\n  c: 1\n  c: 2\na: 3\n', [4, 5]],
    ['in braces', 'x: { a: 1, b: 2, a: 3 }\n', [1]],
    ['in quotes', '"a": 1\na: 2\n', [2]],
    ['as a number', '1: a\n"1": b\n', [2]],
  ])('%s is told where it is there again', (_, text, lines) => {
    const read = readYaml(text);
    const told = read.ok ? [] : read.problems.map(({ line, message }) => ({ line, message }));
    expect(told).toEqual(lines.map((line) => ({ line, message: 'Map keys must be unique' })));
  });

  test('is told between other slips, in the order of the lines', () => {
    const read = readYaml('a: 1\na: 2\nb: *x\nb: 3\n');
    expect(read.ok ? [] : read.problems.map(({ line }) => line)).toEqual([2, 3, 4]);
  });
});

describe('a long text', () => {
  test.each([
    ['slips on one line', ']'.repeat(20_000)],
    ['slips on a line each', ':\n'.repeat(20_000)],
    ['slips in braces', `{${'*\n'.repeat(50_000)}`],
    ['one key over and over', 'a:\n'.repeat(50_000)],
  ])('of %s is told in time, each line once', (_, text) => {
    const startedAt = performance.now();
    const read = readYaml(text);
    const lines = read.ok ? [] : read.problems.map(({ line }) => line);
    expect(lines.length).toBeGreaterThan(0);
    expect(new Set(lines).size).toBe(lines.length);
    expect(performance.now() - startedAt).toBeLessThan(3000);
  });

  test('of many keys is read in time, and each of them found', () => {
    const keys = Array.from({ length: 40_000 }, (_, index) => `k${index}`);
    const startedAt = performance.now();
    const read = readYaml(keys.map((key) => `${key}: 1\n`).join(''));
    const places = read.ok ? keys.map((key) => read.placeOf([key], true).line) : [];
    expect(places).toEqual(keys.map((_, index) => index + 1));
    expect(performance.now() - startedAt).toBeLessThan(3000);
  });

  test('leaves errors of others the stack that they had', () => {
    const limit = Error.stackTraceLimit;
    readYaml('a: [');
    expect(Error.stackTraceLimit).toBe(limit);
  });
});
