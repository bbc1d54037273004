import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, existsSync, mkdtempSync, openSync } from 'node:fs';
import { readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { holdfast } from './support/start-mcp-gateway.ts';

const PATIENCE = { timeout: 20_000 };
/** Much less than a stop that waits for a reader. */
const STOPS_WITHIN_MS = 4000;

let folder: string;
let child: ChildProcess | undefined;
let exited: Promise<[code: number | null, signal: string | null]>;
const open: number[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-log-'));
});
afterEach(() => {
  child?.kill('SIGKILL');
  for (const fd of open.splice(0)) closeSync(fd);
  rmSync(folder, { recursive: true });
});

function opened(path: string, flags: number): number {
  const fd = openSync(path, flags);
  open.push(fd);
  return fd;
}

/** Starts a gateway that logs each request to `stderr`. Returns its address. */
async function startGateway(stderr: number | 'pipe'): Promise<string> {
  const file = join(folder, 'holdfast.yaml');
  const config = {
    listen: '127.0.0.1:0',
    log: { level: 'debug' },
    observe: { history: false },
    upstreams: [{ url: 'http://127.0.0.1:9/v1' }],
  };
  writeFileSync(file, JSON.stringify(config));
  child = spawn(process.execPath, [holdfast, 'up', '--config', file], {
    cwd: folder,
    stdio: ['ignore', 'pipe', stderr],
  });
  exited = once(child, 'exit') as typeof exited;
  let output = '';
  child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return vi.waitFor(() => {
    const found = /listens on (http:\S+)/.exec(output)?.[1];
    if (found === undefined) throw new Error(`no address yet: ${output}`);
    return found;
  }, PATIENCE);
}

/** Sends requests that are logged; resolves to the statuses of their responses. */
async function callTimes(url: string, times: number, model = 'm'): Promise<readonly number[]> {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] });
  const headers = { 'content-type': 'application/json' };
  const call = async (): Promise<number> => {
    const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body });
    await response.arrayBuffer();
    return response.status;
  };
  return Promise.all(Array.from({ length: times }, call));
}

async function droppedRecords(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^holdfast_log_records_dropped_total (\d+)$/m.exec(text)?.[1]);
}

async function expectStop(): Promise<void> {
  const from = performance.now();
  child!.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  expect(performance.now() - from).toBeLessThan(STOPS_WITHIN_MS);
}

describe.skipIf(process.platform === 'win32')('a gateway', PATIENCE, () => {
  test.skipIf(!existsSync('/dev/full'))('answers calls while its log disk is full', async () => {
    const url = await startGateway(opened('/dev/full', constants.O_WRONLY));

    // The upstream does not exist, and its circuit opens meanwhile.
    const statuses = await callTimes(url, 20);
    expect(statuses.filter((status) => status !== 502 && status !== 503)).toEqual([]);
    await vi.waitFor(async () => expect(await droppedRecords(url)).toBeGreaterThan(20), PATIENCE);
    await expectStop();
  });

  test('logs again, with a count, after writes to its log failed', async () => {
    const pipe = join(folder, 'log');
    execFileSync('mkfifo', [pipe]);
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const url = await startGateway(opened(pipe, constants.O_WRONLY));
    // A pipe that is not open for reading refuses every write, as a full disk does.
    closeSync(reader);
    await callTimes(url, 5);
    await vi.waitFor(async () => expect(await droppedRecords(url)).toBeGreaterThan(4), PATIENCE);

    const second = opened(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    await callTimes(url, 1);
    const [report] = await vi.waitFor(() => {
      const found = readLines(second).filter((record) => 'dropped' in record);
      expect(found).not.toEqual([]);
      return found;
    }, PATIENCE);

    expect(report).toMatchObject({ level: 'warn', dropped: await droppedRecords(url) });
    expect(readLines(second).length).toBeGreaterThan(1);
    await expectStop();
  });

  test('ends on SIGTERM while nothing reads standard error', async () => {
    const url = await startGateway('pipe');
    await callTimes(url, 200, 'm'.repeat(1000));

    await expectStop();
  });
});

let text = '';
/** All records that a pipe held so far. */
function readLines(fd: number): readonly Readonly<Record<string, unknown>>[] {
  const buffer = Buffer.alloc(65_536);
  try {
    text += buffer.toString('utf8', 0, readSync(fd, buffer));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
  }
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}
