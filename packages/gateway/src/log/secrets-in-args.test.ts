import { expect, test } from 'vitest';
import { secretsInArgs } from './secrets-in-args.ts';

test.each([
  [['--api-key=key-of-the-shop'], ['key-of-the-shop']],
  [['--api-key', 'key-of-the-shop', '--verbose'], ['key-of-the-shop']],
  [['-token', 'key-of-the-shop'], ['key-of-the-shop']],
  [['run', '-e', 'SHOP_API_KEY=key-of-the-shop', 'image'], ['key-of-the-shop']],
  [
    ['--header', 'Authorization: Bearer key-of-the-shop'],
    ['Bearer key-of-the-shop', 'key-of-the-shop'],
  ],
  [
    ['--header', 'Authorization:Bearer key-of-the-shop'],
    ['Bearer key-of-the-shop', 'key-of-the-shop'],
  ],
  [
    ['--password', 'two words'],
    ['two words', 'words'],
  ],
])('%j hold a secret', (args, secrets) => {
  expect([...new Set(secretsInArgs(args))]).toEqual(secrets);
});

test.each([
  [['-y', '@scope/server', '/home/me/notes']],
  [['--max-tokens', '4096', '--key', 'name']],
  [['--model=gpt', 'https://example.com/a?b=c']],
  [[]],
])('%j hold none', (args) => {
  expect(secretsInArgs(args)).toEqual([]);
});
