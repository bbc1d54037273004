import { expect, test } from 'vitest';
import { parseRequestTarget } from './request-target.ts';

test.each([
  ['/', '/', ''],
  ['/v1/messages?beta=true', '/v1/messages', '?beta=true'],
  ['/v1/models/qwen/qwen3:8b@q4', '/v1/models/qwen/qwen3:8b@q4', ''],
  ['/a%20b/...?', '/a%20b/...', '?'],
  ['/a?b?c=//..', '/a', '?b?c=//..'],
])('%s is taken as it is', (target, path, query) => {
  expect(parseRequestTarget(target)).toEqual({ path, query });
});

test.each([
  '',
  '*',
  'v1',
  'http://localhost/v1',
  'localhost:443',
  '//evil.com/v1',
  '/v1/../admin',
  '/v1/..',
  '/./v1',
  '/v1/%2e%2e/admin',
  '/v1/.%2E/admin',
  '/v1\\..\\admin',
  '/v1#x',
  '/v1?x#y',
  '/v 1',
  '/v1\t',
  '/ü',
  '/v1?ü',
])('%j is refused', (target) => {
  expect(() => parseRequestTarget(target)).toThrow('the path of the request');
});
