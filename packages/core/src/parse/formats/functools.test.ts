import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { functools } from './functools.ts';

const call = (name: string, args: unknown): string => JSON.stringify({ name, arguments: args });

describeFormat({
  parser: functools,
  write: (name, args) => `functools[${call(name, args)}]`,
  writeAll: (calls) => `functools[${calls.map(([name, args]) => call(name, args)).join(', ')}]`,
  proseBefore: ['', 'Let me see.\n', 'a < b, {x} and [y]\n\n  '],
  skips: {
    'missing-end': 'a list has no end marker',
    'text-between': 'the word counts at the start of a line only',
  },
  pieces: [
    'functools[',
    '\nfunctools[',
    '\n functools[{"name": "f", ',
    'functools',
    '\nfunctools[]',
    '\nfunctools[{"name": "f", "arguments": {"a":',
  ],
});

describe('functools', () => {
  test('reads calls on lines of their own', () => {
    const { calls, text } = parseToolCalls(
      `One:\n functools[${call('a', { list: [[1]] })}]\nTwo:\nfunctools[${call('b', {})}]`,
    );
    expect(calls).toMatchObject([
      { name: 'a', arguments: { list: [[1]] }, format: 'functools' },
      { name: 'b', format: 'functools' },
    ]);
    expect(text).toBe('One:\n \nTwo:\n');
  });

  test.each([
    ['an empty list', 'functools[] is nothing'],
    ['an import', 'functools is a module: import functools'],
    ['an object', 'functools{"name": "f"}'],
  ])('leaves %s as text', (_what, text) => {
    expect(parseToolCalls(text)).toMatchObject({ calls: [], text });
  });
});
