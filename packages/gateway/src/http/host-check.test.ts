import { expect, test } from 'vitest';
import { createHostCheck } from './host-check.ts';
import { RequestError } from './request-error.ts';

/** What a request with these Host headers is answered with; 200 for one that is let in. */
function statusFor(options: Parameters<typeof createHostCheck>[0], ...hosts: string[]): number {
  try {
    createHostCheck(options)([...hosts.flatMap((host) => ['Host', host]), 'Accept', '*/*']);
    return 200;
  } catch (error) {
    return error instanceof RequestError ? error.status : 0;
  }
}

const LOCAL = { listenHost: '127.0.0.1' };

test.each(['localhost:1', '127.0.0.1', '127.8.9.1:80', '[::1]:4141', '[0:0:0:0:0:0:0:1]'])(
  '%s is this machine',
  (host) => {
    expect(statusFor(LOCAL, host)).toBe(200);
  },
);

test.each(['evil.com', 'localhost.evil.com', '192.168.1.5', '[fe80::1]', '0.0.0.0'])(
  '%s is not',
  (host) => {
    expect(statusFor(LOCAL, host)).toBe(403);
  },
);

test('a request has exactly one Host header', () => {
  expect(statusFor(LOCAL)).toBe(400);
  expect(statusFor(LOCAL, 'localhost', 'localhost')).toBe(400);
});

test('the address that is listened on and configured names are ours, in any spelling', () => {
  const options = { listenHost: 'fd00::1', hosts: ['Holdfast', 'box.lan'] };

  expect(statusFor(options, '[fd00:0:0:0:0:0:0:1]:4141')).toBe(200);
  expect(statusFor(options, 'holdfast:4141')).toBe(200);
  expect(statusFor(options, 'BOX.lan')).toBe(200);
  expect(statusFor(options, 'other.lan')).toBe(403);
});

test.each(['0.0.0.0', '::'])('on %s any address is ours, and no name', (listenHost) => {
  expect(statusFor({ listenHost }, '192.168.1.5:4141')).toBe(200);
  expect(statusFor({ listenHost }, '[fd00::1]')).toBe(200);
  expect(statusFor({ listenHost }, 'evil.com')).toBe(403);
});

test('a refusal says which name it was and what to do', () => {
  expect(() => createHostCheck(LOCAL)(['host', 'box.lan:80'])).toThrow(
    'this gateway is not called box.lan; use its address, or add the name to listen.hosts or --host-name',
  );
});
