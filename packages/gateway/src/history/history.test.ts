import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@holdfast/core/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { memoryLogger } from '../log/memory-logger.case.ts';
import { History } from './history.ts';
import type { HistoryOptions } from './history.ts';
import type { HistoryKind } from './history-kind.ts';
import type { HistoryPlace } from './history-place.ts';
import { failedCall, observed, opened, turn } from './observed.case.ts';
import { makeSegmentFile } from './segment-file.ts';

class JumpyClock extends ManualClock {
  aheadMs = 0;

  override wallTime(): number {
    return super.wallTime() + this.aheadMs;
  }
}

let base: string;
let folder: string;
let clock: ManualClock;
let log = memoryLogger();
const open: History[] = [];

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'holdfast-history-'));
  folder = join(base, 'history');
  // Near that of the disk, by which segments are swept.
  clock = new ManualClock(0, Date.now());
  log = memoryLogger();
});
afterEach(async () => {
  for (const history of open.splice(0)) await history.close();
  rmSync(base, { recursive: true, force: true });
});

function openHistory(given: Partial<HistoryOptions> = {}): History {
  const history = new History({ folder, log, clock, ...given });
  open.push(history);
  return history;
}

function recordTurn(history: History, id: string): void {
  history.record(observed(turn({ id }), clock.wallTime()));
}

async function ids(
  history: History,
  given: { limit?: number; before?: HistoryPlace; kind?: HistoryKind } = {},
): Promise<unknown[]> {
  const { limit = 100, kind = 'requests', before } = given;
  const records = await history.query({ kind, limit, ...(before && { before }) });
  return records.map(({ about }) => about['id'] ?? about['circuit']);
}

const segments = (): string[] => readdirSync(folder).sort();
const sizeOfAll = (): number =>
  segments().reduce((total, name) => total + statSync(join(folder, name)).size, 0);

describe('history', () => {
  test('tells the newest first, each kind apart', async () => {
    const history = openHistory();
    for (const id of ['a', 'b', 'c']) {
      recordTurn(history, id);
      clock.skip(5);
    }
    history.record(observed(failedCall({ id: 'failed' }), clock.wallTime()));
    history.record(observed(opened('pay'), clock.wallTime()));

    expect(await ids(history)).toEqual(['c', 'b', 'a']);
    expect(await ids(history, { kind: 'failures' })).toEqual(['failed']);
    expect(await ids(history, { kind: 'transitions' })).toEqual(['pay']);
    expect(await ids(history, { limit: 2 })).toEqual(['c', 'b']);
  });

  test('shows after a restart what was before it', async () => {
    const first = openHistory();
    recordTurn(first, 'before');
    await first.close();
    clock.skip(1000);
    const second = openHistory();
    recordTurn(second, 'after');

    expect(await ids(second)).toEqual(['after', 'before']);
  });

  test('goes back page by page, with none twice and none left out', async () => {
    const bounds = { maxBytes: 3_000_000, maxAgeMs: 1e12 };
    const histories = [openHistory({ bounds }), openHistory({ bounds })];
    for (let number = 0; number < 500; number++) {
      // Several within the same millisecond, of two gateways.
      if (number % 3 === 0) clock.skip(1);
      recordTurn(histories[number % 2]!, String(number));
    }
    const history = histories[0]!;
    await histories[1]!.flush();

    const seen: unknown[] = [];
    let before: HistoryPlace | undefined;
    for (;;) {
      const page = await history.query({ kind: 'requests', limit: 7, ...(before && { before }) });
      seen.push(...page.map(({ about }) => about['id']));
      before = page.at(-1)?.place;
      if (before === undefined) break;
    }
    expect(segments().length).toBeGreaterThan(2);
    expect(new Set(seen).size).toBe(500);
    expect(seen).toHaveLength(500);
  });

  test('is on disk a quarter of the time after which a killed process may lose it', async () => {
    const history = openHistory();
    recordTurn(history, 'a');
    await clock.advance(24);
    expect(() => segments()).toThrow();
    await clock.advance(1);
    await vi.waitFor(() => expect(segments()).toHaveLength(1));
    await vi.waitFor(() => expect(sizeOfAll()).toBeGreaterThan(100));
    recordTurn(history, 'b');
    const before = sizeOfAll();
    await clock.advance(25);
    await vi.waitFor(() => expect(sizeOfAll()).toBeGreaterThan(before));
  });

  test('passes over a line that is not whole, and nothing else', async () => {
    const first = openHistory();
    for (const id of ['a', 'b', 'c']) recordTurn(first, id);
    await first.close();
    const path = join(folder, segments()[0]!);
    const whole = readFileSync(path);
    for (let bytes = whole.length - 1; bytes > whole.length - 200; bytes -= 7) {
      truncateSync(path, bytes);
      expect(await ids(openHistory())).toEqual(['b', 'a']);
    }
    appendFileSync(path, '\u0000\u0000garbage\n\n');
    expect(await ids(openHistory())).toEqual(['b', 'a']);
    whole[20] = 0;
    writeFileSync(path, whole);
    expect(await ids(openHistory())).toEqual(['c', 'b']);
  });

  test('keeps to its size, and few transitions outlive many requests', async () => {
    const bounds = { maxBytes: 200_000, maxAgeMs: 1e12 };
    const history = openHistory({ bounds });
    history.record(observed(opened('pay'), clock.wallTime()));
    for (let round = 0; round < 100; round++) {
      for (let each = 0; each < 20; each++) recordTurn(history, `${round}.${each}`);
      clock.skip(100);
      await history.flush();
      expect(sizeOfAll()).toBeLessThanOrEqual(bounds.maxBytes);
    }
    const left = await ids(history, { limit: 10_000 });
    expect(left.slice(0, 2)).toEqual(['99.19', '99.18']);
    expect(left.length).toBeGreaterThan(100);
    expect(left.length).toBeLessThan(2_000);
    expect(await ids(history, { kind: 'transitions' })).toEqual(['pay']);
    // The segment it writes to is kept whatever the others take.
    history.record(observed(opened('ship'), clock.wallTime()));
    expect(await ids(history, { kind: 'transitions' })).toEqual(['ship', 'pay']);
  });

  test('keeps to its age, on disk within the hour and in answers at once', async () => {
    const bounds = { maxBytes: 1e9, maxAgeMs: 10_000 };
    const history = openHistory({ bounds });
    recordTurn(history, 'old');
    await history.flush();
    clock.skip(9_000);
    recordTurn(history, 'young');
    expect(await ids(history)).toEqual(['young', 'old']);
    // A segment spans a tenth of the time at most.
    expect(segments()).toHaveLength(2);
    clock.skip(1_001);
    expect(await ids(history)).toEqual(['young']);

    await history.close();
    const [oldest, youngest] = segments().map((name) => join(folder, name));
    const now = clock.wallTime() / 1000;
    utimesSync(oldest!, now - 11, now - 11);
    utimesSync(youngest!, now, now);
    openHistory({ bounds });
    await clock.advance(1);
    await vi.waitFor(() => expect(segments()).toHaveLength(1));
    await clock.advance(60 * 60 * 1000);
    await vi.waitFor(() => expect(segments()).toHaveLength(0));
  });

  describe('with a clock that is 40 days ahead', () => {
    const AHEAD_MS = 40 * 24 * 60 * 60 * 1000;
    let jumpy: JumpyClock;
    beforeEach(() => (jumpy = clock = new JumpyClock(0, Date.now())));

    test('deletes nothing when it is ahead for two seconds', async () => {
      const history = openHistory();
      recordTurn(history, 'before');
      await history.flush();
      jumpy.aheadMs = AHEAD_MS;
      recordTurn(history, 'ahead');
      await history.flush();
      await clock.advance(2000);
      jumpy.aheadMs = 0;
      recordTurn(history, 'after');
      expect(await ids(history)).toEqual(expect.arrayContaining(['before', 'ahead', 'after']));
    });

    test('deletes nothing when it is ahead while a gateway starts', async () => {
      const first = openHistory();
      recordTurn(first, 'before');
      await first.close();
      jumpy.aheadMs = AHEAD_MS;
      const second = openHistory();
      recordTurn(second, 'ahead');
      await second.flush();
      await clock.advance(2000);
      jumpy.aheadMs = 0;
      expect(await ids(second)).toEqual(expect.arrayContaining(['before', 'ahead']));
    });

    test('deletes what is too old when it stays there', async () => {
      const history = openHistory();
      recordTurn(history, 'before');
      await history.close();
      jumpy.aheadMs = AHEAD_MS;
      openHistory();
      await clock.advance(1);
      expect(segments()).toHaveLength(1);
      await vi.waitFor(async () => {
        await clock.advance(60 * 60 * 1000);
        expect(segments()).toHaveLength(0);
      });
    });
  });

  test('goes on in a new segment when the clock is set back, or its own is removed', async () => {
    const history = openHistory();
    history.record(observed(turn({ id: 'late' }), clock.wallTime() + 5_000));
    history.record(observed(turn({ id: 'early' }), clock.wallTime()));
    expect(await ids(history)).toEqual(['late', 'early']);
    expect(segments()).toHaveLength(2);

    rmSync(folder, { recursive: true });
    recordTurn(history, 'again');
    expect(await ids(history)).toEqual(['again']);
  });

  test('is closed to other users', async () => {
    const history = openHistory();
    recordTurn(history, 'a');
    await history.flush();
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
    expect(lstatSync(join(folder, segments()[0]!)).mode & 0o777).toBe(0o600);
  });

  test('closes a folder that is open to others, but none with other things in it', async () => {
    mkdirSync(folder, { mode: 0o755 });
    const history = openHistory();
    recordTurn(history, 'a');
    await history.flush();
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);

    const home = join(base, 'home');
    mkdirSync(home);
    chmodSync(home, 0o755);
    writeFileSync(join(home, 'letter.txt'), '');
    const other = openHistory({ folder: home });
    recordTurn(other, 'a');
    await other.flush();
    expect(other.problem).toBe(
      `${home} is open to other users and holds letter.txt; expected a folder for history alone, or one of mode 0700`,
    );
    expect(readdirSync(home)).toEqual(['letter.txt']);
    expect(lstatSync(home).mode & 0o777).toBe(0o755);
  });

  test('follows no link: not as its folder, not as a segment', async () => {
    const elsewhere = join(base, 'elsewhere');
    mkdirSync(elsewhere, { mode: 0o700 });
    const writer = openHistory({ folder: elsewhere });
    recordTurn(writer, 'elsewhere');
    await writer.close();
    const [name] = readdirSync(elsewhere);

    symlinkSync(elsewhere, folder);
    const linked = openHistory();
    recordTurn(linked, 'a');
    await linked.flush();
    expect(linked.problem).toBe(`${folder} is a symbolic link; expected a folder`);
    await expect(ids(linked)).rejects.toThrow('is no folder');
    expect(readdirSync(elsewhere)).toEqual([name]);

    rmSync(folder);
    const history = openHistory();
    recordTurn(history, 'own');
    await history.flush();
    symlinkSync(join(elsewhere, name!), join(folder, name!));
    expect(await ids(history)).toEqual(['own']);
  });

  test('says once that the disk is full, and once that it is written again', async () => {
    let isFull = false;
    const history = openHistory({
      open: async (path) => {
        const file = await makeSegmentFile(path);
        return {
          ...file,
          append: async (text) => {
            if (!isFull) return file.append(text);
            // As much as fits, as a disk does.
            await file.append(text.slice(0, 30));
            throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
              code: 'ENOSPC',
            });
          },
        };
      },
    });
    recordTurn(history, 'before');
    await history.flush();
    isFull = true;
    for (const id of ['lost', 'lost too']) {
      recordTurn(history, id);
      await history.flush();
      expect(history.problem).toContain('ENOSPC');
    }
    expect(await ids(history)).toEqual(['before']);
    isFull = false;
    clock.skip(1);
    recordTurn(history, 'after');
    expect(await ids(history)).toEqual(['after', 'before']);

    expect(history.problem).toBeUndefined();
    expect(log.entries.map(({ level, message }) => [level, message])).toEqual([
      ['warn', 'history cannot be written'],
      ['info', 'history is written again'],
    ]);
    expect(log.entries[1]?.fields).toMatchObject({ lost: 2 });
    expect(segments()).toHaveLength(1);
  });

  test('says once that its folder cannot be made, and recorded events cost nobody anything', async () => {
    writeFileSync(join(base, 'file'), '');
    const history = openHistory({ folder: join(base, 'file', 'history') });
    for (let round = 0; round < 3; round++) {
      recordTurn(history, 'a');
      await history.flush();
    }
    expect(history.problem).toMatch(/ENOTDIR/);
    expect(log.entries).toHaveLength(1);
  });

  test('holds a bounded number of records while the disk hangs', async () => {
    let isReleased = (): void => undefined;
    const hangs = new Promise<void>((resolve) => (isReleased = resolve));
    const history = openHistory({
      open: async (path) => {
        await hangs;
        return makeSegmentFile(path);
      },
    });
    recordTurn(history, 'first');
    const flushed = history.flush();
    for (let number = 0; number < 5_000; number++) recordTurn(history, `more ${number}`);
    expect(history.problem).toBe('1048576 bytes already wait to be written');
    isReleased();
    await flushed;
    const kept = await ids(history, { limit: 10_000 });
    expect(kept.length).toBeGreaterThan(1_000);
    expect(kept.length).toBeLessThan(5_001);
    expect(kept.at(-1)).toBe('first');
    expect(log.entries.at(-1)?.fields).toMatchObject({ lost: 5_001 - kept.length });
  });

  test('does not keep a gateway from ending while the disk hangs', async () => {
    const history = openHistory({ open: () => new Promise(() => undefined) });
    recordTurn(history, 'a');
    const closed = history.close();
    await clock.advance(1000);
    await closed;
    open.splice(0);
  });

  test('takes nothing more once it is closed', async () => {
    const history = openHistory();
    await history.close();
    recordTurn(history, 'late');
    expect(await ids(history)).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });
});
