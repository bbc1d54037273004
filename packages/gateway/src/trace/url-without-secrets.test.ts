import { expect, test } from 'vitest';
import { urlWithoutSecrets } from './url-without-secrets.ts';

test.each([
  ['http://127.0.0.1:1234/v1', 'http://127.0.0.1:1234/v1'],
  ['https://me:key@host/v1?api_key=x#y', 'https://host/v1'],
  ['not a url: key', '[no URL]'],
])('%s is shown as %s', (url, shown) => {
  expect(urlWithoutSecrets(url)).toBe(shown);
});
