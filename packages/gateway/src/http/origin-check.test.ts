import { expect, test } from 'vitest';
import { checkOrigin, isFollowedLink } from './origin-check.ts';

const HOST = 'localhost:4141';

test.each([
  {},
  { origin: 'http://localhost:4141' },
  { origin: 'https://LOCALHOST:4141' },
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'none' },
])('%j is let in', (headers) => {
  expect(() => checkOrigin('POST', headers, HOST)).not.toThrow();
});

test.each([
  { origin: 'null' },
  { origin: '' },
  { origin: 'https://evil.com' },
  { origin: 'http://localhost' },
  { origin: 'http://localhost:3000' },
  { origin: 'http://localhost:4141.evil.com' },
  { origin: 'http://localhost:4141/' },
  { origin: 'http://localhost:4141, http://evil.com' },
  { origin: 'chrome-extension://abc' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none, cross-site' },
  { origin: 'http://localhost:4141', 'sec-fetch-site': 'cross-site' },
])('%j is refused', (headers) => {
  expect(() => checkOrigin('POST', headers, HOST)).toThrow('web pages are not let in');
});

test('a preflight is refused even for our own origin', () => {
  expect(() => checkOrigin('OPTIONS', { origin: 'http://localhost:4141' }, HOST)).toThrow(
    'OPTIONS',
  );
});

test.each([
  ['GET', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, true],
  ['POST', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, false],
  ['GET', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }, false],
  ['GET', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'document' }, false],
  ['GET', { origin: 'null', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, false],
  ['GET', {}, false],
] as const)('%s with %j is a link that was followed: %s', (method, headers, isLink) => {
  expect(isFollowedLink(method, headers)).toBe(isLink);
});
