import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failed, temporaryFolder } from './fake-host.case.ts';
import { foldEvents } from './fold-moment.ts';
import type { HookEvent } from './hook-host.ts';
import type { LockMeans } from './hook-lock.ts';
import type { HookMemory } from './hook-memory.ts';
import { HookStore } from './hook-store.ts';
import { writeText } from './private-file.ts';
import { SWEEP_BOUNDS } from './sweep-folder.ts';

const FOREVER = Number.MAX_SAFE_INTEGER;
/** No process has it: the highest is lower on every system. */
const GONE = 999_999_999;

/** Folds events, and gives the ids of all calls that are remembered then. */
function fold(
  folder: string,
  events: readonly HookEvent[],
  {
    until = FOREVER,
    ...means
  }: Partial<LockMeans> & { until?: number; conversation?: string } = {},
): Promise<readonly string[] | undefined> {
  const change = (memory: HookMemory, late: readonly HookEvent[]) => {
    const after = foldEvents(foldEvents(memory, late), events);
    return { memory: after, result: after.seen };
  };
  return new HookStore(folder, means).change(means.conversation ?? 'one', events, change, until);
}

/** A folder that remembers one call, and the path of what was written without its ending. */
async function begun(): Promise<{ folder: string; path: string }> {
  const folder = join(temporaryFolder(), 'hooks');
  await fold(folder, [failed('1')]);
  const [name = ''] = readdirSync(folder);
  return { folder, path: join(folder, name.replace('.json', '')) };
}

const modeOf = (path: string): string => (lstatSync(path).mode & 0o777).toString(8);

describe('HookStore', () => {
  it('remembers a conversation in one private file', async () => {
    const { folder, path } = await begun();

    expect(await fold(folder, [failed('2')])).toEqual(['1', '2']);
    expect(await fold(folder, [failed('3')], { conversation: 'two' })).toEqual(['3']);
    expect(readdirSync(folder)).toHaveLength(2);
    expect([modeOf(folder), modeOf(`${path}.json`)]).toEqual(['700', '600']);
  });

  it('closes a folder that others could read', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'hooks'), { mode: 0o755 });
    await fold(join(folder, 'hooks'), []);

    expect(modeOf(join(folder, 'hooks'))).toBe('700');
  });

  it('masks secrets in everything that it writes', async () => {
    const folder = temporaryFolder();
    const call = { tool: 'bash', arguments: { command: 'curl' }, id: 'sk-1234567890abcdefghij' };
    const output = 'curl: (22) error: password=hunter22 for https://me:hunter22@host';
    const event: HookEvent = {
      kind: 'after',
      call,
      result: { tool: 'bash', exitCode: 22, output },
    };
    await fold(folder, [event, event]);
    const taken = join(folder, readdirSync(folder)[0]!.replace('.json', '.lock'));
    writeFileSync(taken, `${process.pid} ${Date.now()} ${hostname()} x`);
    await fold(folder, [event], { until: 0 });

    const late = taken.replace('.lock', '.late');
    const written = [
      readFileSync(taken.replace('.lock', '.json'), 'utf8'),
      readFileSync(join(late, readdirSync(late)[0]!), 'utf8'),
    ];
    for (const text of written) {
      expect(text).toContain('bash');
      expect(text).not.toMatch(/hunter22|1234567890abcdef/);
    }
  });

  it.each([
    ['nonsense', 'nonsense'],
    ['cut', '{"version":1,"of":"one","advisor":{"ver'],
    ['empty', ''],
    ['of another program', '{"hello":"world"}'],
    ['of a later version', '{"version":2,"of":"one","seen":["x"]}'],
    ['of another conversation', '{"version":1,"of":"other","seen":["x"]}'],
    ['too large', `{"version":1,"of":"one","seen":["x"],"more":"${'x'.repeat(1024 * 1024)}"}`],
  ])('begins anew where the file is %s', async (_, text) => {
    const { folder, path } = await begun();
    writeFileSync(`${path}.json`, text);

    expect(await fold(folder, [failed('2')])).toEqual(['2']);
    expect(await fold(folder, [failed('3')])).toEqual(['2', '3']);
  });

  it('makes what it can of a memory that is partly wrong', async () => {
    const { folder, path } = await begun();
    const partly = { version: 1, of: 'one', advisor: [1], seen: [1, 'x'], waiting: [{ rule: 1 }] };
    writeFileSync(`${path}.json`, JSON.stringify(partly));

    expect(await fold(folder, [failed('2')])).toEqual(['x', '2']);
  });

  it('follows no link, neither in place of a file nor of the folder', async () => {
    const { folder, path } = await begun();
    const target = join(temporaryFolder(), 'target');
    writeFileSync(target, readFileSync(`${path}.json`));
    const linked = join(temporaryFolder(), 'hooks');

    // A file: it is replaced, and what it led to is left alone.
    const { folder: other, path: file } = await begun();
    const text = readFileSync(target, 'utf8');
    rmSync(`${file}.json`);
    symlinkSync(target, `${file}.json`);
    expect(await fold(other, [failed('3')])).toEqual(['3']);
    expect(lstatSync(`${file}.json`).isFile()).toBe(true);
    expect(readFileSync(target, 'utf8')).toBe(text);

    symlinkSync(folder, linked);
    await expect(fold(linked, [failed('4')])).rejects.toThrow('is a symbolic link');
  });

  it('leaves the old file and nothing else where the disk is full', async () => {
    const { folder, path } = await begun();
    const full = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
    let writes = 0;
    const atTheLock = (): never => {
      throw full;
    };
    const atTheFile = (file: number, text: string): void => {
      if (++writes === 2) throw full;
      writeText(file, text);
    };

    await expect(fold(folder, [failed('2')], { write: atTheLock })).rejects.toThrow('ENOSPC');
    await expect(fold(folder, [failed('2')], { write: atTheFile })).rejects.toThrow(/ENOSPC/);
    expect(readdirSync(folder)).toEqual([`${path.slice(folder.length + 1)}.json`]);
    expect(await fold(folder, [failed('3')])).toEqual(['1', '3']);
  });

  it('waits for others, each time longer', async () => {
    const { folder, path } = await begun();
    writeFileSync(`${path}.lock`, `${process.pid} ${Date.now()} ${hostname()} x`);
    const pauses: number[] = [];
    const pause = async (ms: number): Promise<void> => {
      pauses.push(ms);
      if (pauses.length === 3) rmSync(`${path}.lock`);
    };

    expect(await fold(folder, [failed('2')], { pause, random: () => 0.5 })).toEqual(['1', '2']);
    expect(pauses).toEqual([2, 3, 4.5]);
  });

  it('waits for a process that only stands still', async () => {
    const { folder, path } = await begun();
    writeFileSync(`${path}.lock`, `${process.pid} ${Date.now() - 60_000} ${hostname()} x`);

    expect(await fold(folder, [failed('2')], { until: 0 })).toBeUndefined();
  });

  it('leaves events for the next run where others do not end, and loses none', async () => {
    const { folder, path } = await begun();
    const lock = `${path}.lock`;
    writeFileSync(lock, `${process.pid} ${Date.now()} ${hostname()} x`);

    expect(await fold(folder, [failed('2')], { until: 0 })).toBeUndefined();
    expect(await fold(folder, [failed('3')], { until: 0 })).toBeUndefined();
    rmSync(lock);
    expect(await fold(folder, [failed('4')])).toEqual(['1', '2', '3', '4']);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it.each([
    ['whose process is gone', `${GONE} ${Date.now()} ${hostname()} x`],
    ['that is very old', `${process.pid} ${Date.now() - 301_000} ${hostname()} x`],
    ['of another machine that is old', `1 ${Date.now() - 11_000} elsewhere x`],
    ['from the future', `${process.pid} ${Date.now() + 310_000} ${hostname()} x`],
  ])('takes over a lock %s', async (_, mark) => {
    const { folder, path } = await begun();
    writeFileSync(`${path}.lock`, mark);

    expect(await fold(folder, [failed('2')], { until: 0 })).toEqual(['1', '2']);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it.each([
    ['whose process runs', `${process.pid} ${Date.now()} ${hostname()} x`],
    ['of another machine', `${GONE} ${Date.now()} elsewhere x`],
    ['that was made a moment ago and is still empty', ''],
  ])('respects a lock %s', async (_, mark) => {
    const { folder, path } = await begun();
    writeFileSync(`${path}.lock`, mark);

    expect(await fold(folder, [failed('2')], { until: 0 })).toBeUndefined();
    expect(readFileSync(`${path}.lock`, 'utf8')).toBe(mark);
  });

  it('takes over an empty lock, and a guard, that were left long ago', async () => {
    const { folder, path } = await begun();
    for (const left of [`${path}.lock`, `${path}.lock.guard`]) {
      writeFileSync(left, '');
      utimesSync(left, 1, 1);
    }

    expect(await fold(folder, [failed('2')], { pause: async () => undefined })).toEqual(['1', '2']);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('does not write over others who took its lock for left behind', async () => {
    const { folder, path } = await begun();
    const change = (memory: HookMemory) => {
      writeFileSync(`${path}.lock`, `${process.pid} ${Date.now()} ${hostname()} other`);
      return { memory: foldEvents(memory, [failed('2')]), result: 'written' };
    };

    const store = new HookStore(folder);
    expect(await store.change('one', [failed('2')], change, FOREVER)).toBeUndefined();
    expect(readFileSync(`${path}.lock`, 'utf8')).toMatch(/other$/);
    rmSync(`${path}.lock`);
    expect(await fold(folder, [])).toEqual(['1', '2']);
  });

  it('keeps no more conversations than it should, the newest of them', async () => {
    const { folder } = await begun();
    for (let index = 0; index < SWEEP_BOUNDS.conversations; index++) {
      const file = join(folder, `${index}.json`);
      writeFileSync(file, '{}');
      utimesSync(file, new Date(), new Date(Date.now() - index * 1000 - 1000));
    }
    await fold(folder, [failed('2')], { conversation: 'two', random: () => 0.5 });

    const names = readdirSync(folder);
    expect(names.length).toBeLessThanOrEqual(SWEEP_BOUNDS.conversations);
    expect(names).toContain('0.json');
    expect(names).not.toContain(`${SWEEP_BOUNDS.conversations - 1}.json`);
  });

  it('forgets now and then what is older than two weeks', async () => {
    const { folder } = await begun();
    const old = ['old.json', 'old.lock', 'old.x.new'];
    for (const name of old) {
      writeFileSync(join(folder, name), '{}');
      utimesSync(join(folder, name), 1, 1);
    }
    mkdirSync(join(folder, 'old.late'));
    utimesSync(join(folder, 'old.late'), 1, 1);
    const before = readdirSync(folder).length;

    await fold(folder, [], { conversation: 'two', random: () => 0.5 });
    expect(readdirSync(folder)).toHaveLength(before + 1);
    await fold(folder, [], { conversation: 'three', random: () => 0.01 });
    expect(readdirSync(folder)).toHaveLength(3);
  });
});
