import { describe, expect, test } from 'vitest';
import { CircuitOpenError, ToolTimeoutError } from '../errors.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { Circuits } from './circuits.ts';
import { createResilience } from './create-resilience.ts';
import type { Resilience } from './create-resilience.ts';
import { TOOL_CIRCUITS } from './presets/tool-circuits.ts';
import {
  broken,
  errorOf,
  hang,
  resilienceWith,
  unavailable,
} from './resilience-under-test.case.ts';

interface Wrapper {
  readonly call: (from: Resilience) => Resilience['withGitHubResilience'];
  readonly category: string;
  readonly tool: string;
  readonly passing: () => Error;
  readonly waits: readonly number[];
  readonly timeoutMs: number;
}

const wrappers: readonly Wrapper[] = [
  {
    call: ({ withGitHubResilience }) => withGitHubResilience,
    category: 'github',
    tool: 'githubSearchCode',
    passing: unavailable,
    waits: [1000, 3000],
    timeoutMs: 60_000,
  },
  {
    call: ({ withLspResilience }) => withLspResilience,
    category: 'lsp',
    tool: 'lspGotoDefinition',
    passing: () => new Error('language server not ready'),
    waits: [500, 1000],
    timeoutMs: 30_000,
  },
  {
    call: ({ withLocalResilience }) => withLocalResilience,
    category: 'local',
    tool: 'localSearchCode',
    passing: () => Object.assign(new Error('busy'), { code: 'EBUSY' }),
    waits: [100],
    timeoutMs: 30_000,
  },
  {
    call: ({ withPackageResilience }) => withPackageResilience,
    category: 'package',
    tool: 'packageSearch',
    passing: unavailable,
    waits: [1000, 2000],
    timeoutMs: 30_000,
  },
];

describe.each(wrappers)('the wrapper for $category', (wrapper) => {
  const { call, category, tool, passing, waits, timeoutMs } = wrapper;

  test('passes on what the tool returns, and what it throws', async () => {
    const resilience = resilienceWith();
    expect(await call(resilience)(() => 'fine', tool)).toBe('fine');
    await expect(call(resilience)(broken, tool)).rejects.toThrow('broken');
  });

  test('retries what may pass, with the delays of its kind', async () => {
    const { clock, lines, ...resilience } = resilienceWith();
    const error = passing();
    const at: number[] = [];
    const work = (): Promise<never> => {
      at.push(clock.now());
      return Promise.reject(error);
    };
    expect(await errorOf(call(resilience)(work, tool), clock)).toBe(error);
    const starts = waits.reduce((times, wait) => [...times, (times.at(-1) ?? 0) + wait], [0]);
    expect(at).toEqual(starts);
    expect(lines).toEqual(
      waits.map((wait, n) => `Retry ${n + 1}/${waits.length + 1} for ${tool} in ${wait}ms`),
    );
  });

  test('does not retry what will not pass', async () => {
    const { clock, ...resilience } = resilienceWith();
    let calls = 0;
    const work = (): Promise<never> => {
      calls++;
      return broken();
    };
    await errorOf(call(resilience)(work, tool), clock);
    expect(calls).toBe(1);
  });

  test('ends what takes too long, under the name of the tool', async () => {
    const { clock, ...resilience } = resilienceWith();
    const call1 = call(resilience)(hang, tool);
    const error = await errorOf(call1, clock, timeoutMs);
    expect(error).toBeInstanceOf(ToolTimeoutError);
    expect(error).toMatchObject({ label: `${tool}:timeout`, timeoutMs });
  });

  test('stops calling while the circuit of the tool is open', async () => {
    const { clock, circuits, ...resilience } = resilienceWith();
    const circuit = circuits.forTool(tool)[0];
    const guarded = call({ circuits, ...resilience });
    for (let time = 0; time < circuit.settings.consecutiveFailures; time++)
      await errorOf(guarded(broken, tool), clock, 0);
    let calls = 0;
    const error = await errorOf(
      guarded(() => ++calls, tool),
      clock,
      0,
    );
    expect(error).toBeInstanceOf(CircuitOpenError);
    expect(error).toMatchObject({
      circuit: TOOL_CIRCUITS[tool],
      retryAfterMs: circuit.settings.openForMs,
    });
    expect(calls).toBe(0);
  });

  test.each([undefined, '', 'never heard of'])(
    'uses the circuit of its kind for the tool %j',
    async (name) => {
      const { circuits, ...resilience } = resilienceWith();
      await call({ circuits, ...resilience })(() => 'fine', name);
      expect(circuits.list().map((circuit) => circuit.name)).toEqual([category]);
    },
  );

  test('ends when the caller gives up, which says nothing about the tool', async () => {
    const { clock, circuits, ...resilience } = resilienceWith();
    const controller = new AbortController();
    const { signal } = controller;
    let seen: AbortSignal | undefined;
    const work = (context: { readonly signal: AbortSignal }): Promise<never> => {
      seen = context.signal;
      return hang();
    };
    const running = call({ circuits, ...resilience })(work, tool, { signal });
    controller.abort(new Error('enough'));
    expect(await errorOf(running, clock, 0)).toMatchObject({ message: 'enough' });
    expect(seen?.aborted).toBe(true);
    expect(circuits.forTool(tool)[0].metrics()).toMatchObject({ failures: 0, ignored: 1 });
  });
});

describe('withResilience', () => {
  test('ends when the caller gives up', async () => {
    const { clock, withResilience } = resilienceWith();
    const controller = new AbortController();
    const running = withResilience('github', hang, { signal: controller.signal });
    controller.abort(new Error('enough'));
    expect(await errorOf(running, clock, 0)).toMatchObject({ message: 'enough' });
  });

  test.each(Object.entries(TOOL_CIRCUITS))('%s goes through %s', async (tool, circuit) => {
    const { circuits, withResilience } = resilienceWith();
    const category = circuit.split(':')[0] as 'github';
    await withResilience(category, () => 'fine', { tool });
    expect(circuits.list().map(({ name }) => name)).toEqual([circuit]);
  });

  test('puts the timeout around the circuit around the retries', async () => {
    const { clock, circuits, lines, withResilience } = resilienceWith();
    const tool = 'githubGetFileContent';
    const retried = withResilience('github', () => Promise.reject(unavailable()), { tool });
    await errorOf(retried, clock, 4000);
    // Three attempts are one failure of the circuit: the retries are inside it.
    expect(circuits.get('github:content').metrics()).toMatchObject({ totalCalls: 1, failures: 1 });

    // A call that never ends is one failure too: the circuit is inside the timeout, and hears of it.
    await errorOf(withResilience('github', hang, { tool }), clock, 60_000);
    expect(circuits.get('github:content').metrics()).toMatchObject({ totalCalls: 2, failures: 2 });

    // The timeout holds for all attempts together.
    const startedAt = clock.now();
    let endedAt = 0;
    const slow = withResilience(
      'github',
      () =>
        new Promise<never>((_, reject) => {
          clock.setTimer(() => {
            reject(unavailable());
          }, 25_000);
        }),
      { tool },
    );
    slow.catch(() => {
      endedAt = clock.now();
    });
    await clock.advance(120_000);
    expect(endedAt - startedAt).toBe(60_000);
    expect(lines).toContain('githubGetFileContent timed out after 60000ms');
  });

  test('tells what happens in lines', async () => {
    const { clock, lines, withGitHubResilience } = resilienceWith();
    const search = (work: () => string): Promise<unknown> =>
      errorOf(withGitHubResilience(work, 'githubSearchCode'), clock, 5000);
    const down = (): never => {
      throw unavailable();
    };
    await search(down);
    await search(down);
    await search(() => 'fine');
    await clock.advance(60_000);
    await search(down);
    await clock.advance(60_000);
    await search(() => 'fine');
    expect(lines).toEqual([
      'Retry 1/3 for githubSearchCode in 1000ms',
      'Retry 2/3 for githubSearchCode in 3000ms',
      'Retry 1/3 for githubSearchCode in 1000ms',
      'Retry 2/3 for githubSearchCode in 3000ms',
      'Circuit github:search OPENED after 2 failures',
      'Circuit github:search is OPEN - 59s until retry',
      'Circuit github:search entering half-open state',
      'No retry for githubSearchCode after attempt 1: its circuit is half-open and tries single calls',
      'Circuit github:search back to OPEN after half-open failure',
      'Circuit github:search entering half-open state',
      'Circuit github:search CLOSED after recovery',
    ]);
  });

  test('takes kinds of tools of your own', async () => {
    const clock = new ManualClock();
    const { circuits, withResilience } = createResilience({
      clock,
      categories: { mail: { retry: { maxRetries: 1, jitter: 'none' } } },
    });
    let calls = 0;
    const work = (): Promise<never> => {
      calls++;
      return Promise.reject(unavailable());
    };
    await errorOf(withResilience('mail', work, { tool: 'send' }), clock);
    expect(calls).toBe(2);
    expect(circuits.list().map(({ name }) => name)).toEqual(['mail']);
    const error = await errorOf(withResilience('mail', hang), clock, 30_000);
    expect(error).toMatchObject({ label: 'mail:timeout', timeoutMs: 30_000 });
  });

  test('refuses a kind that does not exist', async () => {
    const { withResilience } = resilienceWith();
    await expect(withResilience('toString' as 'local', () => 'fine')).rejects.toThrow(
      'category: expected one of github, lsp, local, package, got "toString"',
    );
  });

  test('keeps no more for a flood of names than for a few', async () => {
    const { circuits, withLocalResilience } = resilienceWith();
    for (let at = 0; at < 3000; at++) await withLocalResilience(() => at, `made-up-${at}`);
    expect(await withLocalResilience(() => 'fine', 'x'.repeat(100_000))).toBe('fine');
    expect(circuits.size).toBe(1);
  });

  test('follows a tool that is mapped elsewhere', async () => {
    const { circuits, withLocalResilience } = resilienceWith();
    await withLocalResilience(() => 'fine', 'localFindFiles');
    circuits.mapTool('localFindFiles', 'files');
    await withLocalResilience(() => 'fine', 'localFindFiles');
    expect(circuits.list().map(({ name }) => name)).toEqual(['local', 'files']);
  });
});

describe('createResilience', () => {
  test('makes circuits that nobody shares', async () => {
    const clock = new ManualClock();
    const one = createResilience({ clock });
    const other = createResilience({ clock });
    for (let time = 0; time < 3; time++)
      await errorOf(one.withLocalResilience(broken, 'localFindFiles'), clock, 0);
    expect(one.circuits.healthy('local')).toBe(false);
    expect(await other.withLocalResilience(() => 'fine', 'localFindFiles')).toBe('fine');
  });

  test('uses the circuits it is given, and their clock', async () => {
    const clock = new ManualClock();
    const circuits = new Circuits({ clock, tools: { localFindFiles: 'mine' } });
    const { withLocalResilience } = createResilience({ circuits });
    const error = await errorOf(withLocalResilience(hang, 'localFindFiles'), clock, 30_000);
    expect(error).toBeInstanceOf(ToolTimeoutError);
    expect(circuits.get('mine').metrics().failures).toBe(1);
  });

  test.each<[object, string]>([
    [{ circuits: {} }, 'resilience.circuits: expected a Circuits, got an object'],
    [{ circuit: 1 }, 'resilience.circuit: expected an option that exists'],
    [{ categories: { a: { retry: { maxRetries: -1 } } } }, 'retry.maxRetries: expected'],
    [{ categories: { a: { timeout: 5 } } }, 'executor.timeout: expected an option that exists'],
  ])('refuses %j', (options, message) => {
    expect(() => createResilience(options)).toThrow(message);
  });
});
