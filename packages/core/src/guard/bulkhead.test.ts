import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { BulkheadFullError } from '../errors.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { Bulkhead } from './bulkhead.ts';
import { watchedSignal } from './watched-signal.case.ts';

/** Work that ends when it is told to. */
class Job {
  readonly started = vi.fn();
  end: (value: string) => void = () => undefined;
  fail: (error: Error) => void = () => undefined;

  readonly run = (): Promise<string> => {
    this.started();
    return new Promise((resolve, reject) => {
      this.end = resolve;
      this.fail = reject;
    });
  };

  get hasStarted(): boolean {
    return this.started.mock.calls.length > 0;
  }
}

const settle = (): Promise<void> => new ManualClock().advance(0);
const jobs = (count: number): Job[] => Array.from({ length: count }, () => new Job());

describe('Bulkhead', () => {
  test('runs so many at a time and refuses the next', async () => {
    const bulkhead = new Bulkhead({ limit: 2 });
    const [first, second, third] = jobs(3);
    const running = [bulkhead.run(first!.run), bulkhead.run(second!.run)];
    await expect(bulkhead.run(third!.run)).rejects.toThrow(BulkheadFullError);
    expect(third!.hasStarted).toBe(false);
    expect([bulkhead.active, bulkhead.waiting]).toEqual([2, 0]);
    first!.end('1');
    second!.end('2');
    expect(await Promise.all(running)).toEqual(['1', '2']);
    expect(bulkhead.active).toBe(0);
  });

  test('lets so many wait, in order, and refuses the next', async () => {
    const bulkhead = new Bulkhead({ limit: 1, queue: 2 });
    const all = jobs(4);
    const runs = all.slice(0, 3).map(({ run }) => bulkhead.run(run));
    await expect(bulkhead.run(all[3]!.run)).rejects.toThrow('running (1) and waiting (2)');
    expect([bulkhead.active, bulkhead.waiting]).toEqual([1, 2]);
    for (const [at, job] of all.slice(0, 3).entries()) {
      await settle();
      expect(all.map(({ hasStarted }) => hasStarted)).toEqual(all.map((_, other) => other <= at));
      job.end(String(at));
    }
    expect(await Promise.all(runs)).toEqual(['0', '1', '2']);
    expect([bulkhead.active, bulkhead.waiting]).toEqual([0, 0]);
  });

  test('gives the place on when work fails, at once or later', async () => {
    const bulkhead = new Bulkhead({ limit: 1, queue: 2 });
    const job = new Job();
    const failing = bulkhead.run(job.run);
    const throwing = bulkhead.run(() => {
      throw new Error('at once');
    });
    const last = bulkhead.run(() => 'done');
    job.fail(new Error('later'));
    await expect(failing).rejects.toThrow('later');
    await expect(throwing).rejects.toThrow('at once');
    expect(await last).toBe('done');
    expect(bulkhead.active).toBe(0);
  });

  test('does not let who comes later pass who waits', async () => {
    const bulkhead = new Bulkhead({ limit: 1, queue: 1 });
    const [first, waiting] = jobs(2);
    const run = bulkhead.run(first!.run);
    void bulkhead.run(waiting!.run);
    first!.end('');
    const late = run.then(() => bulkhead.run(() => 'late'));
    await settle();
    expect(waiting!.hasStarted).toBe(true);
    expect(bulkhead.waiting).toBe(1);
    waiting!.end('');
    expect(await late).toBe('late');
  });

  test('lets a waiter leave the queue, with its reason, and its place to another', async () => {
    const bulkhead = new Bulkhead({ limit: 1, queue: 1 });
    const [first, left, next] = jobs(3);
    const controller = new AbortController();
    void bulkhead.run(first!.run);
    const leaving = bulkhead.run(left!.run, { signal: controller.signal });
    controller.abort('enough');
    await expect(leaving).rejects.toBe('enough');
    expect(bulkhead.waiting).toBe(0);
    void bulkhead.run(next!.run);
    first!.end('');
    await settle();
    expect([left!.hasStarted, next!.hasStarted]).toEqual([false, true]);
    expect(bulkhead.active).toBe(1);
    next!.end('');
    await settle();
    expect(bulkhead.active).toBe(0);
  });

  test('gives the place on when a waiter aborts just as it gets it', async () => {
    const bulkhead = new Bulkhead({ limit: 1, queue: 1 });
    const controller = new AbortController();
    const [first, second] = jobs(2);
    const running = bulkhead.run(first!.run).then(() => {
      controller.abort('enough');
    });
    const waiting = bulkhead.run(second!.run, { signal: controller.signal });
    first!.end('');
    await expect(waiting).rejects.toBe('enough');
    await running;
    expect(bulkhead.active).toBe(0);
  });

  test('gives the place on when a waiter aborts before it knows that it has it', async () => {
    const bulkhead = new Bulkhead({ limit: 1, queue: 1 });
    const controller = new AbortController();
    let end: (value: string) => void = () => undefined;
    const job = new Promise<string>((resolve) => (end = resolve));
    void bulkhead.run(() => job);
    const waiting = bulkhead.run(() => 'begun', { signal: controller.signal });
    // Heard after the place was handed on, and before anything else happens.
    void job.then(() => {
      controller.abort('enough');
    });
    end('');
    await expect(waiting).rejects.toBe('enough');
    expect(bulkhead.active).toBe(0);
  });

  test('does not begin for a caller that has aborted', async () => {
    const bulkhead = new Bulkhead({ limit: 1 });
    const job = new Job();
    const signal = AbortSignal.abort('before');
    await expect(bulkhead.run(job.run, { signal })).rejects.toBe('before');
    expect([job.hasStarted, bulkhead.active]).toEqual([false, 0]);
  });

  test('leaves no listener on the signal of a waiter, who gets a place or gives up', async () => {
    const bulkhead = new Bulkhead({ limit: 1, queue: 2 });
    const [patient, impatient] = [watchedSignal(), watchedSignal()];
    const job = new Job();
    void bulkhead.run(job.run);
    const waited = bulkhead.run(() => 'done', { signal: patient.signal });
    const gone = bulkhead.run(() => 'gone', { signal: impatient.signal });
    expect([patient.listeners(), impatient.listeners()]).toEqual([1, 1]);
    impatient.controller.abort('enough');
    await expect(gone).rejects.toBe('enough');
    job.end('');
    expect(await waited).toBe('done');
    expect([patient.listeners(), impatient.listeners()]).toEqual([0, 0]);
  });

  test('hands the signal to the work', async () => {
    const { signal } = new AbortController();
    expect(await new Bulkhead({ limit: 1 }).run((work) => work.signal, { signal })).toBe(signal);
  });

  test('keeps its limits and runs everything it took, whatever comes', async () => {
    const step = fc.oneof(
      fc.constant('run' as const),
      fc.record({ end: fc.nat(30) }),
      fc.record({ abort: fc.nat(30) }),
    );
    const sizes = fc.record({ limit: fc.integer({ min: 1, max: 3 }), queue: fc.nat(3) });
    await fc.assert(
      fc.asyncProperty(sizes, fc.array(step, { maxLength: 30 }), async (size, steps) => {
        const bulkhead = new Bulkhead(size);
        const calls: { job: Job; controller: AbortController; outcome: Promise<string> }[] = [];
        for (const what of steps) {
          if (what === 'run') {
            const job = new Job();
            const controller = new AbortController();
            const run = bulkhead.run(job.run, { signal: controller.signal });
            const outcome = run.then(
              () => 'done',
              (error: unknown) => (error instanceof BulkheadFullError ? 'full' : 'aborted'),
            );
            calls.push({ job, controller, outcome });
          } else if ('end' in what) calls[what.end]?.job.end('');
          else calls[what.abort]?.controller.abort();
          await settle();
          expect(bulkhead.active).toBeLessThanOrEqual(size.limit);
          expect(bulkhead.waiting).toBeLessThanOrEqual(size.queue);
          if (bulkhead.waiting > 0) expect(bulkhead.active).toBe(size.limit);
        }
        for (const { job } of calls) {
          job.end('');
          await settle();
        }
        expect([bulkhead.active, bulkhead.waiting]).toEqual([0, 0]);
        for (const { job, outcome } of calls)
          expect(job.hasStarted).toBe((await outcome) === 'done');
      }),
      { numRuns: 50 },
    );
  });

  test.each([
    [{ limit: 0 }, 'bulkhead.limit: expected a whole number of at least 1, got 0'],
    [{}, 'bulkhead.limit: expected a whole number of at least 1, got undefined'],
    [{ limit: 1, queue: -1 }, 'bulkhead.queue: expected a whole number of at least 0, got -1'],
    [{ limit: 1, size: 2 }, 'bulkhead.size: expected an option that exists (limit, queue)'],
  ])('refuses %j', (options, message) => {
    expect(() => new Bulkhead(options as { limit: number })).toThrow(message);
  });
});
