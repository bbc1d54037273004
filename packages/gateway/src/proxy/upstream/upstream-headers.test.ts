import { describe, expect, test } from 'vitest';
import { CONFIG_DEFAULTS } from '../../config/config-defaults.ts';
import type { UpstreamConfig } from '../../config/gateway-config.ts';
import { passedHeaders, turnHeaders } from './upstream-headers.ts';

const UPSTREAM: UpstreamConfig = {
  ...CONFIG_DEFAULTS.upstream,
  name: 'local',
  url: 'http://127.0.0.1:1/v1',
  headers: { 'x-own': '1' },
};
const KEYED = { ...UPSTREAM, apiKey: 'sk-up' };
const CLIENT = {
  authorization: 'Bearer sk-client',
  'anthropic-beta': 'a,b',
  'user-agent': 'agent/1',
  cookie: 'c=1',
  host: 'localhost',
  'x-stainless-os': 'Linux',
};

describe('the headers of a turn', () => {
  test('say how it is meant, and nothing of the connection', () => {
    const headers = turnHeaders({ headers: CLIENT, tokenHeaders: [] }, UPSTREAM, 'chat');
    expect(headers).toEqual({
      'content-type': 'application/json',
      'anthropic-beta': 'a,b',
      'user-agent': 'agent/1',
      authorization: 'Bearer sk-client',
      'x-own': '1',
    });
  });

  test('hold the key of the upstream, and then not that of the client', () => {
    const headers = turnHeaders({ headers: CLIENT, tokenHeaders: [] }, KEYED, 'messages');
    expect(headers).toMatchObject({
      authorization: 'Bearer sk-up',
      'x-api-key': 'sk-up',
      'anthropic-version': '2023-06-01',
    });
    expect(JSON.stringify(headers)).not.toContain('sk-client');
  });

  test('hold the key of the client only for the server that it is meant for', () => {
    const source = { headers: CLIENT, tokenHeaders: [], keyFor: UPSTREAM };
    const other = { ...UPSTREAM, url: 'http://127.0.0.1:2/v1' };
    expect(turnHeaders(source, other, 'messages')).not.toHaveProperty('authorization');
    expect(JSON.stringify(turnHeaders(source, other, 'messages'))).not.toContain('sk-client');
    const same = { ...UPSTREAM, url: 'http://127.0.0.1:1/other/v1' };
    expect(turnHeaders(source, same, 'chat')['authorization']).toBe('Bearer sk-client');
  });

  test('never hold the token of the gateway', () => {
    const source = { headers: CLIENT, tokenHeaders: ['authorization'] };
    expect(JSON.stringify(turnHeaders(source, UPSTREAM, 'chat'))).not.toContain('sk-client');
    expect(JSON.stringify(passedHeaders(source, UPSTREAM))).not.toContain('sk-client');
  });

  test('take the key of an Anthropic client along', () => {
    const headers = turnHeaders(
      { headers: { 'x-api-key': 'sk-a' }, tokenHeaders: [] },
      UPSTREAM,
      'chat',
    );
    expect(headers['authorization']).toBe('Bearer sk-a');
  });
});

test('a request that is passed on keeps its headers, but for those of one connection', () => {
  expect(passedHeaders({ headers: CLIENT, tokenHeaders: [] }, KEYED)).toEqual({
    authorization: 'Bearer sk-up',
    'anthropic-beta': 'a,b',
    'user-agent': 'agent/1',
    'x-stainless-os': 'Linux',
    'x-own': '1',
  });
});
