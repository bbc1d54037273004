import { expect, test } from 'vitest';
import { parseHost } from './parse-host.ts';

test.each([
  ['localhost', 'localhost', undefined],
  ['LOCALHOST:80', 'localhost', 80],
  ['127.0.0.1:4141', '127.0.0.1', 4141],
  ['[::1]:4141', '::1', 4141],
  ['[::FFFF:127.0.0.1]', '::ffff:127.0.0.1', undefined],
  ['my_service-2.internal:65535', 'my_service-2.internal', 65_535],
])('%s is the host %s', (value, name, port) => {
  expect(parseHost(value)).toEqual({ name, port });
});

test.each([
  '',
  ' localhost',
  'localhost ',
  'localhost:',
  'localhost:65536',
  'localhost:1:2',
  'localhost,evil.com',
  'localhost/',
  'localhost?x',
  'localhost#.evil.com',
  'localhost\\.evil.com',
  'evil.com@localhost',
  'user:pass@localhost',
  'http://localhost',
  '.localhost',
  'localhost.',
  'a..b',
  '-a.b',
  'löcalhost',
  '::1',
  '[::1',
  '[::1]x',
  '[localhost]',
  '[127.0.0.1]',
  '[fe80::1%eth0]',
  '127.1',
  '127.0.0.01',
  '127.0.0.256',
  '2130706433',
  '0x7f.1',
  '0x7f000001',
  'a'.repeat(64),
  `${'a.'.repeat(127)}a`,
])('%j is no host', (value) => {
  expect(parseHost(value)).toBeUndefined();
});
