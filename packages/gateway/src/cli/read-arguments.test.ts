import { describe, expect, test } from 'vitest';
import { readArguments } from './read-arguments.ts';

const OPTIONS = { config: 'values', fast: 'flag' } as const;

describe('arguments behind --', () => {
  test('are none of our options, whatever they look like', () => {
    const read = readArguments(['--config', 'a', '--', 'npx', '-y', 'x', '--fast', '--'], OPTIONS);
    expect(read.behindDashes).toEqual(['npx', '-y', 'x', '--fast', '--']);
    expect(read.positionals).toEqual(read.behindDashes);
    expect(read.flags.size).toBe(0);
    expect(read.lists.get('config')).toEqual(['a']);
  });

  test('are told from those in front of it', () => {
    expect(readArguments(['a', '--', 'b'], OPTIONS)).toMatchObject({
      positionals: ['a', 'b'],
      behindDashes: ['b'],
    });
    expect(readArguments(['a'], OPTIONS)).not.toHaveProperty('behindDashes');
    expect(readArguments(['--'], OPTIONS).behindDashes).toEqual([]);
  });

  test('an option in front of it still needs its value', () => {
    expect(() => readArguments(['--config', '--', 'x'], OPTIONS)).toThrow('--config needs a value');
  });
});
