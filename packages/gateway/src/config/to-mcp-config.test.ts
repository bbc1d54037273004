import { describe, expect, test } from 'vitest';
import { MCP_DEFAULTS } from '../mcp/mcp-defaults.ts';
import { formatConfigProblem } from './config-problem.ts';
import { loadConfig } from './load-config.ts';
import type { LoadedConfig } from './load-config.ts';

function load(text: string, files: Readonly<Record<string, string>> = {}): LoadedConfig {
  return loadConfig(text, {
    file: '/etc/holdfast.yaml',
    env: { PATH: '/bin', KEY: 'k-1' },
    readFile: (path) => {
      const read = files[path];
      if (read === undefined) throw new Error('no such file');
      return read;
    },
  });
}

function problems(text: string, files: Readonly<Record<string, string>> = {}): string[] {
  const loaded = load(text, files);
  return loaded.ok ? [] : loaded.problems.map(formatConfigProblem);
}

describe('the mcp section of holdfast.yaml', () => {
  test('needs no upstreams', () => {
    const loaded = load('mcp: { servers: { a: { command: x } } }');
    const { timeoutMs, maxDurationMs, trustAnnotations, ...settings } = MCP_DEFAULTS.settings;
    expect(loaded).toMatchObject({ ok: true, notes: [], config: { upstreams: [] } });
    expect(loaded.ok && loaded.config.mcp).toEqual({
      ...settings,
      servers: [
        {
          ...MCP_DEFAULTS.server,
          name: 'a',
          via: { kind: 'stdio', command: 'x', args: [], env: { PATH: '/bin' } },
          timeoutMs,
          maxDurationMs,
          trustAnnotations,
        },
      ],
    });
  });

  test('says what holds for all servers, and a server what holds for itself', () => {
    const loaded = load(`mcp:
  timeoutMs: 5000
  maxDurationMs: 7000
  trustAnnotations: false
  prefix: never
  plugins: sub/plugins.yaml
  servers:
    a: { url: http://x/mcp, headers: { Authorization: 'Bearer \${KEY}' } }
    b: { url: http://x/mcp, timeout: 9000, trustAnnotations: true }
    c: { command: x, disabled: true }
`);
    expect(loaded.ok && loaded.config.mcp).toMatchObject({
      prefix: 'never',
      pluginFile: '/etc/sub/plugins.yaml',
      servers: [
        {
          name: 'a',
          via: { headers: { Authorization: 'Bearer k-1' } },
          timeoutMs: 5000,
          maxDurationMs: 7000,
          trustAnnotations: false,
        },
        { name: 'b', timeoutMs: 9000, maxDurationMs: 9000, trustAnnotations: true },
      ],
    });
  });

  test('has the servers of files too, and its own win', () => {
    const loaded = load('mcp: { files: [.mcp.json], servers: { b: { command: own } } }', {
      '/etc/.mcp.json': '{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}}}',
    });
    expect(loaded).toMatchObject({
      ok: true,
      notes: ['b is in .mcp.json and in /etc/holdfast.yaml; that of /etc/holdfast.yaml is used'],
      config: { mcp: { servers: [{ name: 'a' }, { name: 'b', via: { command: 'own' } }] } },
    });
  });

  test.each([
    [
      'mcp: {}',
      ['/etc/holdfast.yaml:1:6: mcp: expected servers, or files that name them; got neither'],
    ],
    [
      'mcp: { server: {} }',
      ['/etc/holdfast.yaml:1:8: mcp.server: unknown key; did you mean servers?'],
    ],
    [
      'mcp: { servers: { a: {}, "b c": { command: x }, b.c: { command: x } } }',
      [
        '/etc/holdfast.yaml:1:22: mcp.servers.a: expected command or url',
        '/etc/holdfast.yaml:1:49: mcp.servers["b.c"]: expected a name of its own, got "b.c", which becomes b_c as "b c" does',
      ],
    ],
    [
      'mcp: { servers: { a: { command: x, circuit: { openFor: 1 } } } }',
      [
        '/etc/holdfast.yaml:1:47: mcp.servers.a.circuit.openFor: unknown key; did you mean openForMs?',
      ],
    ],
    [
      'mcp: { servers: { a: { command: x, toolTimeout: { build: 5 }, alwaysAllow: [b] } } }',
      [
        '/etc/holdfast.yaml:1:36: mcp.servers.a.toolTimeout: unknown key; did you mean toolTimeouts?',
      ],
    ],
    [
      'mcp: { servers: { a: { command: x, circuit: { counts: { not_found: true } } } } }',
      [
        '/etc/holdfast.yaml:1:57: mcp.servers.a.circuit.counts.not_found: unknown key; did you mean not-found?',
      ],
    ],
    [
      'mcp: { files: [no.json] }',
      ['/etc/no.json:1:1: expected a file that can be read: no such file'],
    ],
    [
      'mcp: { separator: "::", files: [x] }',
      [
        '/etc/holdfast.yaml:1:19: mcp.separator: expected one to eight letters, digits, _ or -, got "::"',
      ],
    ],
  ])('%s is refused', (text, expected) => {
    expect(problems(text)).toEqual(expected);
  });
});
