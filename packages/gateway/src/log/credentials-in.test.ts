import { expect, test } from 'vitest';
import { credentialsIn } from './credentials-in.ts';

test('keys are found in every header that can hold one, without their scheme', () => {
  expect(
    credentialsIn({
      authorization: 'Bearer key-1',
      'x-api-key': 'key-2',
      'set-cookie': ['a=1', 'b=2'],
      'user-agent': 'me',
    }),
  ).toEqual(['key-1', 'key-2', 'a=1', 'b=2']);
});
