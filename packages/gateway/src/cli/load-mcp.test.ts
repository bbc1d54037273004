import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { formatConfigProblem } from '../config/config-problem.ts';
import { MCP_DEFAULTS } from '../mcp/mcp-defaults.ts';
import { loadMcp } from './load-mcp.ts';
import type { LoadedMcp } from './load-mcp.ts';
import { readArguments } from './read-arguments.ts';
import { MCP_OPTIONS, readMcpFlags } from './read-mcp-flags.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-mcp-'));
mkdirSync(join(folder, 'sub'));
writeFileSync(
  join(folder, '.mcp.json'),
  '{"mcpServers": {"a": {"command": "x", "tools": {"allow": ["one"], "deny": ["two"]}}, "b": {"url": "http://x/"}}}',
);
writeFileSync(join(folder, 'bad.json'), '{"mcpServers": {"a": 1}}');
afterAll(() => rmSync(folder, { recursive: true }));

const ENV = { PATH: '/bin', KEY: 'k-1', HOLDFAST_TOKEN: 't-1' };

async function load(args: readonly string[], from: string = folder): Promise<LoadedMcp> {
  const flags = readMcpFlags(readArguments(args, MCP_OPTIONS), ENV);
  return loadMcp(flags, ENV, from);
}

describe('what holdfast mcp runs', () => {
  test('the servers of the folder, where nothing else is said', async () => {
    const loaded = await load([]);
    expect(loaded).toMatchObject({
      ok: true,
      config: {
        upstreams: [],
        mcp: { prefix: 'auto', servers: [{ name: 'a', allow: ['one'] }, { name: 'b' }] },
      },
    });
  });

  test('one server in place of itself, with the variables that were meant for it', async () => {
    const loaded = await load(['--', 'npx', '-y', '@modelcontextprotocol/server-everything']);
    const { timeoutMs, maxDurationMs, trustAnnotations } = MCP_DEFAULTS.settings;
    expect(loaded).toMatchObject({ ok: true, config: { mcp: { prefix: 'never' } } });
    expect(loaded.ok && loaded.config.mcp.servers).toEqual([
      {
        ...MCP_DEFAULTS.server,
        timeoutMs,
        maxDurationMs,
        trustAnnotations,
        name: 'everything',
        via: {
          kind: 'stdio',
          command: 'npx',
          args: ['-y', '@modelcontextprotocol/server-everything'],
          env: { PATH: '/bin', KEY: 'k-1' },
        },
      },
    ]);
  });

  test('what options say holds for every server', async () => {
    const options = ['--timeout', '900', '--allow', 'x*', '--deny', 'xy', '--plugins', 'p.yaml'];
    const loaded = await load(options);
    expect(loaded).toMatchObject({
      config: {
        mcp: {
          pluginFile: join(folder, 'p.yaml'),
          servers: [
            { timeoutMs: 900_000, maxDurationMs: 900_000, allow: ['x*'], deny: ['two', 'xy'] },
            { timeoutMs: 900_000, allow: ['x*'], deny: ['xy'] },
          ],
        },
      },
    });
  });

  test('a file with mistakes is told, and runs nothing', async () => {
    const loaded = await load(['--config', 'bad.json']);
    expect(loaded.ok ? [] : loaded.problems.map(formatConfigProblem)).toEqual([
      `${join(folder, 'bad.json')}:1:22: mcpServers.a: expected a section with command, or with url, got 1`,
    ]);
  });

  test('a folder without a file is told with what would help', async () => {
    const empty = join(folder, 'sub');
    await expect(load([], empty)).rejects.toThrow(
      `expected --config, a command behind --, or .mcp.json or .vscode/mcp.json in ${empty}; got none of them`,
    );
  });
});
