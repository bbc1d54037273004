import { describe, expect, test } from 'vitest';
import type { ClientView } from '../exchange.ts';
import { upstreamParams } from './upstream-params.ts';

const CLIENT: ClientView = {
  key: 'secret key',
  era: 'legacy',
  capabilities: { roots: {} },
  info: { name: 'client', version: '1' },
  logLevel: 'info',
};
const ENVELOPE = {
  'io.modelcontextprotocol/clientCapabilities': { roots: {} },
  'io.modelcontextprotocol/clientInfo': { name: 'client', version: '1' },
  'io.modelcontextprotocol/logLevel': 'info',
};

describe('the params of a request', () => {
  test('pass to a legacy server as they are, but for the token of our own client', () => {
    const params = { name: 'x', _meta: { traceparent: '00' } };
    expect(upstreamParams(params, CLIENT, 'legacy').params).toEqual(params);
    const watched = { name: 'x', _meta: { progressToken: 1, traceparent: '00' } };
    expect(upstreamParams(watched, CLIENT, 'legacy').params).toEqual(params);
    expect(watched._meta.progressToken).toBe(1);
    const { params: sent, meta } = upstreamParams({ name: 'x' }, CLIENT, 'legacy');
    meta['progressToken'] = 7;
    expect(sent).toEqual({ name: 'x', _meta: { progressToken: 7 } });
  });

  test('tell a modern server who asks', () => {
    const params = { name: 'x', _meta: { progressToken: 1, traceparent: '00' } };
    expect(upstreamParams(params, CLIENT, 'modern').params).toEqual({
      name: 'x',
      _meta: { traceparent: '00', ...ENVELOPE },
    });
    const unknown = { ...CLIENT, info: undefined, logLevel: undefined };
    expect(upstreamParams({}, unknown, 'modern').params).toEqual({
      _meta: { 'io.modelcontextprotocol/clientCapabilities': { roots: {} } },
    });
  });

  test('do not let a client speak as another', () => {
    const forged = { _meta: { 'io.modelcontextprotocol/clientInfo': { name: 'other' } } };
    expect(upstreamParams(forged, CLIENT, 'modern').params).toEqual({ _meta: ENVELOPE });
  });
});
