import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readYaml } from './read-yaml.ts';

const read = (text: string): unknown => readYaml(text, 16, (scalar) => `<${scalar}>`);

describe('readYaml', () => {
  test.each([
    ['a map', 'a: 1\nb: two words', { a: '<1>', b: '<two words>' }],
    [
      'maps inside',
      'a:\n  b:\n    c: x\n  d: y\ne: z',
      { a: { b: { c: '<x>' }, d: '<y>' }, e: '<z>' },
    ],
    ['lists', 'a:\n  - x\n  - "y"\nb:\n- z', { a: ['<x>', 'y'], b: ['<z>'] }],
    [
      'maps in a list',
      'a:\n  - b: c\n    d: >-\n      e\n      f\n  - b: g\nh:\n- i: j',
      { a: [{ b: '<c>', d: 'e f' }, { b: '<g>' }], h: [{ i: '<j>' }] },
    ],
    ['quotes', `a: "x: \\"y\\""\nb: 'it''s'\n"c d": e`, { a: 'x: "y"', b: "it's", 'c d': '<e>' }],
    ['JSON', 'a: [1, {"b": 2}]\nc: {"d": null}', { a: [1, { b: 2 }], c: { d: null } }],
    ['lines as they are', 'a: |\n  x\n    y\n\n  z\nb: w', { a: 'x\n  y\n\nz\n', b: '<w>' }],
    ['folded lines', 'a: >-\n  x\n  y', { a: 'x y' }],
    ['nothing behind a key', 'a:\nb: x', { a: null, b: '<x>' }],
    ['blank lines and lines of Windows', 'a: x\r\n\r\nb: y\r\n', { a: '<x>', b: '<y>' }],
  ])('reads %s', (_what, text, value) => {
    expect(read(text)).toEqual(value);
  });

  test.each([
    ['a line without a key', 'a: x\nwhat'],
    ['a line too deep', 'a: x\n  b: y'],
    ['a list in an item', 'a:\n  -\n    - b'],
    ['a quote that is not closed', 'a: "x'],
    [
      'more levels than allowed',
      Array.from({ length: 40 }, (_, at) => `${' '.repeat(at)}k:`).join('\n'),
    ],
  ])('refuses %s', (_what, text) => {
    expect(read(text)).toBeUndefined();
  });

  test('never throws', () => {
    const piece = fc.constantFrom('a:', ' ', '\n', '- ', '"', "'", '|', '>', '{', ']', 'x', ': ');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(() => read(pieces.join(''))).not.toThrow();
      }),
    );
  });

  test('reads many lines in time that grows with them', () => {
    const started = performance.now();
    readYaml('k: v\n'.repeat(50_000), 16, (scalar) => scalar);
    readYaml(`k: |\n${'  line\n'.repeat(50_000)}`, 16, (scalar) => scalar);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
