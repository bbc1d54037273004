import type { JsonObject } from '@holdfast/core';
import { systemClock } from '@holdfast/core/guard';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import type { Transport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, test } from 'vitest';
import { memoryLogger } from '../../log/memory-logger.case.ts';
import { objectOf } from '../../proxy/json/json-fields.ts';
import { ToolCaller } from '../call/tool-caller.ts';
import type { Exchange } from '../exchange.ts';
import { MCP_DEFAULTS } from '../mcp-defaults.ts';
import { NO_PLUGINS } from '../../plugins/no-plugins.ts';
import { serverConfig } from '../server-config.case.ts';
import { McpHub } from './mcp-hub.ts';

const SCHEMA = { type: 'object' };

const EXCHANGE: Exchange = {
  client: {
    key: 'client',
    era: 'legacy',
    capabilities: {},
    info: undefined,
    logLevel: undefined,
  },
  signal: new AbortController().signal,
  ask: () => Promise.reject(new Error('nobody is asked here')),
  notify: () => undefined,
};

const hubs: McpHub[] = [];
afterEach(async () => {
  await Promise.all(hubs.splice(0).map((hub) => hub.close()));
});

/** A hub whose servers list what is given, and answer every call with what is given. */
function hubOf(servers: Readonly<Record<string, { tools: unknown; result?: JsonObject }>>): McpHub {
  const log = memoryLogger();
  const config = {
    ...MCP_DEFAULTS.settings,
    servers: Object.keys(servers).map((name) => serverConfig(name)),
  };
  const hub = new McpHub({
    config,
    identity: { info: { name: 'test', version: '1' }, capabilities: {} },
    prefer: 'legacy',
    caller: new ToolCaller({ config, plugins: NO_PLUGINS, clock: systemClock, log }),
    createTransport: ({ name }) => {
      const { tools, result = { content: [] } } = servers[name] ?? { tools: [] };
      return answering({
        initialize: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name, version: '1' },
        },
        'tools/list': { tools },
        'tools/call': result,
      });
    },
    clock: systemClock,
    nextId: () => 'call',
    log,
  });
  hubs.push(hub);
  return hub;
}

function answering(results: Readonly<Record<string, unknown>>): Transport {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  theirs.onmessage = (message) => {
    if (!('method' in message && 'id' in message)) return;
    const result = objectOf(results[message.method]);
    void theirs.send({ jsonrpc: '2.0', id: message.id, result });
  };
  void theirs.start();
  return ours;
}

function nested(levels: number): unknown {
  return JSON.parse('['.repeat(levels) + ']'.repeat(levels));
}

async function namesIn(hub: McpHub): Promise<readonly unknown[]> {
  const { tools } = await hub.handle({ method: 'tools/list' }, EXCHANGE);
  return (tools as readonly JsonObject[]).map(({ name }) => name);
}

describe('a server whose list is hostile', () => {
  test('by its depth costs the others nothing', async () => {
    const deep = { name: 'deep', inputSchema: { ...SCHEMA, default: nested(20_000) } };
    const hub = hubOf({ bad: { tools: [deep] }, good: { tools: [{ name: 'echo' }] } });

    expect(await namesIn(hub)).toEqual(['good__echo']);
    const call = { method: 'tools/call', params: { name: 'good__echo' } };
    expect(await hub.handle(call, EXCHANGE)).toMatchObject({ content: [] });
  });

  test('by its length is cut, and holds nobody up', async () => {
    const tools = Array.from({ length: 200_000 }, (_, at) => ({ name: `t${at}` }));
    const hub = hubOf({ long: { tools } });
    await hub.ready();

    const startedAt = performance.now();
    expect(await namesIn(hub)).toHaveLength(10_000);
    // Looking for each name among all others took half a minute.
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });

  test('by its names shows what has one, each once', async () => {
    const names = ['', '__proto__', 'constructor', 'twice', 'twice', 7, null];
    const hub = hubOf({ odd: { tools: [...names.map((name) => ({ name })), null, 'text'] } });

    expect(await namesIn(hub)).toEqual(['__proto__', 'constructor', 'twice']);
    for (const name of ['__proto__', 'constructor']) {
      const call = { method: 'tools/call', params: { name } };
      expect(await hub.handle(call, EXCHANGE)).toMatchObject({ content: [] });
    }
  });

  test('or whose result is too deep to be written gets an error for it', async () => {
    const result = { content: [], structuredContent: { value: nested(20_000) } };
    const hub = hubOf({ bad: { tools: [{ name: 'deep' }], result: result as JsonObject } });

    const call = hub.handle({ method: 'tools/call', params: { name: 'deep' } }, EXCHANGE);

    await expect(call).rejects.toThrow('nested deeper than 1000 levels');
  });
});
