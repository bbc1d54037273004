import { ADVISOR_DEFAULTS } from '@holdfast/core/advise';
import { describe, expect, test } from 'vitest';
import { MCP_DEFAULTS } from '../mcp/mcp-defaults.ts';
import { CONFIG_DEFAULTS } from './config-defaults.ts';
import { CONFIG_TEMPLATE } from './config-template.ts';
import { formatConfigProblem } from './config-problem.ts';
import { knownKeys } from './config-schema.ts';
import type { GatewayConfig } from './gateway-config.ts';
import { loadConfig } from './load-config.ts';

function load(text: string): GatewayConfig {
  const loaded = loadConfig(text, { file: '/etc/holdfast.yaml', env: {} });
  if (!loaded.ok) throw new Error(loaded.problems.map(formatConfigProblem).join('\n'));
  return loaded.config;
}

const uncommented = CONFIG_TEMPLATE.replace(/^( *)# /gm, '$1');

describe('the file that holdfast init writes', () => {
  test('loads, and changes no default', () => {
    const { upstream, ...rest } = CONFIG_DEFAULTS;
    expect(load(CONFIG_TEMPLATE)).toEqual({
      ...rest,
      upstreams: [{ ...upstream, name: 'lm-studio', url: 'http://127.0.0.1:1234/v1' }],
    });
  });

  test('is valid without its comment signs too, and tells the defaults that hold', () => {
    const { upstreams, traceDir, mcp, store, ...rest } = load(uncommented);
    const { upstream, ...defaults } = CONFIG_DEFAULTS;
    const observe = { ...defaults.observe, historyDir: '/etc/history' };
    const { veto: _, speakAt: __, ...thresholds } = ADVISOR_DEFAULTS;
    const text = 'Ask who holds the lock. Do not force it.';
    const advisor = { ...thresholds, advice: [{ tool: 'deploy', type: 'conflict', text }] };
    const proxy = { ...defaults.proxy, formats: ['qwen', 'llama3-json'], advisor };
    expect(rest).toEqual({ ...defaults, observe, proxy });
    expect(traceDir).toBe('/etc/traces');
    expect(store).toEqual({
      url: 'redis://127.0.0.1:6379',
      prefix: 'holdfast',
      replica: 'gateway-1',
      cluster: false,
    });
    const { timeoutMs, maxDurationMs, trustAnnotations, ...settings } = MCP_DEFAULTS.settings;
    expect(mcp).toMatchObject({ ...settings, advisor, pluginFile: '/etc/plugins.yaml' });
    const ofServers = { ...MCP_DEFAULTS.server, timeoutMs, maxDurationMs, trustAnnotations };
    expect(mcp?.servers).toMatchObject([
      { ...ofServers, name: 'memory' },
      { ...ofServers, name: 'remote' },
    ]);
    expect(upstreams).toEqual([
      {
        ...upstream,
        name: 'lm-studio',
        url: 'http://127.0.0.1:1234/v1',
        headers: { 'x-team': 'local' },
        modelMap: { 'claude-*': 'qwen3-coder' },
        toolFormat: 'qwen',
        startsInReasoning: { 'qwq*': true },
      },
      { ...upstream, name: 'vllm', url: 'http://10.0.0.7:8000/v1' },
    ]);
  });

  test.each([
    [[]],
    [['upstreams', 0]],
    [['upstreams', 0, 'circuit']],
    [['mcp']],
    [['proxy']],
    [['proxy', 'normalise']],
    [['proxy', 'retry']],
    [['store']],
    [['observe']],
    [['log']],
  ])('has every key of %j', (path: (string | number)[]) => {
    const keys = knownKeys(path);
    expect(keys).not.toEqual([]);
    for (const key of keys) expect(uncommented).toMatch(new RegExp(`\\b${key}:`));
  });
});
