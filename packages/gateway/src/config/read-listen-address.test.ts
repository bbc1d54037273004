import { describe, expect, test } from 'vitest';
import { readListenAddress } from './read-listen-address.ts';

describe('an address to listen on', () => {
  test.each([
    ['127.0.0.1:8787', '127.0.0.1', 8787],
    ['localhost:0', 'localhost', 0],
    ['[::1]:80', '::1', 80],
    ['0.0.0.0:65535', '0.0.0.0', 65_535],
    [':9000', '127.0.0.1', 9000],
  ])('%s is a host and a port', (text, host, port) => {
    expect(readListenAddress(text)).toEqual({ ok: true, host, port });
  });

  test.each([
    '',
    '8787',
    'localhost',
    '::1:80',
    '[::1]',
    'a:65536',
    'a:-1',
    'http://a:1',
    'a b:1',
    'a@b:1',
  ])('%j is refused', (text) => {
    expect(readListenAddress(text)).toMatchObject({ ok: false });
  });
});
