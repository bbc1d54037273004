import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../testing/manual-clock.ts';
import { withTimeout } from '../timeout.ts';
import { CircuitBreaker } from './circuit-breaker.ts';

describe('call with arguments', () => {
  const breaker = (): CircuitBreaker =>
    new CircuitBreaker('sum', { consecutiveFailures: 1 }, { clock: new ManualClock() });

  test('passes them to the function', async () => {
    const sum = (...numbers: number[]): number => numbers.reduce((one, other) => one + other, 0);
    expect(await breaker().call(sum, 1, 2, 3)).toBe(6);
    expect(await breaker().call((query: { text: string }) => query.text, { text: 'a' })).toBe('a');
    expect(await breaker().call((words: string[]) => words.length, ['a', 'b'])).toBe(2);
  });

  test('counts a timeout of withTimeout around it when its signal is passed', async () => {
    const clock = new ManualClock();
    const circuit = new CircuitBreaker('slow', { consecutiveFailures: 1 }, { clock });
    const hangs = (): Promise<never> => new Promise(() => undefined);
    const calling = withTimeout(({ signal }) => circuit.call(hangs, { signal }), 20, 'slow', {
      clock,
    });
    const ended = expect(calling).rejects.toMatchObject({ code: 'tool-timeout' });
    await clock.advance(100);
    await ended;

    expect(circuit.metrics()).toMatchObject({ failures: 1, ignored: 0 });
    expect(circuit.state).toBe('open');
  });

  test('gives the same circuit_open_until for as long as the circuit is open', async () => {
    const clock = new ManualClock(0.1, 1_700_000_000_123);
    const circuit = new CircuitBreaker('open', { consecutiveFailures: 1 }, { clock });
    await circuit.call(() => Promise.reject(new Error('down'))).catch(() => undefined);
    const first = circuit.metadata().circuit_open_until;
    clock.skip(777.7);

    expect(circuit.metadata().circuit_open_until).toBe(first);
    expect(first).toBe(1_700_000_060.123);
  });
});
