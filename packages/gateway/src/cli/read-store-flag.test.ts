import { expect, test } from 'vitest';
import { readArguments } from './read-arguments.ts';
import { readStoreFlag } from './read-store-flag.ts';

const read = (args: readonly string[], env: Record<string, string> = {}): Promise<object> =>
  readStoreFlag(readArguments(args, { store: 'value' }), env);

test('the option goes before the variable, and nothing is shared without either', async () => {
  const env = { HOLDFAST_STORE: 'redis://other' };

  expect(await read(['--store', 'rediss://user:word@host:6380/1'], env)).toEqual({
    store: { url: 'rediss://user:word@host:6380/1', cluster: false },
  });
  expect(await read([], env)).toEqual({ store: { url: 'redis://other', cluster: false } });
  expect(await read([], { HOLDFAST_STORE: '' })).toEqual({});
  expect(await read([])).toEqual({});
});

test.each(['', 'localhost:6379', 'http://host', 'redis://'])(
  'what is no address of Redis is refused, without a word of it: %j',
  async (url) => {
    await expect(read(['--store', url])).rejects.toThrow(
      '--store: expected an address of Redis such as redis://127.0.0.1:6379',
    );
  },
);
