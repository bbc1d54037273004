import { describe, expect, it } from 'vitest';
import { InvalidOptionError } from '../../../errors.ts';
import { IoRedisConnection } from './io-redis-connection.ts';
import { NodeRedisConnection } from './node-redis-connection.ts';
import type { RedisClient } from './redis-client.ts';
import { connectionOf } from './redis-connection.ts';

/** Something with these methods, as a client has them. */
const having = (...names: readonly string[]): RedisClient =>
  Object.fromEntries(names.map((name) => [name, () => undefined])) as unknown as RedisClient;

const SHARED = ['eval', 'publish', 'on', 'duplicate'];

describe('a client of Redis', () => {
  it('is told from another by how it writes EVALSHA', () => {
    expect(connectionOf(having('evalSha', ...SHARED))).toBeInstanceOf(NodeRedisConnection);
    expect(connectionOf(having('evalsha', ...SHARED))).toBeInstanceOf(IoRedisConnection);
  });

  it.each(['evalSha', 'evalsha'])('with %s needs all that is asked of it', (evalSha) => {
    for (const missing of [evalSha, ...SHARED]) {
      const client = having(...[evalSha, ...SHARED].filter((name) => name !== missing));
      expect(() => connectionOf(client)).toThrow(InvalidOptionError);
    }
  });

  it.each([null, undefined, 'redis://localhost', {}])('is not %j', (client) => {
    expect(() => connectionOf(client as RedisClient)).toThrow(
      'redis store.client: expected a client of @redis/client or ioredis',
    );
  });
});
