import { describe, expect, test } from 'vitest';
import { memoryIo } from './memory-io.case.ts';
import type { MemoryIo } from './memory-io.case.ts';
import { withProgress } from './progress.ts';

/** A terminal where pauses are over when the test says so. */
function terminal(given: Parameters<typeof memoryIo>[0] = {}): {
  io: MemoryIo;
  tick: () => Promise<void>;
} {
  let waiting: (() => void)[] = [];
  const io = memoryIo({
    isTerminal: true,
    ...given,
    sleep: (_, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) resolve();
        waiting.push(resolve);
        signal?.addEventListener('abort', () => resolve());
      }),
  });
  const tick = async (): Promise<void> => {
    const due = waiting;
    waiting = [];
    for (const resolve of due) resolve();
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  return { io, tick };
}

describe('progress', () => {
  test('is shown after a second, moves, and is wiped away when the work is done', async () => {
    const { io, tick } = terminal();
    let finish = (_: string): void => undefined;
    const done = withProgress(
      io,
      'asking\x1b[2J',
      new Promise<string>((resolve) => (finish = resolve)),
    );

    expect(io.pauses).toEqual([1000]);
    expect(io.err()).toBe('');
    await tick();
    expect(io.err()).toBe('\r⠋ asking<U+001B>[2J (1 s)');
    await tick();
    expect(io.err()).toContain('\r⠙ asking');
    finish('result');
    expect(await done).toBe('result');
    expect(io.err().endsWith('\r\x1b[K')).toBe(true);
    expect(io.out()).toBe('');
  });

  test('is not shown for what is quick, and not where nobody looks', async () => {
    const { io, tick } = terminal();
    await withProgress(io, 'asking', Promise.resolve());
    await tick();
    expect(io.err()).toBe('');

    for (const given of [{ isTerminal: false }, { env: { TERM: 'dumb' } }]) {
      const other = terminal(given);
      await withProgress(other.io, 'asking', Promise.resolve());
      expect(other.io.pauses).toEqual([]);
    }
  });

  test('is wiped away when the work fails', async () => {
    const { io, tick } = terminal({ columns: 12 });
    let fail = (_: Error): void => undefined;
    const done = withProgress(io, 'asking somebody', new Promise((_, reject) => (fail = reject)));
    await tick();
    expect(io.err()).toBe('\r⠋ asking so…');
    fail(new Error('gone'));
    await expect(done).rejects.toThrow('gone');
    expect(io.err().endsWith('\r\x1b[K')).toBe(true);
  });
});
