import { expect, test } from 'vitest';
import { CONFIG_DEFAULTS } from '../config/config-defaults.ts';
import type { UpstreamConfig } from '../config/gateway-config.ts';
import { configSecrets } from './config-secrets.ts';

const UPSTREAM: UpstreamConfig = {
  ...CONFIG_DEFAULTS.upstream,
  name: 'local',
  url: 'http://me:p%40ssword@127.0.0.1:1234/v1',
  apiKey: 'upstream-key',
  headers: { 'x-auth-token': 'Token header-key', accept: '*/*' },
};

test('the token, keys, secret headers and passwords in addresses are secrets', () => {
  expect(configSecrets({ token: 'the-token', upstreams: [UPSTREAM] })).toEqual([
    'the-token',
    'upstream-key',
    'Token header-key',
    'header-key',
    'p@ssword',
  ]);
});

test('a configuration without secrets, or with an address that is none, has no secrets', () => {
  const { apiKey: _, ...upstream } = UPSTREAM;

  expect(configSecrets({ upstreams: [{ ...upstream, url: 'nonsense', headers: {} }] })).toEqual([]);
});

test('a password with a % that means nothing is one as it was written', () => {
  const { apiKey: _, ...upstream } = UPSTREAM;
  const url = 'http://me:100%zz-sure@127.0.0.1:1234/v1';

  expect(configSecrets({ upstreams: [{ ...upstream, url, headers: {} }] })).toEqual([
    '100%zz-sure',
  ]);
});
