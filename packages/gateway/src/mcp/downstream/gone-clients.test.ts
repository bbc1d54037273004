import { describe, expect, test } from 'vitest';
import { LivelyServer } from '../lively-server.case.ts';
import { httpGateway } from './http-gateway.case.ts';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const initialize = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};
const modern = (method: string, name?: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
});

describe('a client that goes away while the servers start', () => {
  test.each([
    ['to begin a session', {}, { method: 'initialize', params: initialize }],
    [
      'to call a tool',
      modern('tools/call', 'wait'),
      { method: 'tools/call', params: { _meta: META, name: 'wait', arguments: {} } },
    ],
  ])('and asked %s is asked for nothing and holds nothing', async (_, headers, message) => {
    const made: LivelyServer[] = [];
    const make = (): LivelyServer['server'] => {
      const each = new LivelyServer('both');
      made.push(each);
      return each.server;
    };
    const { url, hub, close } = await httpGateway({ lively: { make, eras: 'both' } });
    let start = (): void => undefined;
    const started = new Promise<void>((resolve) => (start = resolve));
    let waiting = 0;
    hub.ready = () => {
      waiting++;
      return started;
    };
    const away = new AbortController();
    const asked = fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
      signal: away.signal,
    });
    await expect.poll(() => waiting).toBeGreaterThan(0);
    away.abort();
    await expect(asked).rejects.toThrow('aborted');
    // Whoever comes later is served, and by then it is known that the other has gone.
    await (await fetch(url, { method: 'DELETE' })).text();
    start();

    await close();
    expect(made.map(({ waits }) => waits)).toEqual(made.map(() => 0));
  });
});
