import { describe, expect, test } from 'vitest';
import { readArguments } from './read-arguments.ts';
import { MCP_OPTIONS, readMcpFlags } from './read-mcp-flags.ts';
import type { McpFlags } from './read-mcp-flags.ts';

function read(line: string, env: Readonly<Record<string, string>> = {}): McpFlags {
  return readMcpFlags(readArguments(line === '' ? [] : line.split(' '), MCP_OPTIONS), env);
}

describe('the options of holdfast mcp', () => {
  test('none at all looks for a file, and changes nothing', () => {
    expect(read('')).toEqual({
      files: [],
      deny: [],
      check: true,
      advice: true,
      logLevel: 'info',
    });
  });

  test('all of them', () => {
    const line =
      '--config a.json --config b.json --listen 127.0.0.1:9000 --token t-1 --prefix always ' +
      '--plugins p.yaml --pins pins.json --timeout 2.5 --allow read_* --allow list --deny rm --no-check --no-advice --log debug';
    expect(read(line)).toEqual({
      files: ['a.json', 'b.json'],
      listen: { host: '127.0.0.1', port: 9000 },
      token: 't-1',
      prefix: 'always',
      pluginFile: 'p.yaml',
      pinFile: 'pins.json',
      timeoutMs: 2500,
      allow: ['read_*', 'list'],
      deny: ['rm'],
      check: false,
      advice: false,
      logLevel: 'debug',
    });
  });

  test('what stands behind -- is the command of a server, with its own options', () => {
    expect(read('--deny rm -- npx -y server --config x').command).toEqual([
      'npx',
      '-y',
      'server',
      '--config',
      'x',
    ]);
  });

  test('the token may come from the environment, where others cannot see it', () => {
    expect(read('--listen 0.0.0.0:1', { HOLDFAST_TOKEN: 't-2' }).token).toBe('t-2');
  });

  test.each([
    ['server.js', 'expected options only, got server.js; the command of a server goes behind --'],
    ['--', '--: expected the command of a server behind it, got nothing'],
    ['--config a.json -- npx x', 'expected --config or a command behind --, got both'],
    ['--listen 9000', '--listen: expected an address such as 127.0.0.1:8787'],
    ['--listen 0.0.0.0:9000', '--listen: expected --token too, as other machines reach 0.0.0.0'],
    ['--host-name a.example', '--host-name: expected with --listen only'],
    ['--prefix some', '--prefix: expected auto, always or never, got "some"'],
    ['--timeout 0', '--timeout: expected seconds above 0, got "0"'],
    ['--timeout 5s', '--timeout: expected seconds above 0, got "5s"'],
    ['--token t\u00e9', '--token: expected plain characters'],
  ])('%s is refused', (line, message) => {
    expect(() => read(line)).toThrow(message);
  });
});
