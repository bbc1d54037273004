import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectSdkV2 } from './support/connect-sdk-v2.ts';
import type { McpTestClient } from './support/mcp-test-client.ts';
import { root } from './support/repository.ts';
import { holdfast } from './support/start-mcp-gateway.ts';
import { startServing } from './support/start-serving.ts';
import type { Serving } from './support/start-serving.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-reload-'));
const file = join(folder, 'holdfast.yaml');
const everything = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const SLOW = 'trigger-long-running-operation';
const PATIENCE = { timeout: 8000, interval: 50 };

/** A configuration whose only server shows such tools. */
function write(allow: string, more = ''): void {
  const server = `{ command: "${process.execPath}", args: ["${everything}"], tools: { allow: [${allow}] } }`;
  writeFileSync(file, `listen: 127.0.0.1:0\nmcp:\n  servers:\n    all: ${server}\n${more}`);
}

describe('holdfast up, when mcp changes in its file', () => {
  let gateway: Serving;
  let modern: McpTestClient;
  let legacy: McpTestClient;

  beforeAll(async () => {
    write(`echo, ${SLOW}`);
    gateway = await startServing([holdfast, 'up', '--config', file], folder);
    const url = `${new URL(gateway.url).origin}/mcp`;
    [modern, legacy] = await Promise.all([
      connectSdkV2({ url }, 'modern'),
      connectSdkV2({ url }, 'legacy'),
    ]);
  });
  afterAll(async () => {
    await Promise.all([modern.close(), legacy.close()]);
    await gateway.close();
    rmSync(folder, { recursive: true });
  });

  const toolsOf = async (client: McpTestClient): Promise<readonly string[]> =>
    (await client.listTools()).map(({ name }) => name);

  test('exchanges servers under clients without a session, and lets calls end where they began', async () => {
    expect(await toolsOf(modern)).toEqual(['echo', SLOW]);
    const running = modern.callTool(SLOW, { duration: 3, steps: 10 });
    await vi.waitFor(() => expect(modern.heard.progress).not.toEqual([]), PATIENCE);
    write('get-sum');

    await vi.waitFor(async () => expect(await toolsOf(modern)).toEqual(['get-sum']), PATIENCE);
    expect((await running).content).toEqual([
      { type: 'text', text: 'Long running operation completed. Duration: 3 seconds, Steps: 10.' },
    ]);
  });

  test('asks clients with a session to begin anew', async () => {
    await expect(legacy.callTool('echo', { message: 'x' })).rejects.toThrow('Session not found');
  });

  test('keeps the servers where the new plugin file is wrong', async () => {
    write('echo', '  plugins: no-such.yaml\n');

    await vi.waitFor(
      () => expect(gateway.log()).toContain('the MCP servers stay as they were'),
      PATIENCE,
    );
    expect(await toolsOf(modern)).toEqual(['get-sum']);
  });
});
