import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixtureCommand } from '../support/mcp-fixture/fixture-command.ts';
import { messagesBodyOf, messagesEvents, messagesStreamOf } from '../support/messages-stream-of.ts';
import { scriptedModel } from '../support/scripted-model.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';
import { startMcpGateway, wrapServer } from '../support/start-mcp-gateway.ts';
import type { Serving } from '../support/start-serving.ts';
import { installAgents } from './install-agents.ts';

const { claude } = await installAgents();

const TOOL = 'mcp__guarded__test_simple_text';
const SAID = 'This is a simple text response for testing.';
const fixture = { command: process.execPath, args: fixtureCommand({ over: 'stdio' }) };

describe('Claude Code with a server behind the MCP gateway', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-agents-mcp-'));
  let model: ScriptedUpstream;
  let gateway: Serving;

  beforeAll(async () => {
    const blocks = [{ type: 'tool_use', id: 'toolu_1', name: TOOL, input: {} }] as const;
    const stopReason = 'tool_use';
    model = await startScriptedUpstream(
      scriptedModel(() => ({
        stream: messagesStreamOf(messagesEvents(blocks, { stopReason })),
        body: messagesBodyOf(blocks, stopReason),
      })),
    );
    gateway = await startMcpGateway({ mcpServers: { fixture } });
  });

  afterAll(async () => {
    await Promise.all([model.close(), gateway.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Has the agent use the tool, and gives the last request that the model got. */
  async function lastRequest(name: string, guarded: object): Promise<string> {
    const own = join(folder, name);
    const home = join(folder, 'home');
    for (const each of [own, home]) mkdirSync(each, { recursive: true });
    const file = join(own, 'mcp.json');
    writeFileSync(file, JSON.stringify({ mcpServers: { guarded } }));
    const from = model.requests.length;
    const printed = await claude.run({
      url: model.origin,
      model: 'scripted',
      prompt: 'Use the tool.',
      folder: own,
      home,
      mcp: { file, allowed: [TOOL] },
    });
    const requests = model.requests.slice(from);
    expect(requests.length, printed).toBeGreaterThan(1);
    return requests.at(-1)!.body;
  }

  test('calls its tools over stdio', async () => {
    const args = wrapServer([fixture.command, ...fixture.args]);
    const asked = await lastRequest('stdio', { command: process.execPath, args });

    expect(asked).toContain(SAID);
  });

  test('calls its tools over HTTP', async () => {
    const asked = await lastRequest('http', { type: 'http', url: gateway.url });

    expect(asked).toContain(SAID);
  });
});
