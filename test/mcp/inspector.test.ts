import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runProgram } from '../agents/agent.ts';
import { fixtureCommand } from '../support/mcp-fixture/fixture-command.ts';
import { root } from '../support/repository.ts';
import { startMcpGateway, wrapServer } from '../support/start-mcp-gateway.ts';
import type { Serving } from '../support/start-serving.ts';
import { installMcpTools } from './install-mcp-tools.ts';

const { node, modules } = await installMcpTools();
const inspector = join(modules, '@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const fixture = { command: process.execPath, args: fixtureCommand({ over: 'stdio' }) };

/** Asks a server once, and gives what the inspector printed. */
const inspect = (server: readonly string[], ask: readonly string[]): Promise<string> =>
  runProgram(node, [inspector, '--cli', ...server, ...ask], { cwd: root, env: {} });

describe('the inspector', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-inspector-'));
  const file = join(folder, 'mcp.json');
  let gateway: Serving;

  beforeAll(async () => {
    // On its command line the inspector would take `--` for its own.
    const args = wrapServer([fixture.command, ...fixture.args]);
    const guarded = { type: 'stdio', command: process.execPath, args };
    writeFileSync(file, JSON.stringify({ mcpServers: { guarded } }));
    gateway = await startMcpGateway({ mcpServers: { fixture } });
  });

  afterAll(async () => {
    await gateway.close();
    rmSync(folder, { recursive: true });
  });

  const ways: readonly (readonly [name: string, server: () => readonly string[]])[] = [
    ['over HTTP', () => [gateway.url, '--transport', 'http']],
    ['over stdio', () => ['--config', file, '--server', 'guarded']],
  ];

  describe.for(ways)('%s', ([, server]) => {
    test('lists the tools of a server behind the gateway', async () => {
      const printed = await inspect(server(), ['--method', 'tools/list']);

      expect(printed).toContain('"test_simple_text"');
    });

    test('calls one of them', async () => {
      const ask = ['--method', 'tools/call', '--tool-name', 'test_simple_text'];

      expect(await inspect(server(), ask)).toContain('This is a simple text response for testing.');
    });
  });
});
