import { expect, test } from 'vitest';
import { CONFIG_DEFAULTS } from '../config/config-defaults.ts';
import type { UpstreamConfig } from '../config/gateway-config.ts';
import { memoryLogger } from '../log/memory-logger.case.ts';
import { MCP_DEFAULTS } from '../mcp/mcp-defaults.ts';
import { serverConfig } from '../mcp/server-config.case.ts';
import {
  configSecrets,
  credentialsIn,
  maskUrl,
  processSecrets,
  redactFields,
  redactingLogger,
  Redactor,
  redactValue,
  urlWithoutSecrets,
} from './redactor.ts';

test('redacts secrets it was given and secrets of a known shape', () => {
  const redactor = new Redactor(['my-own-secret', 'my-own-secret-2']);

  expect(redactor.text('a my-own-secret-2 b my-own-secret')).toBe('a *** b ***');
  expect(redactor.text('Authorization: Bearer abcdefghijkl')).not.toContain('abcdefghijkl');
});

test('keeps short secrets and placeholders, which are parts of words', () => {
  const redactor = new Redactor(['x', '', 'ollama', 'lm-studio']);

  expect(redactor.text('lm-studio/qwen on ollama, x')).toBe('lm-studio/qwen on ollama, x');
});

test('replaces old secrets with new ones, and makes a copy that knows more', () => {
  const redactor = new Redactor(['first-secret']);
  redactor.setSecrets(['second-secret']);

  expect(redactor.text('first-secret second-secret')).toBe('first-secret ***');
  expect(redactor.with(['third-secret']).text('second-secret third-secret')).toBe('*** ***');
  expect(redactor.text('third-secret')).toBe('third-secret');
});

test('redacts the keys of a request in messages and fields, of child loggers too', () => {
  const inner = memoryLogger();
  const log = redactingLogger(inner, ['client-key-1', 'x']);

  log.warn({ why: new Error('bad key client-key-1') }, 'refused client-key-1');
  log.child({ key: 'client-key-1' }).info({ list: ['client-key-1'] }, 'x');

  expect(JSON.stringify(inner.entries)).not.toContain('client-key-1');
  expect(inner.entries[0]).toMatchObject({ message: 'refused ***' });
  expect(inner.entries[1]).toMatchObject({ message: 'x', fields: { key: '***', list: ['***'] } });
});

test('returns the same logger where a request has no keys', () => {
  const inner = memoryLogger();

  expect(redactingLogger(inner, ['short'])).toBe(inner);
});

const mask = (text: string): string => text.replaceAll('CANARY', '***');

test('redacts texts at any depth, and names of fields', () => {
  expect(redactValue({ a: ['x CANARY', { CANARY: 'b' }], n: 1, no: null }, mask)).toEqual({
    a: ['x ***', { '***': 'b' }],
    n: 1,
    no: null,
  });
});

test('redacts texts with the name of a secret, not numbers, schemas and lists of objects', () => {
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

test('copies an error with its code and its cause', () => {
  const cause = Object.assign(new Error('no CANARY'), { code: 'ECONNREFUSED' });

  expect(redactValue(new TypeError('failed', { cause }), mask)).toMatchObject({
    name: 'TypeError',
    message: 'failed',
    cause: { message: 'no ***', code: 'ECONNREFUSED' },
  });
});

test('names what holds itself, is too deep or is no data', () => {
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

test('changes nothing in what it copies', () => {
  const given = { token: 'abc', list: ['CANARY'] };

  redactFields(given, mask);

  expect(given).toEqual({ token: 'abc', list: ['CANARY'] });
});

test.each([
  ['http://127.0.0.1:1234/v1', 'http://127.0.0.1:1234/v1'],
  ['https://me:key@host/v1?api_key=x#y', 'https://host/v1'],
  ['rediss://me:key@host:6380/1', 'rediss://host:6380/1'],
  ['not a url: key', '[no URL]'],
])('shows the address %s as %s', (url, shown) => {
  expect(urlWithoutSecrets(url)).toBe(shown);
});

test('finds keys in every header that can hold one, without their scheme', () => {
  expect(
    credentialsIn({
      authorization: 'Bearer key-1',
      'x-api-key': 'key-2',
      'ocp-apim-subscription-key': 'key-3',
      'x-vault-token': 'key-4',
      'set-cookie': ['a=1', 'b=2'],
      'user-agent': 'me',
    }),
  ).toEqual(['key-1', 'key-2', 'key-3', 'key-4', 'a=1', 'b=2']);
});

const UPSTREAM: UpstreamConfig = {
  ...CONFIG_DEFAULTS.upstream,
  name: 'local',
  url: 'http://me:p%40ssword@127.0.0.1:1234/v1',
  apiKey: 'upstream-key',
  headers: { 'x-auth-token': 'Token header-key', accept: '*/*' },
};

test('finds the token, keys, secret headers and passwords in addresses', () => {
  expect(configSecrets({ token: 'the-token', upstreams: [UPSTREAM] })).toEqual([
    'the-token',
    'upstream-key',
    'Token header-key',
    'header-key',
    'p@ssword',
    'p%40ssword',
  ]);
});

test.each([
  ['http://127.0.0.1:1234/v1', 'http://127.0.0.1:1234/v1'],
  ['http://sk-canary@models.example/v1', 'http://…@models.example/v1'],
  ['ftp://me:sk-canary@models.example', 'ftp://…@models.example'],
  ['sk-canary@localhost:1234', '…@localhost:1234'],
  ['http://models.example/v1?key=sk-canary', 'http://models.example/v1?…'],
  ['http://models.example/v1#sk-canary', 'http://models.example/v1#…'],
])('shows an address without keys as it was typed: %s', (text, shown) => {
  expect(maskUrl(text)).toBe(shown);
});

test('finds nothing in a configuration without secrets, whatever its address', () => {
  const { apiKey: _, ...upstream } = UPSTREAM;

  expect(configSecrets({ upstreams: [{ ...upstream, url: 'nonsense', headers: {} }] })).toEqual([]);
});

test('finds a password with a % that encodes nothing, as written', () => {
  const { apiKey: _, ...upstream } = UPSTREAM;
  const url = 'http://me:100%zz-sure@127.0.0.1:1234/v1';

  expect(configSecrets({ upstreams: [{ ...upstream, url, headers: {} }] })).toEqual([
    '100%zz-sure',
  ]);
});

test('finds secrets in arguments, variables, headers and addresses of MCP servers', () => {
  const stdio = {
    kind: 'stdio',
    command: 'npx',
    args: ['-y', 'server', '--api-key', 'key-in-args', 'postgres://me:password-in-args@db/x'],
    env: {
      SHOP_TOKEN: 'token-in-env',
      SHOP_KEY: 'key-in-env',
      GITHUB_PAT: 'pat-in-env',
      DATABASE_URL: 'redis://:password-in-env@h',
      LANG: 'C',
    },
  } as const;
  const http = {
    kind: 'http',
    url: 'https://example.com/mcp?api_key=key-in-query&key=key%2Bquery&page=1234567890',
    headers: {
      authorization: 'Bearer key-in-header',
      'ocp-apim-subscription-key': 'subscription',
      'x-vault-token': 'vault',
    },
  } as const;
  const servers = [serverConfig('a', { via: stdio }), serverConfig('b', { via: http })];
  const secrets = configSecrets({ upstreams: [], mcp: { ...MCP_DEFAULTS.settings, servers } });
  expect(secrets.sort()).toEqual([
    'Bearer key-in-header',
    'key%2Bquery',
    'key+query',
    'key-in-args',
    'key-in-env',
    'key-in-header',
    'key-in-query',
    'password-in-args',
    'password-in-env',
    'pat-in-env',
    'subscription',
    'token-in-env',
    'vault',
  ]);
});

test.each([
  [['--api-key=key-of-the-shop'], ['key-of-the-shop']],
  [['--api-key', 'key-of-the-shop', '--verbose'], ['key-of-the-shop']],
  [['-token', 'key-of-the-shop'], ['key-of-the-shop']],
  [['run', '-e', 'SHOP_API_KEY=key-of-the-shop', 'image'], ['key-of-the-shop']],
  [
    ['--header', 'Authorization: Bearer key-of-the-shop'],
    ['Bearer key-of-the-shop', 'key-of-the-shop'],
  ],
  [
    ['--header', 'Authorization:Bearer key-of-the-shop'],
    ['Bearer key-of-the-shop', 'key-of-the-shop'],
  ],
  [
    ['--password', 'two words'],
    ['two words', 'words'],
  ],
])('finds the secret in the arguments %j', (args, secrets) => {
  expect([...new Set(processSecrets({ args, env: {} }))]).toEqual(secrets);
});

test.each([
  [['-y', '@scope/server', '/home/me/notes']],
  [['--max-tokens', '4096', '--key', 'name']],
  [['--model=gpt', 'https://example.com/a?b=c']],
  [[]],
])('finds no secret in the arguments %j', (args) => {
  expect(processSecrets({ args, env: {} }).join('')).toBe('');
});
