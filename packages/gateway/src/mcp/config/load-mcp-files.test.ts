import { describe, expect, test } from 'vitest';
import { formatConfigProblem } from '../../config/config-problem.ts';
import { MCP_DEFAULTS } from '../mcp-defaults.ts';
import { loadMcpFiles } from './load-mcp-files.ts';
import type { ReadMcpServers } from './read-mcp-servers.ts';

const FILES: Readonly<Record<string, string>> = {
  '/p/a.json': '{"mcpServers": {"x": {"command": "one"}, "y": {"command": "two"}}}',
  '/p/b.json': '{"mcpServers": {"z": {"command": "three"}, "x": {"command": "four"}}}',
  '/p/bad.json': '{"mcpServers": {"x": {"command": 1}}}',
};

function load(...files: string[]): ReadMcpServers {
  return loadMcpFiles(files, {
    env: {},
    settings: MCP_DEFAULTS.settings,
    readFile: (path) => {
      const text = FILES[path];
      if (text === undefined) throw new Error('ENOENT: no such file');
      return text;
    },
  });
}

describe('several files of servers', () => {
  test('are one list, in which later files win', () => {
    const loaded = load('/p/a.json', '/p/b.json');
    if (!loaded.ok) throw new Error('expected it to load');
    expect(loaded.servers.map(({ name, via }) => [name, 'command' in via && via.command])).toEqual([
      ['x', 'four'],
      ['y', 'two'],
      ['z', 'three'],
    ]);
    expect(loaded.notes).toEqual(['x is in /p/a.json and in /p/b.json; that of /p/b.json is used']);
  });

  test('are all told of when something is wrong', () => {
    const loaded = load('/p/bad.json', '/p/a.json', '/p/none.json');
    expect(loaded.ok ? [] : loaded.problems.map(formatConfigProblem)).toEqual([
      '/p/bad.json:1:34: mcpServers.x.command: expected text, got 1',
      '/p/none.json:1:1: expected a file that can be read: ENOENT: no such file',
    ]);
  });
});
