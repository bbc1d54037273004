import { describe, expect, test } from 'vitest';
import { createFaults } from '../testing/create-faults.ts';
import { createRandom } from '../testing/create-random.ts';
import { flakyTool } from '../testing/flaky-tool.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { CircuitBreaker } from './breaker/circuit-breaker.ts';
import { Executor } from './executor.ts';
import type { Outcome } from './executor-outcome.ts';
import type { GuardEvent } from './guard-event.ts';

const CALLS = 3000;

/** Three thousand calls, one every 10 ms, of a tool that is down for the middle third of the time. */
async function underLoad(seed: number) {
  const clock = new ManualClock();
  const random = createRandom(seed);
  const events: { readonly at: number; readonly event: GuardEvent }[] = [];
  const onEvent = (event: GuardEvent): void => {
    events.push({ at: clock.now(), event });
  };
  const faults = (share: number) =>
    createFaults({
      clock,
      seed,
      latencyMs: 200,
      error: () => Object.assign(new Error('overloaded'), { status: 503 }),
      chances: { error: share, hang: share / 4, latency: 0.1, 'is-error': share / 4 },
    });
  const work = (_: { readonly signal: AbortSignal }): string => 'ok';
  const up = flakyTool(work, faults(0.02));
  const down = flakyTool(work, faults(0.6));
  const asked: number[] = [];
  const tool = (context: { readonly signal: AbortSignal }): Promise<string> => {
    asked.push(clock.now());
    const isDown = clock.now() >= 10_000 && clock.now() < 20_000;
    return (isDown ? down : up)(context);
  };
  const circuit = new CircuitBreaker('tool', { openForMs: 1000 }, { clock, random, onEvent });
  const executor = new Executor({
    name: 'tool',
    timeoutMs: 500,
    circuits: [circuit],
    retry: { maxRetries: 2, initialDelayMs: 20 },
    clock,
    random,
    onEvent,
  });
  const running: Promise<Outcome<string>>[] = [];
  for (let call = 0; call < CALLS; call++) {
    running.push(executor.run(tool));
    await clock.advance(10);
  }
  await clock.advance(5000);
  return { outcomes: await Promise.all(running), circuit, events, asked, clock };
}

describe('timeout, circuit and retry under load', () => {
  test('settle every call, spare a tool that is down, and recover', async () => {
    const { outcomes, circuit, events, asked, clock } = await underLoad(7);
    expect(outcomes).toHaveLength(CALLS);

    const metrics = circuit.metrics();
    const { successes, failures, rejections, ignored } = metrics;
    expect(metrics.totalCalls).toBe(CALLS);
    expect(successes + failures + rejections + ignored).toBe(CALLS);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(successes);
    expect(outcomes.filter(({ attempts }) => attempts === 0)).toHaveLength(rejections);

    // While it was down, most calls were refused without asking the tool.
    const inOutage = (at: number): boolean => at >= 11_000 && at < 20_000;
    expect(asked.filter(inOutage).length).toBeLessThan(200);
    const opened = events.filter(({ event }) => event.type === 'circuit-opened');
    expect(opened.some(({ at }) => inOutage(at))).toBe(true);

    // It is well again by the end: all of the last second's calls reached it.
    expect(circuit.state).toBe('closed');
    const last = outcomes.slice(-100);
    expect(last.filter(({ ok }) => ok).length).toBeGreaterThan(90);

    // Nothing is left behind.
    expect(clock.pendingTimers).toBe(0);
    const attempts = outcomes.reduce((sum, outcome) => sum + outcome.attempts, 0);
    expect(asked).toHaveLength(attempts);
  });

  test('give the same outcomes for the same seed', async () => {
    const [one, other] = [await underLoad(3), await underLoad(3)];
    expect(one.asked).toEqual(other.asked);
    expect(one.circuit.history).toEqual(other.circuit.history);
  });
});
