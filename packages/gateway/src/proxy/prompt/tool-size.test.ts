import { describe, expect, test } from 'vitest';
import { isShorterThanTools } from './tool-size.ts';

/** Tools of which at least so many tokens are certain. */
const toolsOf = (tokens: number): { name: string; description: string }[] => [
  { name: 'abcdefgh', description: 'abcdefgh'.repeat(tokens - 1) },
];

describe('a prompt is too short for its tools', () => {
  test('below a token for eight characters of them', () => {
    expect(isShorterThanTools(99, toolsOf(100))).toBe(true);
    expect(isShorterThanTools(100, toolsOf(100))).toBe(false);
  });

  test('only if 40 tokens are certain', () => {
    expect(isShorterThanTools(1, toolsOf(40))).toBe(true);
    expect(isShorterThanTools(1, toolsOf(39))).toBe(false);
    expect(isShorterThanTools(1, [])).toBe(false);
  });

  test('counting the names of parameters, within others and within lists too', () => {
    const inner = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`abcdef${10 + at}`, { type: 'string' }]),
    );
    const parameters = {
      type: 'object',
      properties: {
        one: { type: 'object', properties: inner },
        all: { type: 'array', items: { type: 'object', properties: inner } },
      },
    };
    expect(isShorterThanTools(30, [{ name: 'save', parameters }])).toBe(true);
    expect(isShorterThanTools(30, [{ name: 'save', parameters: { properties: inner } }])).toBe(
      false,
    );
  });

  test('counting neither space nor a character that is repeated', () => {
    const description = `${' '.repeat(999)}${'='.repeat(999)}${'\n'.repeat(999)}`;
    expect(isShorterThanTools(30, [{ name: 'f', description }])).toBe(false);
  });

  test('never by schemas of odd shapes', () => {
    for (const properties of [null, 7, [], { a: null, b: 7, c: { items: [] } }])
      expect(isShorterThanTools(1, [{ name: 'f', parameters: { properties } }])).toBe(false);
  });
});
