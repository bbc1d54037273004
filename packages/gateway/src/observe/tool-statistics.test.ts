import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, test } from 'vitest';
import { callEnded } from './gateway-event.case.ts';
import type { CallEnded } from './gateway-event.ts';
import { Observer } from './observer.ts';
import { MOST_FAILURES, MOST_TOOLS, ToolStatistics } from './tool-statistics.ts';

function tools() {
  const observer = new Observer({ clock: new ManualClock(0, Date.UTC(2026, 0, 1)) });
  const counted = new ToolStatistics();
  observer.subscribe((event) => counted.take(event));
  return {
    observer,
    counted,
    ended: (changed: Partial<CallEnded>) => observer.emit('mcp', callEnded(changed)),
  };
}

const FAILED = {
  outcome: 'failed',
  class: 'server',
  failureType: 'server_error',
  message: 'HTTP 502',
  advice: 'Leave it.',
} as const;

describe('the tools of a gateway', () => {
  test('are told with what became of their calls', () => {
    const { counted, ended } = tools();
    ended({});
    ended({ durationMs: undefined });
    ended({ ...FAILED, adviceRules: ['same-call'] });
    ended({ outcome: 'refused', class: 'refused', failureType: 'denied' });
    ended({ server: undefined, tool: 'bash' });
    const [pay, bash] = counted.tools();
    expect(pay).toMatchObject({
      server: 'shop',
      tool: 'pay',
      calls: 4,
      ok: 2,
      failed: 1,
      refused: 1,
      success_rate: 0.667,
      classes: { server: 1, refused: 1 },
      types: { server_error: 1 },
      last_failure: { seq: 4, outcome: 'refused', at: '2026-01-01T00:00:00.000Z' },
      loops: 1,
    });
    expect(bash).toMatchObject({ server: null, tool: 'bash', calls: 1, last_failure: null });
  });

  test('are told apart by whether they failed or were not sent', () => {
    const { counted, ended } = tools();
    ended(FAILED);
    for (let times = 0; times < 9; times++) ended({ outcome: 'refused', class: 'refused' });
    expect(counted.failures(5, 'failed')).toMatchObject([{ seq: 1, outcome: 'failed' }]);
    expect(counted.failures(5, 'refused')).toHaveLength(5);
    expect(counted.failures(50)).toHaveLength(10);
  });

  test('that were only refused have no success rate', () => {
    const { counted, ended } = tools();
    ended({ outcome: 'refused' });
    expect(counted.tools()).toMatchObject([{ success_rate: null, p50_ms: null }]);
  });

  test('know of loops in the calls of agents too', () => {
    const { counted, ended, observer } = tools();
    ended({ server: undefined, tool: 'bash' });
    const advice = { type: 'advice-given', tool: 'bash', rules: ['cycle'], log: '' } as const;
    observer.emit('sidecar', advice);
    // The end of the call has told this one.
    observer.emit('mcp', advice);
    expect(counted.tools()).toMatchObject([{ tool: 'bash', loops: 1 }]);
  });

  test('are five hundred at most, however many names a model makes up', () => {
    const { counted, ended } = tools();
    for (let call = 0; call < 20; call++) ended({ tool: 'real' });
    for (let name = 0; name < 10_000; name++)
      ended({ ...FAILED, server: undefined, tool: `made-up-${name}` });
    const told = counted.tools();
    const kept = told.length - 2;
    expect(told.length).toBeLessThanOrEqual(MOST_TOOLS + 1);
    expect(told.length).toBeGreaterThan(MOST_TOOLS / 2);
    expect(told[0]).toMatchObject({ tool: 'real', calls: 20 });
    // The newest are kept, and none is lost from the sums.
    expect(told[kept]).toMatchObject({ tool: 'made-up-9999' });
    expect(told.at(-1)).toMatchObject({
      server: null,
      tool: 'other',
      calls: 10_000 - kept,
      types: { server_error: 10_000 - kept },
      last_failure: { tool: `made-up-${10_000 - kept - 1}` },
    });
    expect(counted.failures(100_000)).toHaveLength(MOST_FAILURES);
  });
});

test('the last failures come newest first, in the words of the API', () => {
  const { counted, ended } = tools();
  ended({ ...FAILED, id: 'a', durationMs: 12.345 });
  ended({});
  ended({ ...FAILED, id: 'b', outcome: 'refused', durationMs: undefined });
  expect(counted.failures(10)).toMatchObject([{ id: 'b' }, { id: 'a' }]);
  expect(counted.failures(1)).toMatchObject([{ id: 'b', outcome: 'refused', duration_ms: null }]);
  expect(counted.failures(10)[1]).toEqual({
    seq: 1,
    at: '2026-01-01T00:00:00.000Z',
    source: 'mcp',
    type: 'call-ended',
    id: 'a',
    server: 'shop',
    tool: 'pay',
    outcome: 'failed',
    class: 'server',
    failure_type: 'server_error',
    message: 'HTTP 502',
    attempts: 1,
    duration_ms: 12.3,
    repairs: [],
    advice: 'Leave it.',
  });
});
