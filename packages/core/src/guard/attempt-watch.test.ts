import { describe, expect, it } from 'vitest';
import { ToolTimeoutError } from '../errors.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { AttemptWatch } from './attempt-watch.ts';
import type { WatchedAttempt } from './attempt-watch.ts';
import { BackgroundTimers } from './background-timers.case.ts';

/** Work that never ends, watched: 1 s of silence, 5 s in all. */
function watched(clock: ManualClock): {
  readonly watch: AttemptWatch;
  readonly attempt: WatchedAttempt;
  readonly ended: () => unknown;
} {
  const limits = { name: 'search', idleMs: 1_000, maxDurationMs: 5_000 };
  const watch = new AttemptWatch(1, clock, { ...limits, deadlineAt: clock.now() + 5_000 });
  let end: unknown;
  let attempt: WatchedAttempt | undefined;
  watch
    .run((given) => {
      attempt = given;
      return new Promise<never>(() => undefined);
    })
    .catch((error: unknown) => (end = error));
  if (attempt === undefined) throw new Error('the work was not begun');
  return { watch, attempt, ended: () => end };
}

describe('AttemptWatch', () => {
  it('ends work that is silent for too long, and tells it to stop', async () => {
    const clock = new ManualClock();
    const { watch, attempt, ended } = watched(clock);
    const { signal } = attempt;
    expect(watch.wasHeld).toBe(false);

    await clock.advance(999);
    expect(ended()).toBeUndefined();
    await clock.advance(1);

    expect(ended()).toBeInstanceOf(ToolTimeoutError);
    expect(ended()).toMatchObject({ label: 'search', timeoutMs: 1_000 });
    expect(signal.reason).toBe(ended());
  });

  it('gives work that shows life its time anew, up to the longest a call may take', async () => {
    const clock = new ManualClock();
    const { attempt, ended } = watched(clock);

    for (let step = 0; step < 5; step++) {
      expect(ended()).toBeUndefined();
      await clock.advance(900);
      attempt.touch();
    }
    await clock.advance(500);

    expect(ended()).toMatchObject({ timeoutMs: 5_000 });
  });

  it('counts no time while somebody else is asked', async () => {
    const clock = new ManualClock();
    const { watch, attempt, ended } = watched(clock);

    const [first, second] = [attempt.hold(), attempt.hold()];
    await clock.advance(2_000);
    first();
    first();
    await clock.advance(1_100);
    expect(ended()).toBeUndefined();
    second();
    await clock.advance(999);
    expect(ended()).toBeUndefined();
    await clock.advance(1);

    expect(ended()).toMatchObject({ timeoutMs: 1_000 });
    expect(watch.wasHeld).toBe(true);
  });

  it('leaves no timer behind when the work ends, and passes on what it came to', async () => {
    const clock = new ManualClock();
    const limits = { name: 'search', idleMs: 1_000, maxDurationMs: 5_000, deadlineAt: 5_000 };
    const good = new AttemptWatch(1, clock, limits);
    const bad = new AttemptWatch(2, clock, limits);

    const { signal } = good;

    expect(await good.run(async () => 'found')).toBe('found');
    expect(clock.pendingTimers).toBe(0);
    await expect(bad.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(clock.pendingTimers).toBe(0);
    good.stop(new Error('too late'));

    expect(signal.aborted).toBe(false);
  });

  it('may be stopped before it began', () => {
    const limits = { name: 'search', idleMs: 1_000, maxDurationMs: 5_000, deadlineAt: 5_000 };
    const watch = new AttemptWatch(1, new ManualClock(), limits);
    const { signal } = watch;
    watch.stop('enough');
    expect(signal.reason).toBe('enough');
  });

  it('has one timer, and none once the work is stopped or has ended, whoever was asked meanwhile', async () => {
    const clock = new BackgroundTimers();
    const limits = { name: 'search', idleMs: 1_000, maxDurationMs: 5_000, deadlineAt: 5_000 };
    const watch = new AttemptWatch(1, clock, limits);
    let end: (value: string) => void = () => {};
    const running = watch.run(({ hold }) => {
      hold()();
      return new Promise<string>((resolve) => (end = resolve));
    });
    expect(clock.pendingTimers).toBe(1);
    const release = watch.hold();
    end('found');
    expect(await running).toBe('found');
    release();
    expect(clock.pendingTimers).toBe(0);

    const stopped = watched(clock);
    const { signal } = stopped.attempt;
    stopped.watch.stop('enough');
    expect([signal.reason, clock.pendingTimers]).toEqual(['enough', 0]);
    expect(clock.keepingAlive).toBe(0);
  });
});
