import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platform } from 'node:process';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { connectSdkV2 } from './support/connect-sdk-v2.ts';
import { startFaultyHttpServer } from './support/faulty-http-server.ts';
import { FaultyServers, isRunning } from './support/faulty-servers.ts';
import { holdfast, startMcpGateway } from './support/start-mcp-gateway.ts';

const servers = new FaultyServers();
const folder = mkdtempSync(join(tmpdir(), 'holdfast-ends-'));
const PATIENCE = { timeout: 8000, interval: 20 };
const WITHIN_MS = 3000;
const isFull = process.env['HOLDFAST_FULL'] === '1';

afterAll(() => {
  servers.remove();
  rmSync(folder, { recursive: true });
});

interface StdioGateway {
  readonly child: ChildProcessWithoutNullStreams;
  readonly send: (message: object) => void;
  readonly nextLine: () => Promise<string>;
}

/** The real program on pipes, with the handshake done, so that its servers run. */
async function startOnPipes(mcpServers: Readonly<Record<string, object>>): Promise<StdioGateway> {
  const file = join(folder, 'mcp.json');
  writeFileSync(file, JSON.stringify({ mcpServers }));
  const child = spawn(process.execPath, [holdfast, 'mcp', '--config', file]);
  child.stderr.resume();
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = (message: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const nextLine = async (): Promise<string> => String((await lines.next()).value);
  const clientInfo = { name: 'test', version: '1.0.0' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  send({ id: 1, method: 'initialize', params });
  await nextLine();
  send({ method: 'notifications/initialized' });
  return { child, send, nextLine };
}

/** Of three servers one has a child of its own; a fourth does not want to end. */
const fourServers = (run: string): Readonly<Record<string, object>> => ({
  one: servers.entry(`${run}-one`),
  two: servers.entry(`${run}-two`),
  parent: servers.entry(`${run}-parent`, {}, 'grandchild'),
  stubborn: servers.entry(`${run}-stubborn`, {}, 'stubborn'),
});

function pidsOf(run: string, ...names: readonly string[]): readonly number[] {
  return names.flatMap((name) =>
    servers.events(`${run}-${name}`).map(({ pid, child }) => child ?? pid),
  );
}

/** How long it takes until none of the processes is there. */
async function untilGone(pids: readonly number[]): Promise<number> {
  const from = performance.now();
  await vi.waitFor(() => expect(pids.filter(isRunning)).toEqual([]), PATIENCE);
  return performance.now() - from;
}

const ends: readonly (readonly [name: string, end: (gateway: StdioGateway) => void])[] = [
  ['is killed with SIGKILL', ({ child }) => child.kill('SIGKILL')],
  ['is told to end with SIGTERM', ({ child }) => child.kill('SIGTERM')],
  ['loses its client', ({ child }) => child.stdin.end()],
];

describe.for(ends)('a gateway that %s', ([name, end]) => {
  const isKilled = name.includes('SIGKILL');

  test('leaves none of its servers behind, nor what they started', async () => {
    const gateway = await startOnPipes(fourServers(name));
    const willing = pidsOf(name, 'one', 'two', 'parent');
    const stubborn = pidsOf(name, 'stubborn');
    expect([...willing, ...stubborn].filter(isRunning)).toHaveLength(5);
    const exited = once(gateway.child, 'exit') as Promise<[code: number | null]>;
    end(gateway);

    expect(await untilGone(willing)).toBeLessThan(WITHIN_MS);
    // One that has to be killed is asked before, unless there is nobody left to ask.
    expect(await untilGone(stubborn)).toBeLessThan(isKilled ? WITHIN_MS : 2 * WITHIN_MS);
    expect((await exited)[0]).toBe(isKilled ? null : 0);
  }, 20_000);
});

describe.skipIf(platform !== 'linux').for(isFull ? ends : ends.slice(0, 1))(
  'on Linux, a gateway that %s',
  ([name, end]) => {
    test('ends what its servers detached, also when it ignores SIGTERM', async () => {
      const run = `${name}-detached`;
      const gateway = await startOnPipes({
        far: servers.entry(`${run}-far`, {}, 'detached'),
        kept: servers.entry(`${run}-kept`, { env: { HOLDFAST_SERVER_ID: '' } }, 'detached'),
      });
      const [far, kept] = ['far', 'kept'].map((each) => pidsOf(run, each));
      expect([...far!, ...kept!].filter(isRunning)).toHaveLength(4);
      end(gateway);

      expect(await untilGone(far!)).toBeLessThan(2 * WITHIN_MS);
      // One that is not marked outlives its server, as its entry says.
      expect(kept!.filter(isRunning)).toHaveLength(1);
      process.kill(kept!.find(isRunning)!, 'SIGKILL');
    }, 20_000);
  },
);

describe('a gateway on pipes', () => {
  test('ends in time though a server never answers the handshake', async () => {
    servers.put('mute', 'deaf');
    const file = join(folder, 'mute.json');
    writeFileSync(file, JSON.stringify({ mcpServers: { mute: servers.entry('mute') } }));
    const child = spawn(process.execPath, [holdfast, 'mcp', '--config', file]);
    child.stderr.resume();
    const clientInfo = { name: 'test', version: '1.0.0' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`,
    );
    await vi.waitFor(() => expect(servers.count('mute', 'started')).toBe(1), PATIENCE);
    const from = performance.now();
    const closed = once(child, 'exit');
    child.stdin.end();

    expect(await closed).toEqual([0, null]);
    expect(performance.now() - from).toBeLessThan(WITHIN_MS);
    await untilGone(servers.events('mute').map(({ pid }) => pid));
  }, 20_000);

  test('tells the server of a call that the client takes back', async () => {
    const gateway = await startOnPipes({ waits: servers.entry('waits') });
    gateway.send({ id: 2, method: 'tools/list' });
    await gateway.nextLine();
    gateway.send({ id: 3, method: 'tools/call', params: { name: 'hang', arguments: {} } });
    await vi.waitFor(() => expect(servers.count('waits', 'ran', 'hang')).toBe(1), PATIENCE);
    gateway.send({ method: 'notifications/cancelled', params: { requestId: 3 } });
    await vi.waitFor(() => expect(servers.count('waits', 'cancelled')).toBe(1), PATIENCE);
    const closed = once(gateway.child, 'exit');
    gateway.child.stdin.end();
    await closed;
  }, 20_000);

  test('takes back what it asked of a server elsewhere when the client goes away', async () => {
    const far = await startFaultyHttpServer({ era: 'legacy' });
    const gateway = await startOnPipes({ far: { type: 'http', url: far.url } });
    gateway.send({ id: 3, method: 'tools/call', params: { name: 'hang', arguments: {} } });
    await vi.waitFor(() => expect(far.asked).toContain('hang'), PATIENCE);
    const closed = once(gateway.child, 'exit');
    gateway.child.stdin.end();

    expect(await closed).toEqual([0, null]);
    expect(far.takenBack()).toBeGreaterThan(0);
    await far.close();
  }, 20_000);
});

describe('a gateway over HTTP', () => {
  test('takes a call back when the connection of a modern client is dropped', async () => {
    const gateway = await startMcpGateway({ mcpServers: { waits: servers.entry('dropped') } });
    const controller = new AbortController();
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    };
    const params = { name: 'hang', arguments: {}, _meta: meta };
    const answer = fetch(gateway.url, {
      method: 'POST',
      signal: controller.signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'hang',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    }).catch((error: unknown) => error);
    await vi.waitFor(() => expect(servers.count('dropped', 'ran', 'hang')).toBe(1), PATIENCE);
    controller.abort();
    await answer;
    await vi.waitFor(() => expect(servers.count('dropped', 'cancelled')).toBe(1), PATIENCE);
    await gateway.close();
  }, 20_000);

  test.each(['legacy', 'modern'] as const)(
    'ends within three seconds of SIGTERM though a %s client listens',
    async (era) => {
      const name = `listened-${era}`;
      const gateway = await startMcpGateway({ mcpServers: { one: servers.entry(name) } });
      const client = await connectSdkV2({ url: gateway.url }, era);
      await client.listTools();
      await client.watchTools();
      const pids = servers.events(name).map(({ pid }) => pid);
      const from = performance.now();
      const code = await gateway.close();

      expect(code).toBe(0);
      expect(performance.now() - from).toBeLessThan(WITHIN_MS);
      await untilGone(pids);
      await client.close().catch(() => undefined);
    },
    20_000,
  );
});
