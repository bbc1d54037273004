import { describe, expect, test } from 'vitest';
import { ManualClock } from '../testing/manual-clock.ts';
import { createResilience } from './create-resilience.ts';
import { createNamedCircuits } from './presets/create-named-circuits.ts';
import {
  broken,
  errorOf,
  hang,
  resilienceWith,
  unavailable,
} from './resilience-under-test.case.ts';

describe('what went wrong elsewhere', () => {
  test('timeouts reach the circuit: hung calls open it', async () => {
    const { clock, circuits, withLocalResilience } = resilienceWith();
    for (let time = 0; time < 3; time++)
      await errorOf(withLocalResilience(hang, 'localFindFiles'), clock, 30_000);
    expect(circuits.healthy('local')).toBe(false);
  });

  test('a probe that times out opens the circuit again, however long it may take', async () => {
    const { clock, circuits, withGitHubResilience } = resilienceWith();
    for (let time = 0; time < 2; time++)
      await errorOf(withGitHubResilience(broken, 'githubSearchCode'), clock, 0);
    await clock.advance(60_000);
    await errorOf(withGitHubResilience(hang, 'githubSearchCode'), clock, 60_000);
    expect(circuits.healthy('github:search')).toBe(false);
  });

  test('nothing goes on after the timeout: the work is told to stop, and is not begun again', async () => {
    const { clock, circuits, withGitHubResilience } = resilienceWith();
    const signals: AbortSignal[] = [];
    const work = ({ signal }: { readonly signal: AbortSignal }): Promise<never> => {
      signals.push(signal);
      return new Promise((_, reject) => {
        clock.setTimer(() => {
          reject(unavailable());
        }, 70_000);
      });
    };
    await errorOf(withGitHubResilience(work, 'githubGetFileContent'), clock, 60_000);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    const { generation } = circuits.get('github:content');
    await clock.advance(600_000);
    expect(signals).toHaveLength(1);
    expect(circuits.get('github:content').metrics()).toMatchObject({ totalCalls: 1, failures: 1 });
    expect(circuits.get('github:content').generation).toBe(generation);
  });

  test('the open time begins when the circuit opens, not when the call began', async () => {
    const { clock, circuits, configureCircuit, withCircuitBreaker } = resilienceWith();
    configureCircuit('slow', { consecutiveFailures: 1, openForMs: 10_000 });
    const slow = withCircuitBreaker(
      'slow',
      () =>
        new Promise<never>((_, reject) => {
          clock.setTimer(() => {
            reject(new Error('broken'));
          }, 60_000);
        }),
    );
    await errorOf(slow, clock, 60_000);
    expect(circuits.states().get('slow')).toBe('open');
    await clock.advance(9999);
    expect(circuits.states().get('slow')).toBe('open');
    await clock.advance(1);
    expect(circuits.states().get('slow')).toBe('half-open');
  });

  test('a late failure or success does not move the end of the open time', async () => {
    const { clock, withCircuitBreaker } = resilienceWith();
    const ends: ((how: 'well' | 'badly') => void)[] = [];
    const begin = (): Promise<unknown> =>
      withCircuitBreaker(
        'api',
        () =>
          new Promise<string>((resolve, reject) => {
            ends.push((how) => {
              if (how === 'well') resolve('fine');
              else reject(new Error('broken'));
            });
          }),
      ).catch(() => undefined);
    const running = Array.from({ length: 5 }, begin);
    for (const end of ends.slice(0, 3)) end('badly');
    await clock.advance(10_000);
    ends[3]?.('badly');
    ends[4]?.('well');
    await Promise.all(running);
    await expect(withCircuitBreaker('api', () => 1)).rejects.toMatchObject({
      retryAfterMs: 20_000,
    });
  });

  test('half-open lets one of fifty through, and refuses the others', async () => {
    const { clock, withLocalResilience } = resilienceWith();
    for (let time = 0; time < 3; time++)
      await errorOf(withLocalResilience(broken, 'localFindFiles'), clock, 0);
    await clock.advance(15_000);
    let calls = 0;
    const work = async (): Promise<string> => {
      calls++;
      await Promise.resolve();
      return 'fine';
    };
    const all = await Promise.allSettled(
      Array.from({ length: 50 }, () => withLocalResilience(work, 'localFindFiles')),
    );
    expect(calls).toBe(1);
    expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(49);
  });

  test('an hour of rest and clear leave the presets as they are', async () => {
    const clock = new ManualClock();
    const circuits = createNamedCircuits({ clock });
    const { withGitHubResilience } = createResilience({ circuits });
    const openAfterTwo = async (): Promise<void> => {
      for (let time = 0; time < 2; time++)
        await errorOf(withGitHubResilience(broken, 'githubSearchCode'), clock, 0);
      await expect(withGitHubResilience(() => 'fine', 'githubSearchCode')).rejects.toMatchObject({
        retryAfterMs: 60_000,
      });
    };
    await withGitHubResilience(() => 'fine', 'githubSearchCode');
    await clock.advance(3_600_000);
    expect(circuits.sweep()).toEqual(['github:search']);
    await openAfterTwo();
    circuits.clear();
    await openAfterTwo();
  });

  test('a probe is one request, not three', async () => {
    const { clock, withPackageResilience } = resilienceWith();
    for (let time = 0; time < 3; time++)
      await errorOf(withPackageResilience(broken, 'packageSearch'), clock, 0);
    await clock.advance(30_000);
    let calls = 0;
    const work = (): Promise<never> => {
      calls++;
      return Promise.reject(unavailable());
    };
    await errorOf(withPackageResilience(work, 'packageSearch'), clock, 20_000);
    expect(calls).toBe(1);
  });

  test('retries that began before end when the circuit opens', async () => {
    const { clock, withPackageResilience } = resilienceWith();
    let calls = 0;
    const work = (): Promise<never> => {
      calls++;
      return Promise.reject(unavailable());
    };
    const first = errorOf(withPackageResilience(work, 'packageSearch'), clock, 0);
    await first;
    for (let time = 0; time < 3; time++)
      await errorOf(withPackageResilience(broken, 'packageSearch'), clock, 0);
    await clock.advance(20_000);
    expect(calls).toBe(1);
  });
});
