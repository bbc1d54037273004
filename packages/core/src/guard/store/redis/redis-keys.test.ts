import { describe, expect, it } from 'vitest';
import { isPrefix, RedisKeys } from './redis-keys.ts';

describe('RedisKeys', () => {
  const keys = new RedisKeys('holdfast');

  it.each(['search', 'mcp:files/read_file', 'A.b-c_9', 'x'.repeat(64)])(
    'uses %s as it is',
    (name) => {
      expect(keys.circuit(name)).toBe(`holdfast:{${name}}`);
    },
  );

  it.each(['', 'a b', 'a{b}', '}', 'a\n', 'é', '~replicas', 'x'.repeat(65), 'a\0', '*'])(
    'uses a hash for %j',
    (name) => {
      expect(keys.circuit(name)).toMatch(/^holdfast:\{~[\da-f]{16}\}$/);
    },
  );

  it('gives different names different keys', () => {
    const names = ['a b', 'a  b', 'a\tb', 'b a', 'A b', 'x'.repeat(65), 'x'.repeat(66)];

    expect(new Set(names.map((name) => keys.circuit(name))).size).toBe(names.length);
  });

  it('keeps its own keys where no circuit can be', () => {
    expect(keys.circuit('~replicas')).not.toBe(keys.replicas);
    expect(keys.circuit('~news')).not.toBe(keys.channel);
    expect([keys.replicas, keys.channel]).toEqual(['holdfast:{~replicas}', 'holdfast:{~news}']);
  });

  it('takes prefixes that leave the place of a key to its name', () => {
    expect(['holdfast', 'team-a:prod', 'x'.repeat(64)].map(isPrefix)).toEqual([true, true, true]);
    expect(['', '{a}', 'a b', 'x'.repeat(65)].map(isPrefix)).toEqual([false, false, false, false]);
  });
});
