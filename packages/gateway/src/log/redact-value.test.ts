import { expect, test } from 'vitest';
import { redactFields, redactValue } from './redact-value.ts';

const mask = (text: string): string => text.replaceAll('CANARY', '***');

test('texts are masked at any depth, names of fields too', () => {
  expect(redactValue({ a: ['x CANARY', { CANARY: 'b' }], n: 1, no: null }, mask)).toEqual({
    a: ['x ***', { '***': 'b' }],
    n: 1,
    no: null,
  });
});

test('texts with the name of a secret are left out; numbers, schemas and lists of objects are not', () => {
  expect(
    redactFields(
      {
        authorization: 'Bearer x',
        cookie: ['a', 'b'],
        token: 3,
        password: { type: 'string', token: 'deep' },
        credentials: [{ user: 'me' }],
      },
      mask,
    ),
  ).toEqual({
    authorization: '***',
    cookie: ['***'],
    token: 3,
    password: { type: 'string', token: '***' },
    credentials: [{ user: 'me' }],
  });
});

test('an error is told with its code and its cause', () => {
  const cause = Object.assign(new Error('no CANARY'), { code: 'ECONNREFUSED' });

  expect(redactValue(new TypeError('failed', { cause }), mask)).toMatchObject({
    name: 'TypeError',
    message: 'failed',
    cause: { message: 'no ***', code: 'ECONNREFUSED' },
  });
});

test('what holds itself, is too deep or is no data is named, not walked through', () => {
  const loop: Record<string, unknown> = { a: 1 };
  loop['self'] = [loop, loop];
  let deep: unknown = 'end';
  for (let level = 0; level < 100_000; level++) deep = [deep];

  expect(redactValue(loop, mask)).toEqual({ a: 1, self: ['[circular]', '[circular]'] });
  expect(JSON.stringify(redactValue(deep, mask))).toContain('[too deep]');
  expect(redactValue([new Map(), Buffer.from('CANARY'), new URL('http://CANARY/')], mask)).toEqual([
    '[Map]',
    '[6 bytes]',
    'http://canary/',
  ]);
});

test('what was given stays as it is', () => {
  const given = { token: 'abc', list: ['CANARY'] };

  redactFields(given, mask);

  expect(given).toEqual({ token: 'abc', list: ['CANARY'] });
});
