import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePort } from './support/free-port.ts';
import { root } from './support/repository.ts';
import { runCli, startCli } from './support/run-cli.ts';

/** For processes on a busy machine. */
const PATIENCE = { timeout: 20_000, interval: 50 };
const CIRCUIT = 'payments/payment_api';
const SECRET = 'the-number-of-a-card';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-operate-'));
const config = join(folder, 'holdfast.yaml');
const history = join(folder, 'history');
const children = new Set<ChildProcessWithoutNullStreams>();
let url: string;
let gateway: ChildProcessWithoutNullStreams;

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const payments = {
    command: process.execPath,
    args: [join(root, 'examples', 'mcp-guarded-server', 'flaky-server.mjs')],
    circuit: { consecutiveFailures: 2, openForMs: 600_000 },
  };
  const given = {
    listen: `127.0.0.1:${port}`,
    mcp: { prefix: 'never', servers: { payments } },
    observe: { historyDir: history },
  };
  writeFileSync(config, JSON.stringify(given));
  await startGateway();
}, 30_000);
afterEach(() => {
  for (const child of children) if (child !== gateway) child.kill('SIGKILL');
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await once(gateway, 'close');
  rmSync(folder, { recursive: true });
});

function start(...args: string[]): { child: ChildProcessWithoutNullStreams; out: () => string } {
  return watched(startCli(args));
}

function watched(child: ChildProcessWithoutNullStreams): {
  child: ChildProcessWithoutNullStreams;
  out: () => string;
} {
  children.add(child);
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.once('close', () => children.delete(child));
  return { child, out: () => out };
}

async function startGateway(): Promise<void> {
  const { child, out } = start('up', '--config', config, '--json');
  gateway = child;
  await vi.waitFor(() => expect(out()).toContain(`{"url":"${url}"}`), PATIENCE);
}

/** Runs a command against the gateway, and reads the JSON it prints. */
async function ask(...args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await runCli([...args, '--url', url]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

async function pay(): Promise<string> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'payment_api',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'payment_api',
        arguments: { card: SECRET },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  });
  return response.text();
}

async function records(kind: string): Promise<readonly Record<string, unknown>[]> {
  const response = await fetch(`${url}/api/v1/history?kind=${kind}`);
  const body = (await response.json()) as { records: readonly Record<string, unknown>[] };
  return body.records;
}

describe('a gateway that runs', { timeout: 60_000 }, () => {
  test('is watched while calls fail, and steered', async () => {
    const tail = start('tail', '--json', '--url', url);
    const logs = start('logs', '-f', '--json', '--url', url);
    await vi.waitFor(() => expect(logs.out()).toContain('listening'), PATIENCE);
    // Until the stream of tail is there, nobody can say that it is.
    await vi.waitFor(async () => {
      await pay();
      expect(tail.out()).toContain('"call-ended"');
    }, PATIENCE);
    await vi.waitFor(async () => {
      await pay();
      expect(tail.out()).toContain('"circuit-opened"');
    }, PATIENCE);
    await vi.waitFor(() => expect(logs.out()).toContain(`Circuit ${CIRCUIT} OPENED`), PATIENCE);
    const [call] = tail
      .out()
      .split('\n')
      .filter((line) => line.includes('"call-ended"'));
    expect(JSON.parse(call ?? '')).toMatchObject({ server: 'payments', tool: 'payment_api' });

    expect(await ask('circuits', CIRCUIT, '--json')).toMatchObject({ state: 'open' });
    const status = (await ask('status')) as { url: string; circuits: readonly unknown[] };
    expect(status.url).toBe(url);
    expect(status.circuits[0]).toMatchObject({ name: CIRCUIT, state: 'open' });
    expect(await ask('reset', CIRCUIT, '--note', 'mended', '--json')).toMatchObject({
      state: 'closed',
      note: 'mended',
    });
    const isolated = ['isolate', CIRCUIT, '--reason', 'moved', '--for', '10m', '--json'];
    expect(await ask(...isolated)).toMatchObject({ is_isolated: true, note: 'moved' });
    await vi.waitFor(() => expect(tail.out()).toContain('"reason":"isolated"'), PATIENCE);
    expect(await pay()).toContain('circuit');
    const unknown = await runCli(['reset', 'payments/payment_ap', '--url', url]);
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain(`did you mean "${CIRCUIT}"?`);

    for (const { child } of [tail, logs]) {
      const closed = once(child, 'close');
      child.kill('SIGINT');
      expect(await closed).toEqual([0, null]);
    }
  });

  test('knows after kill -9 and a restart what was before', async () => {
    await vi.waitFor(async () => expect(await records('transitions')).not.toEqual([]), PATIENCE);
    const before = await records('failures');
    expect(before.length).toBeGreaterThan(1);
    const closed = once(gateway, 'close');
    gateway.kill('SIGKILL');
    await closed;
    await startGateway();

    expect(await records('failures')).toEqual(before);
    expect(before[0]).toMatchObject({ source: 'mcp', server: 'payments', tool: 'payment_api' });
    const reasons = (await records('transitions')).map(
      ({ to, reason }) => `${String(to)} ${String(reason)}`,
    );
    // The circuit is isolated again after the restart.
    expect(reasons.slice(0, 3)).toEqual(['open isolated', 'open isolated', 'closed reset']);
    expect(reasons.at(-1)).toBe('open failure_threshold_exceeded');
  });

  test('keeps on disk what is known of calls, and nothing of what is in them', () => {
    expect(statSync(history).mode & 0o777).toBe(0o700);
    const kept = readdirSync(history).map((name) => readFileSync(join(history, name), 'utf8'));
    expect(kept.join('')).toContain('payment_api');
    expect(kept.join('')).not.toContain(SECRET);
    expect(kept.join('')).not.toContain('Service Unavailable');
  });

  test.skipIf(spawnSync('script', ['--version']).status !== 0)(
    'is drawn on a terminal, which is given back as it was',
    async () => {
      const bin = join(root, 'packages', 'gateway', 'bin', 'holdfast.js');
      const command = `stty rows 20 cols 90; ${process.execPath} ${bin} status --url ${url}; echo "code $?"; stty -a`;
      const child = spawn('script', ['-qfec', command, '/dev/null'], {
        env: { ...process.env, TERM: 'xterm', NO_COLOR: '1', SHELL: '/bin/sh' },
      });
      const { out } = watched(child);
      await vi.waitFor(() => expect(out().split('\x1b[H').length).toBeGreaterThan(2), PATIENCE);
      await pay();
      await vi.waitFor(() => expect(out()).toContain(CIRCUIT), PATIENCE);
      expect(out()).toContain('\x1b[?1049h');
      expect(out()).not.toMatch(/\x1b\[\d+m/);
      const closed = once(child, 'close');
      child.stdin.write('q');
      await closed;
      expect(out()).toContain('\x1b[?25h\x1b[?1049l');
      const rest = out().split('\x1b[?1049l')[1] ?? '';
      expect(rest).toContain('LAST 15 MINUTES');
      expect(rest).toContain('code 0');
      expect(rest).toContain(' icanon');
    },
  );

  test('that is none is told with what to do about it', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    for (const args of [['status'], ['circuits'], ['logs'], ['tail'], ['reset', 'x']]) {
      const { code, stdout, stderr } = await runCli([...args, '--url', nobody]);
      expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
      expect(stderr).toContain(`holdfast: no gateway answers at ${nobody}: `);
      expect(stderr).toContain('start one with holdfast start');
    }
  });
});
