import { expect, test } from 'vitest';
import { checkContentType } from './content-type-check.ts';

test.each([
  {},
  { 'content-length': '0' },
  { 'content-length': '0', 'content-type': 'text/plain' },
  { 'content-length': '2', 'content-type': 'application/json' },
  { 'content-length': '2', 'content-type': 'Application/JSON; charset=UTF-8' },
  { 'transfer-encoding': 'chunked', 'content-type': 'application/json' },
  { 'content-length': '2', 'content-type': 'application/json', 'content-encoding': 'identity' },
])('%j is read', (headers) => {
  expect(() => checkContentType(headers)).not.toThrow();
});

test.each([
  [{}, 'no content-type was sent'],
  [{ 'content-type': 'text/plain' }, 'the content-type is text/plain'],
  [{ 'content-type': 'text/plain;application/json' }, 'text/plain;application/json'],
  [{ 'content-type': 'application/json-patch' }, 'application/json-patch'],
  [{ 'content-type': 'application/json; charset=utf-16' }, 'utf-16'],
  [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }, 'this one is gzip'],
])('%j is refused: %s', (headers, why) => {
  expect(() => checkContentType({ 'content-length': '2', ...headers })).toThrow(why);
  expect(() => checkContentType({ 'transfer-encoding': 'chunked', ...headers })).toThrow(why);
});
