import { describe, expect, test } from 'vitest';
import { formatConfigProblem } from '../../config/config-problem.ts';
import { MCP_DEFAULTS } from '../mcp-defaults.ts';
import type { McpServerConfig } from '../mcp-config.ts';
import { readMcpServers } from './read-mcp-servers.ts';
import type { McpFile, ReadMcpServers } from './read-mcp-servers.ts';

const { timeoutMs, maxDurationMs, trustAnnotations } = MCP_DEFAULTS.settings;

function read(json: unknown, given: Partial<McpFile> = {}): ReadMcpServers {
  const text = typeof json === 'string' ? json : JSON.stringify(json, undefined, 2);
  return readMcpServers(text, {
    file: '/home/ada/.mcp.json',
    env: { PATH: '/bin' },
    settings: { timeoutMs, maxDurationMs, trustAnnotations },
    readFile: (path) => {
      throw new Error(`no such file: ${path}`);
    },
    platform: 'linux',
    ...given,
  });
}

function servers(json: unknown, given: Partial<McpFile> = {}): readonly McpServerConfig[] {
  const done = read(json, given);
  if (!done.ok) throw new Error(done.problems.map(formatConfigProblem).join('\n'));
  return done.servers;
}

function first(entry: unknown, given: Partial<McpFile> = {}): McpServerConfig | undefined {
  return servers({ mcpServers: { a: entry } }, given)[0];
}

function problems(json: unknown, given: Partial<McpFile> = {}): string[] {
  const done = read(json, given);
  return done.ok ? [] : done.problems.map(formatConfigProblem);
}

function notes(entry: unknown): readonly string[] {
  const done = read({ mcpServers: { a: entry } });
  return done.ok ? done.notes : ['not ok'];
}

describe('files of MCP servers', () => {
  test('as Claude Desktop has them, whatever else is in there', () => {
    const file = {
      globalShortcut: 'Ctrl+Space',
      mcpServers: {
        filesystem: { command: 'npx', args: ['-y', 'server-filesystem', '/tmp'], env: { A: 'b' } },
      },
    };
    expect(servers(file)).toEqual([
      {
        ...MCP_DEFAULTS.server,
        name: 'filesystem',
        via: {
          kind: 'stdio',
          command: 'npx',
          args: ['-y', 'server-filesystem', '/tmp'],
          env: { PATH: '/bin', A: 'b' },
        },
        timeoutMs,
        maxDurationMs,
        trustAnnotations,
      },
    ]);
  });

  test('as Claude Code has them, with variables', () => {
    const file = {
      mcpServers: {
        api: {
          type: 'http',
          url: '${BASE:-https://api.example.com}/mcp',
          headers: { Authorization: 'Bearer ${KEY}' },
        },
        old: { type: 'sse', url: 'http://127.0.0.1:1/sse' },
      },
    };
    expect(servers(file, { env: { KEY: 'k-1' } }).map(({ via }) => via)).toEqual([
      {
        kind: 'http',
        url: 'https://api.example.com/mcp',
        headers: { Authorization: 'Bearer k-1' },
      },
      { kind: 'sse', url: 'http://127.0.0.1:1/sse', headers: {} },
    ]);
  });

  test('as VS Code has them, with comments, inputs, an envFile and the folder', () => {
    const text = `{
  // asked once
  "inputs": [{ "type": "promptString", "id": "key", "description": "Key", "password": true }],
  "servers": {
    "tool": {
      "type": "stdio",
      "command": "\${workspaceFolder}/bin/tool",
      "args": ["--key", "\${input:key}",],
      "envFile": "\${workspaceFolder}/.env",
      "env": { "B": "own", "PATH": null, "HOME2": "\${env:HOME}" },
      "cwd": "sub",
      "dev": { "watch": "x" },
    },
  },
}`;
    const [server] = servers(text, {
      file: '/home/ada/.vscode/mcp.json',
      env: { INPUT_KEY: 'k-9', HOME: '/home/a', PATH: '/bin' },
      readFile: (path) => (path === '/home/ada/.env' ? '# c\nA=1\nB="2"\n' : ''),
    });
    expect(server?.via).toEqual({
      kind: 'stdio',
      command: '/home/ada/bin/tool',
      args: ['--key', 'k-9'],
      env: { HOME: '/home/a', A: '1', B: 'own', HOME2: '/home/a' },
      cwd: '/home/ada/sub',
    });
  });

  test('as Cline and Roo have them', () => {
    const entry = {
      transportType: 'streamableHttp',
      url: 'http://x/mcp',
      autoApprove: ['a'],
      alwaysAllow: ['b'],
      disabledTools: ['rm'],
      timeout: 90,
    };
    expect(first(entry)).toMatchObject({
      via: { kind: 'http' },
      allow: ['*'],
      deny: ['rm'],
      timeoutMs: 90_000,
    });
    expect(notes(entry)).toEqual([
      '/home/ada/.mcp.json: a: timeout: 90 is read as seconds; from 1000 up it would be milliseconds',
    ]);
  });

  test.each([
    [{ command: 'x' }, 'stdio'],
    [{ url: 'http://x' }, 'http'],
    [{ url: 'http://x', command: 'y', type: 'stdio' }, 'stdio'],
    [{ url: 'http://x', command: 'y', type: 'sse' }, 'sse'],
    [{ url: 'http://x', type: 'streamable-http' }, 'http'],
    [{ url: 'http://x', type: 'streamableHttp' }, 'http'],
  ])('%j is reached over %s', (entry, kind) => {
    expect(first(entry)?.via.kind).toBe(kind);
  });

  test('say more for Holdfast than for clients', () => {
    const entry = {
      command: 'x',
      timeout: 30_000,
      toolTimeouts: { build: 900_000, ask: 5 },
      tools: { allow: ['read_*'], deny: ['read_secret'] },
      allowedTools: ['list'],
      trustAnnotations: false,
      idempotentTools: ['put'],
      instances: 'per-client',
      circuit: { consecutiveFailures: 2 },
    };
    expect(first(entry)).toMatchObject({
      timeoutMs: 30_000,
      toolTimeoutsMs: { build: 900_000, ask: 5000 },
      // As long as the longest tool may be silent.
      maxDurationMs: 900_000,
      allow: ['read_*', 'list'],
      deny: ['read_secret'],
      trustAnnotations: false,
      idempotentTools: ['put'],
      instances: 'per-client',
      circuit: { ...MCP_DEFAULTS.server.circuit, consecutiveFailures: 2 },
    });
    expect(first({ command: 'x', maxDuration: 20 })?.maxDurationMs).toBe(20_000);
  });

  test('leave out what is disabled, without looking at it', () => {
    const file = { mcpServers: { a: { disabled: true, command: 7 }, b: { url: 'http://x' } } };
    expect(servers(file).map(({ name }) => name)).toEqual(['b']);
    expect(first({ enabled: false })).toBeUndefined();
  });

  test('keys that nobody here knows are told, and nothing more', () => {
    expect(notes({ command: 'x', sandbox: { on: 1 }, description: 'mine' })).toEqual([
      '/home/ada/.mcp.json: a: sandbox is not used here',
    ]);
    expect(notes({ command: 'x', idempotentTool: ['put'] })).toEqual([
      '/home/ada/.mcp.json: a: idempotentTool is not used here; did you mean idempotentTools?',
    ]);
  });

  test('names are made safe to stand in front of those of tools', () => {
    const file = { mcpServers: { 'My Server/2': { command: 'x' }, ok_1: { command: 'y' } } };
    expect(servers(file).map(({ name }) => name)).toEqual(['My_Server_2', 'ok_1']);
  });

  test('what is wrong is told with its place, all at once', () => {
    const text = `{
  "mcpServers": {
    "a": { "command": 7, "args": "x" },
    "b": { "type": "htp", "url": "localhost:1" },
    "c": {},
    "d": { "command": "x", "url": "http://x" },
    "e": { "type": "http", "command": "x" },
    "f": { "command": "x", "timeout": 0, "circuit": { "openFor": 1 } },
    "my tool": { "command": "x" },
    "my.tool": { "command": "x" },
    "": { "command": "x" },
    "g": "npx",
    "h": { "command": "x", "env": { "KEY": 5 }, "envFile": "no.env" }
  }
}`;
    expect(problems(text)).toEqual([
      '/home/ada/.mcp.json:3:23: mcpServers.a.command: expected text, got 7',
      '/home/ada/.mcp.json:3:34: mcpServers.a.args: expected a list of texts, got other text',
      '/home/ada/.mcp.json:4:20: mcpServers.b.type: expected stdio, http, sse, streamable-http, streamableHttp or streamable_http, got "htp"; did you mean http?',
      '/home/ada/.mcp.json:4:34: mcpServers.b.url: expected an http or https URL such as https://example.com/mcp, got "localhost:1"',
      '/home/ada/.mcp.json:5:10: mcpServers.c: expected command or url',
      '/home/ada/.mcp.json:6:10: mcpServers.d: expected command or url, got both; type says which of them counts',
      '/home/ada/.mcp.json:7:10: mcpServers.e: expected url, as type is http; got nothing',
      '/home/ada/.mcp.json:8:39: mcpServers.f.timeout: expected a time above 0: milliseconds from 1000 up, seconds below, got 0',
      '/home/ada/.mcp.json:8:55: mcpServers.f.circuit.openFor: unknown key; did you mean openForMs?',
      '/home/ada/.mcp.json:10:5: mcpServers["my.tool"]: expected a name of its own, got "my.tool", which becomes my_tool as "my tool" does',
      '/home/ada/.mcp.json:11:5: mcpServers[""]: expected a name for the server, got empty text',
      '/home/ada/.mcp.json:12:10: mcpServers.g: expected a section with command, or with url, got "npx"',
      '/home/ada/.mcp.json:13:44: mcpServers.h.env.KEY: expected text; put quotes around a number, got a number',
    ]);
  });

  test('an envFile that cannot be read is told', () => {
    expect(problems('{"mcpServers":{"h":{"command":"x","envFile":"no.env"}}}')).toEqual([
      '/home/ada/.mcp.json:1:45: mcpServers.h.envFile: expected a file that can be read, got /home/ada/no.env: no such file: /home/ada/no.env',
    ]);
  });

  test('what a variable holds is never told', () => {
    const file = { mcpServers: { a: { url: '${SECRET}', headers: { X: '${SECRET}' } } } };
    const told = problems(file, { env: { SECRET: 'line\nsk-12345' } }).join('\n');
    expect(told).toContain('got "${SECRET}"');
    expect(told).not.toContain('sk-12345');
  });

  test('an input that nobody answered is told', () => {
    const file = { servers: { a: { command: 'x', args: ['${input:pat}'] } } };
    expect(problems(file)).toEqual([
      expect.stringContaining('servers.a.args[0]: expected an answer to the input "pat"'),
    ]);
  });

  test.each([
    [
      '[]',
      '/home/ada/.mcp.json:1:1: expected "mcpServers" or "servers" with the servers by their names',
    ],
    ['{"mcpServers": []}', '/home/ada/.mcp.json:1:16: mcpServers: expected servers by their names'],
    [
      '{"mcpServers": {"a": 1, "a": 2}}',
      '/home/ada/.mcp.json:1:25: expected each key once, got "a" twice',
    ],
    [
      '{',
      '/home/ada/.mcp.json:1:2: not JSON: expected a key in double quotes, or }, got the end of the file',
    ],
  ])('%s is refused', (text, expected) => {
    expect(problems(text)).toEqual([expected]);
  });
});
