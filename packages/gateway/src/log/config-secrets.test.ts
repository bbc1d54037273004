import { expect, test } from 'vitest';
import { CONFIG_DEFAULTS } from '../config/config-defaults.ts';
import type { UpstreamConfig } from '../config/gateway-config.ts';
import { MCP_DEFAULTS } from '../mcp/mcp-defaults.ts';
import { serverConfig } from '../mcp/server-config.case.ts';
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
    'p%40ssword',
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

test('of MCP servers, what their arguments, variables, headers and addresses hold is secret', () => {
  const stdio = {
    kind: 'stdio',
    command: 'npx',
    args: ['-y', 'server', '--api-key', 'key-in-args', 'postgres://me:password-in-args@db/x'],
    env: { SHOP_TOKEN: 'token-in-env', DATABASE_URL: 'redis://:password-in-env@h', LANG: 'C' },
  } as const;
  const http = {
    kind: 'http',
    url: 'https://example.com/mcp?api_key=key-in-query&key=key%2Bquery&page=1234567890',
    headers: { authorization: 'Bearer key-in-header' },
  } as const;
  const servers = [serverConfig('a', { via: stdio }), serverConfig('b', { via: http })];
  const secrets = configSecrets({ upstreams: [], mcp: { ...MCP_DEFAULTS.settings, servers } });
  expect(secrets.sort()).toEqual([
    'Bearer key-in-header',
    'key%2Bquery',
    'key+query',
    'key-in-args',
    'key-in-header',
    'key-in-query',
    'password-in-args',
    'password-in-env',
    'token-in-env',
  ]);
});
