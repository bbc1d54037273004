import { systemClock } from '@holdfast/core/guard';
import { describe, expect, onTestFinished, test } from 'vitest';
import { memoryLogger } from '../log/memory-logger.case.ts';
import type { MemoryLogger } from '../log/memory-logger.case.ts';
import { LiveMcp } from './live-mcp.ts';
import type { McpConfig } from './mcp-config.ts';
import { MCP_DEFAULTS } from './mcp-defaults.ts';
import { serverConfig } from './server-config.case.ts';

/** A server that nobody listens for. */
function configOf(name: string, more: Partial<McpConfig> = {}): McpConfig {
  const via = { kind: 'http', url: 'http://127.0.0.1:9/mcp', headers: {} } as const;
  return { ...MCP_DEFAULTS.settings, servers: [serverConfig(name, { via })], ...more };
}

async function open(config: McpConfig | undefined): Promise<{
  readonly mcp: LiveMcp;
  readonly log: MemoryLogger;
}> {
  const log = memoryLogger();
  const options = {
    env: {},
    limit: { maxBytes: 1000, key: 'proxy.maxRequestBytes' },
    clock: systemClock,
    log,
  };
  const mcp = await LiveMcp.open(config, options);
  onTestFinished(() => mcp.close());
  return { mcp, log };
}

const names = (mcp: LiveMcp): unknown => Object.keys(mcp.status()['servers'] ?? {});

describe('the MCP servers of a gateway', () => {
  test('may be none, and come later', async () => {
    const { mcp } = await open(undefined);
    expect(names(mcp)).toEqual([]);
    await expect(mcp.routes[0]?.handle({} as never)).rejects.toThrow('no MCP servers');
    await mcp.replace(configOf('one'));
    expect(names(mcp)).toEqual(['one']);
  });

  test('are those of the newest configuration, however fast they change', async () => {
    const { mcp } = await open(configOf('one'));
    await Promise.all(['two', 'three', 'four'].map((name) => mcp.replace(configOf(name))));
    expect(names(mcp)).toEqual(['four']);
  });

  test('stay as they were where the plugins of the new configuration are wrong', async () => {
    const { mcp, log } = await open(configOf('one'));
    await mcp.replace(configOf('two', { pluginFile: '/nowhere/plugins.yaml' }));
    expect(names(mcp)).toEqual(['one']);
    const [told] = log.entries.filter(({ level }) => level === 'error');
    expect(told?.message).toBe('the MCP servers stay as they were');
  });

  test('do not start any more once the gateway closes', async () => {
    const { mcp } = await open(configOf('one'));
    const closing = mcp.close();
    await mcp.replace(configOf('two'));
    await closing;
    expect(names(mcp)).toEqual(['one']);
  });
});
