import { expect, test } from 'vitest';
import { checkListenAddress } from './check-listen-address.ts';

test.each(['127.0.0.1', '127.0.0.2', 'localhost', '::1', '::ffff:127.0.0.1'])(
  '%s needs no token',
  (host) => {
    expect(() => checkListenAddress(host, undefined)).not.toThrow();
  },
);

test.each(['0.0.0.0', '::', '192.168.1.5', 'box.lan', '', '127.1', '::ffff:10.0.0.1'])(
  '%j needs one, and both ways out are told',
  (host) => {
    expect(() => checkListenAddress(host, undefined)).toThrow(
      'Set a token, or listen on 127.0.0.1.',
    );
    expect(() => checkListenAddress(host, 'a-token')).not.toThrow();
  },
);

test('an empty token is none', () => {
  expect(() => checkListenAddress('127.0.0.1', '')).toThrow('the token is empty');
});
