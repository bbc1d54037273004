import { describe, expect, it } from 'vitest';
import { MCP_OPTIONS } from '../packages/gateway/src/cli/read-mcp-flags.ts';
import { PROXY_OPTIONS } from '../packages/gateway/src/cli/read-proxy-flags.ts';
import { CONFIG_DEFAULTS } from '../packages/gateway/src/config/config-defaults.ts';
import { knownKeys } from '../packages/gateway/src/config/config-schema.ts';
import { formatConfigProblem } from '../packages/gateway/src/config/config-problem.ts';
import { loadConfig } from '../packages/gateway/src/config/load-config.ts';
import type { GatewayConfig } from '../packages/gateway/src/config/gateway-config.ts';
import { readMcpServers } from '../packages/gateway/src/mcp/config/read-mcp-servers.ts';
import { MCP_DEFAULTS } from '../packages/gateway/src/mcp/mcp-defaults.ts';
import { askedModel } from '../packages/gateway/src/proxy/upstream/asked-model.ts';
import { NORMALISE_DEFAULTS } from '../packages/gateway/src/proxy/normalise-rules.ts';
import { readPage } from './support/markdown.ts';
import { code, defaultsIn, literal, tableRows } from './support/markdown-tables.ts';
import { readText } from './support/repository.ts';

type Path = readonly (string | number)[];

/** Every key that holds no other keys, as the page spells it: `upstreams[].url`. */
function keysBelow(path: Path): string[] {
  // What a server may say has a page of its own.
  if (path.join('.') === 'mcp.servers') return ['mcp.servers'];
  const keys = knownKeys(path);
  if (keys.length > 0) return keys.flatMap((key) => keysBelow([...path, key]));
  if (knownKeys([...path, 0]).length > 0) return keysBelow([...path, 0]);
  return [path.join('.').replaceAll('.0.', '[].')];
}

describe('docs/configuration.md', () => {
  it('has a row for every section, and for no other', () => {
    const rows = tableRows(
      'docs/configuration.md',
      '| section | what it is about | explained in |',
    );
    expect(rows.map(([key]) => code(key!)).sort()).toEqual([...knownKeys([])].sort());
  });
});

describe('docs/limits.md', () => {
  it('states the limits of the gateway that are in force', () => {
    const { proxy, api } = CONFIG_DEFAULTS;
    expect(defaultsIn('docs/limits.md', '| key | default | what it bounds | beyond it |')).toEqual({
      'proxy.maxRequestBytes': proxy.maxRequestBytes,
      'proxy.maxResponseBytes': proxy.maxResponseBytes,
      'api.maxRequestBytes': api.maxRequestBytes,
      'mcp.maxMessageBytes': MCP_DEFAULTS.settings.maxMessageBytes,
    });
  });
});

describe('docs/mcp-configuration.md', () => {
  const page = 'docs/mcp-configuration.md';
  const rows = tableRows(page, '| key | default | what it does |');

  it('has a row for every key of a server, and for no other', () => {
    const server: Path = ['mcp', 'servers', 'any'];
    const keys = keysBelow(server).map((key) => key.slice('mcp.servers.any.'.length));
    expect(rows.map(([key]) => code(key!)).sort()).toEqual(keys.sort());
  });

  it('states the defaults that are in force', () => {
    const told = rows
      .filter(([, value]) => value !== '–')
      .map(([key, value]) => [code(key!), literal(value!.replaceAll('`', ''))] as const);
    const { allow, deny, idempotentTools, instances, circuit } = MCP_DEFAULTS.server;
    const ofCircuit = Object.entries<unknown>({ ...circuit }).map(([key, value]) => [
      `circuit.${key}`,
      value,
    ]);
    expect(Object.fromEntries(told)).toEqual({
      'tools.allow': allow,
      'tools.deny': deny,
      idempotentTools,
      instances,
      ...Object.fromEntries(ofCircuit),
    });
  });

  it('has a row for every option', () => {
    const told = tableRows(page, '| option | what it does |').map(
      ([option]) => /--[a-z-]+/.exec(option!)?.[0],
    );
    expect(told.sort()).toEqual(
      Object.keys(MCP_OPTIONS)
        .map((name) => `--${name}`)
        .sort(),
    );
  });

  it('shows files that can be read', () => {
    const shown = readPage(readText(page)).fences.filter(({ language }) => language === 'json');
    expect(shown).toHaveLength(2);
    for (const { body } of shown) {
      const read = readMcpServers(body.join('\n'), {
        file: '/home/ada/.mcp.json',
        env: { HOME: '/home/me', PAYMENTS_KEY: 'key-1' },
        settings: MCP_DEFAULTS.settings,
        readFile: () => '',
      });
      expect(read).toMatchObject({ ok: true, notes: [] });
    }
  });
});

describe('docs/proxy.md', () => {
  it('states the rules for requests, and which of them are in force', () => {
    expect(defaultsIn('docs/proxy.md', '| rule | default | what it changes |')).toEqual(
      NORMALISE_DEFAULTS,
    );
  });

  it('has a row for every option', () => {
    const told = tableRows('docs/proxy.md', '| option | variable | what it does |').map(
      ([option]) => /--[a-z-]+/.exec(option!)?.[0],
    );
    expect(told.sort()).toEqual(
      Object.keys(PROXY_OPTIONS)
        .map((name) => `--${name}`)
        .sort(),
    );
  });
});

/** The configurations that a page shows, as they are loaded. */
function configurationsIn(page: string): GatewayConfig[] {
  const shown = readPage(readText(page)).fences.filter(
    ({ language, body }) => language === 'yaml' && body.includes('upstreams:'),
  );
  return shown.map(({ body }) => {
    const env = { VLLM_KEY: 'key-1' };
    const loaded = loadConfig(body.join('\n'), { file: page, env });
    if (!loaded.ok) throw new Error(loaded.problems.map(formatConfigProblem).join('\n'));
    return loaded.config;
  });
}

describe('configurations in the docs', () => {
  it.each(['docs/configuration.md', 'docs/upstreams.md', 'docs/prompted-tools.md'])(
    'are valid: %s',
    (page) => {
      expect(configurationsIn(page)).not.toEqual([]);
    },
  );

  it('ask the upstreams that docs/upstreams.md says', () => {
    const [config] = configurationsIn('docs/upstreams.md');
    const asked = (model: string): [string, string | undefined][] =>
      config!.upstreams.map((upstream) => [upstream.name, askedModel(upstream, model)]);
    expect(asked('qwen3-coder-480b')).toEqual([
      ['workstation', 'qwen3-coder-480b'],
      ['laptop', 'qwen3-coder-30b'],
    ]);
    expect(asked('gemma3')).toEqual([
      ['workstation', undefined],
      ['laptop', 'gemma3'],
    ]);
  });
});
