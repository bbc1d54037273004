import { describe, expect, test } from 'vitest';
import { createFaults } from './create-faults.ts';
import type { FaultOptions } from './create-faults.ts';
import { flakyTool } from './flaky-tool.ts';
import { ManualClock } from './manual-clock.ts';

interface Context {
  readonly signal?: AbortSignal;
}

/** A tool that says what it was asked, and how often. */
function countingTool(): {
  tool: (query: string, context?: Context) => string;
  runs: () => number;
} {
  let runs = 0;
  return { tool: (query) => `found ${query} ${++runs}`, runs: () => runs };
}

function flaky(options: FaultOptions): {
  search: (query: string, context?: Context) => Promise<string>;
  runs: () => number;
} {
  const { tool, runs } = countingTool();
  return { search: flakyTool(tool, options), runs };
}

describe('flakyTool', () => {
  test('is the tool where there is no fault', async () => {
    const { search, runs } = flaky({});
    expect(await search('cats')).toBe('found cats 1');
    expect(runs()).toBe(1);
  });

  test('throws instead of calling the tool', async () => {
    const { search, runs } = flaky({ script: ['error'] });
    await expect(search('cats')).rejects.toThrow('injected fault');
    expect(runs()).toBe(0);
    expect(await search('cats')).toBe('found cats 1');
  });

  test('throws what it is told to throw', async () => {
    const error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const { search } = flaky({ script: [{ kind: 'error', error }] });
    await expect(search('cats')).rejects.toBe(error);
  });

  test('loses the answer of a tool that did its work', async () => {
    const { search, runs } = flaky({ script: ['lost-answer'] });
    await expect(search('cats')).rejects.toThrow('injected fault');
    expect(runs()).toBe(1);
  });

  test('returns a result that says it is an error', async () => {
    const { search, runs } = flaky({ script: [{ kind: 'is-error', text: 'disk full' }] });
    expect(await search('cats')).toEqual({
      content: [{ type: 'text', text: 'disk full' }],
      isError: true,
    });
    expect(runs()).toBe(0);
  });

  test('returns what is no result', async () => {
    const { search } = flaky({ script: ['malformed', { kind: 'malformed', result: null }] });
    const cutOff: unknown = await search('cats');
    expect(() => void JSON.parse(cutOff as string)).toThrow(SyntaxError);
    expect(await search('cats')).toBe(null);
  });

  test('calls the tool later, on the clock it was given', async () => {
    const clock = new ManualClock();
    const { search, runs } = flaky({ script: ['latency'], latencyMs: 200, clock });
    const answer = search('cats');
    await clock.advance(199);
    expect(runs()).toBe(0);
    await clock.advance(1);
    expect(await answer).toBe('found cats 1');
    expect(clock.pendingTimers).toBe(0);
  });

  test('hangs until the caller aborts, without a timer', async () => {
    const clock = new ManualClock();
    const { search, runs } = flaky({ script: ['hang'], clock });
    const controller = new AbortController();
    let ended = false;
    const answer = search('cats', { signal: controller.signal }).finally(() => (ended = true));
    await clock.advance(3_600_000);
    expect([ended, clock.pendingTimers]).toEqual([false, 0]);
    controller.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
    expect(runs()).toBe(0);
  });

  test('waits no longer once the caller aborts', async () => {
    const clock = new ManualClock();
    const { search, runs } = flaky({ script: ['latency'], clock });
    const controller = new AbortController();
    const answer = search('cats', { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
    await clock.advance(10_000);
    expect([runs(), clock.pendingTimers]).toEqual([0, 0]);
  });

  test('does not begin to wait for a caller who has aborted', async () => {
    const { search } = flaky({ script: ['hang'] });
    const signal = AbortSignal.abort(new Error('before'));
    await expect(search('cats', { signal })).rejects.toThrow('before');
  });

  test('finds a signal that is an argument of its own', async () => {
    const tool = (_: string, signal: AbortSignal): boolean => signal.aborted;
    const answer = flakyTool(tool, { script: ['hang'] })('x', AbortSignal.abort(new Error('own')));
    await expect(answer).rejects.toThrow('own');
  });

  test('shares one script with other tools', async () => {
    const faults = createFaults({ script: ['ok', 'error', 'ok'] });
    const search = flakyTool(() => 'found', faults);
    const read = flakyTool(() => 'read', faults);
    expect(await search()).toBe('found');
    await expect(read()).rejects.toThrow('injected fault');
    expect(await read()).toBe('read');
    expect(faults.dealt).toEqual(['ok', 'error', 'ok']);
  });
});
