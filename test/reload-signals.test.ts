import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { FaultyServers } from './support/faulty-servers.ts';
import { holdfast } from './support/start-mcp-gateway.ts';
import { startServing } from './support/start-serving.ts';
import type { Serving } from './support/start-serving.ts';

const PATIENCE = { timeout: 8000, interval: 50 };
const folder = mkdtempSync(join(tmpdir(), 'holdfast-signals-'));
const servers = new FaultyServers();
const file = join(folder, '.mcp.json');
let gateway: Serving;

afterEach(() => gateway.close());
afterAll(() => {
  servers.remove();
  rmSync(folder, { recursive: true });
});

const write = (...names: readonly string[]): void =>
  writeFileSync(
    file,
    JSON.stringify({
      mcpServers: Object.fromEntries(names.map((name) => [name, servers.entry(name)])),
    }),
  );

/** The servers that the gateway names in its status. */
async function serverNames(): Promise<readonly string[]> {
  const { origin } = new URL(gateway.url);
  const status = (await (await fetch(`${origin}/api/v1/status`)).json()) as {
    mcp: { servers: Readonly<Record<string, unknown>> };
  };
  return Object.keys(status.mcp.servers);
}

describe.skipIf(process.platform === 'win32')('SIGHUP', { timeout: 20_000 }, () => {
  test.each([
    ['proxy', ['proxy', '--upstream', 'http://127.0.0.1:9/v1', '--port', '0', '--no-history']],
    ['mcp with a command', ['mcp', '--listen', '127.0.0.1:0', '--no-history', '--', 'node', '-v']],
  ])('is refused with a log line by holdfast %s without a file', async (_, args) => {
    gateway = await startServing([holdfast, ...args], folder);
    process.kill(gateway.pid, 'SIGHUP');

    await vi.waitFor(() => expect(gateway.log()).toContain('SIGHUP is ignored'), PATIENCE);
    expect((await fetch(`${new URL(gateway.url).origin}/healthz`)).status).toBe(200);
  });

  test('and edits of .mcp.json are followed by holdfast mcp --listen', async () => {
    write('one');
    gateway = await startServing(
      [holdfast, 'mcp', '--yes', '--listen', '127.0.0.1:0', '--no-history'],
      folder,
    );
    await vi.waitFor(async () => expect(await serverNames()).toEqual(['one']), PATIENCE);

    write('one', 'two');
    await vi.waitFor(async () => expect(await serverNames()).toEqual(['one', 'two']), PATIENCE);

    writeFileSync(file, '{ "mcpServers": ');
    await vi.waitFor(() => expect(gateway.log()).toContain('stays as it was'), PATIENCE);
    expect(await serverNames()).toEqual(['one', 'two']);

    process.kill(gateway.pid, 'SIGHUP');
    await vi.waitFor(
      () => expect(gateway.log().split('stays as it was')).toHaveLength(3),
      PATIENCE,
    );
  });

  test('and edits of a .mcp.json that holdfast.yaml names are followed by holdfast up', async () => {
    write('one');
    const config = join(folder, 'holdfast.yaml');
    writeFileSync(
      config,
      'listen: 127.0.0.1:0\nobserve: { history: false }\nmcp: { files: [.mcp.json] }\n',
    );
    gateway = await startServing([holdfast, 'up', '--config', config], folder);
    await vi.waitFor(async () => expect(await serverNames()).toEqual(['one']), PATIENCE);

    write('two');
    await vi.waitFor(async () => expect(await serverNames()).toEqual(['two']), PATIENCE);
    process.kill(gateway.pid, 'SIGHUP');
    await vi.waitFor(
      () => expect(gateway.log().split('configuration loaded')).toHaveLength(3),
      PATIENCE,
    );
  });
});
