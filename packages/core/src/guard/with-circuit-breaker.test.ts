import { describe, expect, test } from 'vitest';
import { CircuitOpenError } from '../errors.ts';
import type { Resilience } from './create-resilience.ts';
import { broken, resilienceWith } from './resilience-under-test.case.ts';

describe('withCircuitBreaker', () => {
  const fails = async (
    { withCircuitBreaker }: Pick<Resilience, 'withCircuitBreaker'>,
    times: number,
  ): Promise<void> => {
    for (let time = 0; time < times; time++)
      await expect(withCircuitBreaker('api', broken)).rejects.toThrow('broken');
  };

  test('passes values and errors on, and stays closed below the threshold', async () => {
    const { circuits, withCircuitBreaker } = resilienceWith();
    expect(await withCircuitBreaker('api', () => Promise.resolve(7))).toBe(7);
    await fails({ withCircuitBreaker }, 2);
    expect(await withCircuitBreaker('api', () => 8)).toBe(8);
    // A success begins a new row.
    await fails({ withCircuitBreaker }, 2);
    expect(circuits.healthy('api')).toBe(true);
  });

  test('refuses at once when open, and says until when', async () => {
    const { clock, withCircuitBreaker } = resilienceWith();
    await fails({ withCircuitBreaker }, 3);
    await clock.advance(10_000);
    let calls = 0;
    const refused = withCircuitBreaker('api', () => ++calls);
    await expect(refused).rejects.toBeInstanceOf(CircuitOpenError);
    await expect(refused).rejects.toMatchObject({
      circuit: 'api',
      retryAfterMs: 20_000,
      message: 'circuit api is open; retry in 20 s',
    });
    expect(calls).toBe(0);
  });

  test('uses the fallback when open, never when the call fails', async () => {
    const { clock, withCircuitBreaker } = resilienceWith();
    const call = (): Promise<string> =>
      withCircuitBreaker('api', broken, ({ retryAfterMs }) => `cached, ${retryAfterMs}`);
    for (let time = 0; time < 3; time++) await expect(call()).rejects.toThrow('broken');
    expect(await call()).toBe('cached, 30000');
    await clock.advance(30_000);
    // Half-open: this call is made.
    await expect(call()).rejects.toThrow('broken');
    expect(await call()).toBe('cached, 30000');
  });

  test('closes after as many successes as its circuit asks for', async () => {
    const { clock, circuits, withCircuitBreaker } = resilienceWith();
    await fails({ withCircuitBreaker }, 3);
    await clock.advance(30_000);
    await withCircuitBreaker('api', () => 1);
    expect(circuits.states().get('api')).toBe('half-open');
    await withCircuitBreaker('api', () => 2);
    expect(circuits.states().get('api')).toBe('closed');
  });

  test('goes by what was configured', async () => {
    const { clock, circuits, configureCircuit, withCircuitBreaker } = resilienceWith();
    configureCircuit('api', { consecutiveFailures: 1, successesToClose: 1, openForMs: 500 });
    await fails({ withCircuitBreaker }, 1);
    expect(circuits.healthy('api')).toBe(false);
    await clock.advance(500);
    await withCircuitBreaker('api', () => 1);
    expect(circuits.states().get('api')).toBe('closed');
  });
});
