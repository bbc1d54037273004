import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '@holdfast/core/guard';
import { rolldown } from 'rolldown';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { memoryLogger } from '../log/memory-logger.case.ts';
import { textOf } from '../proxy/json/json-fields.ts';
import { History } from './history.ts';

const KILLS = 20;
/** What a killed process may lose. */
const MAY_LOSE_MS = 100;

let base: string;
let folder: string;
let program: string;
const children: ChildProcess[] = [];

// Joined into one file, it starts in a tenth of the time: that of this test.
beforeAll(async () => {
  const bundle = await rolldown({
    input: new URL('writing-process.case.ts', import.meta.url).pathname,
    platform: 'node',
    resolve: { conditionNames: ['@holdfast/source', 'node', 'import'] },
  });
  program = join(mkdtempSync(join(tmpdir(), 'holdfast-writer-')), 'writer.mjs');
  await bundle.write({ file: program });
  await bundle.close();
});
afterAll(() => rmSync(dirname(program), { recursive: true, force: true }));

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'holdfast-killed-'));
  folder = join(base, 'history');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(base, { recursive: true, force: true });
});

interface Writer {
  readonly child: ChildProcess;
  /** The records it told of so far, with their times. */
  readonly told: { readonly number: number; readonly at: number }[];
  readonly log: string[];
  readonly begun: Promise<void>;
  readonly closed: Promise<unknown>;
}

function startWriter(...args: string[]): Writer {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const told: Writer['told'] = [];
  const log: string[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [number = '', at] = line.split(' ', 2);
      if (number === 'end') log.push(...(JSON.parse(line.slice(4)) as string[]));
      else told.push({ number: Number(number), at: Number(at) });
    }
  });
  const begun = once(child.stdout, 'data').then(() => undefined);
  return { child, told, log, begun, closed: once(child, 'close') };
}

/** The numbers of a writer's records, oldest first. */
async function kept(name: string, limit = 1_000_000): Promise<number[]> {
  const history = new History({ folder, log: memoryLogger(), clock: systemClock });
  const records = await history.query({ kind: 'requests', limit });
  await history.close();
  return records
    .map(({ about }) => textOf(about['id']))
    .filter((id) => id.startsWith(name))
    .map((id) => Number(id.slice(id.indexOf('-') + 1)))
    .reverse();
}

describe('a process that keeps history', () => {
  test(
    `loses at most its last ${MAY_LOSE_MS} ms when it is killed, and the next one goes on`,
    { timeout: 120_000 },
    async () => {
      let whole = 0;
      for (let round = 0; round < KILLS; round++) {
        const name = `run${round}-`;
        const writer = startWriter(folder, name);
        await writer.begun;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 400));
        writer.child.kill('SIGKILL');
        await writer.closed;

        const found = await kept(name);
        // Without gaps, from the first on: only the end is missing.
        expect(found).toEqual(found.map((_, index) => index + 1));
        const { told } = writer;
        const lastAt = told.at(-1)?.at ?? 0;
        const lost = told.slice(found.length);
        const lostMs = lost.map(({ at }) => lastAt - at);
        expect(Math.max(0, ...lostMs), `round ${round}`).toBeLessThanOrEqual(MAY_LOSE_MS);
        whole += found.length;
      }
      const all = await kept('run');
      expect(all).toHaveLength(whole);
      expect(whole).toBeGreaterThan(KILLS);
    },
  );

  test('shares its folder with others: no record is lost, changed or told twice', async () => {
    const writers = ['a', 'b', 'c'].map((name) => startWriter(folder, `${name}-`, '400'));
    await Promise.all(writers.map(({ closed }) => closed));

    const all = Array.from({ length: 400 }, (_, index) => index + 1);
    for (const name of ['a', 'b', 'c']) expect(await kept(name)).toEqual(all);
  }, 60_000);

  test('keeps the bounds together with others that have them', async () => {
    const maxBytes = 100_000;
    const writers = ['a', 'b'].map((name) =>
      startWriter(folder, `${name}-`, '1500', String(maxBytes)),
    );
    await Promise.all(writers.map(({ closed }) => closed));

    const size = Number(execFileSync('du', ['-sb', folder]).toString().split('\t')[0]);
    // Each may fill the segments it has begun before it looks at the others again.
    expect(size).toBeLessThan(maxBytes * 1.2);
    for (const name of ['a', 'b']) expect((await kept(name)).at(-1)).toBe(1500);
  }, 60_000);

  test.skipIf(!canMount())(
    'ends well on a disk that is full',
    async () => {
      mkdirSync(folder, { mode: 0o700 });
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=0700', 'tmpfs', folder]);
      try {
        const writer = startWriter(folder, 'full-', '1000');
        await writer.closed;
        const found = await kept('full');

        expect(writer.told).toHaveLength(1000);
        expect(writer.log).toEqual(['history cannot be written']);
        expect(found.length).toBeGreaterThan(50);
        expect(found).toEqual(found.map((_, index) => index + 1));
        expect(readdirSync(folder).length).toBeLessThan(3);
      } finally {
        execFileSync('umount', [folder]);
      }
    },
    60_000,
  );
});

/** Whether this is a machine on which we may have a tiny disk of our own. */
function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const probe = mkdtempSync(join(tmpdir(), 'holdfast-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', probe], { stdio: 'ignore' });
    execFileSync('umount', [probe], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
}
