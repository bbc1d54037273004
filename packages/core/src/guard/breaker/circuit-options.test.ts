import { describe, expect, test } from 'vitest';
import { InvalidOptionError } from '../../errors.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { CIRCUIT_DEFAULTS, resolveCircuitOptions } from './circuit-options.ts';
import type { CircuitOptions } from './circuit-options.ts';

const aShare = 'a number above 0 and up to 1, or Infinity';
const aCount = 'a whole number of at least 1';

describe('options', () => {
  test('are the defaults where nothing is said, the very same', () => {
    expect(resolveCircuitOptions(CIRCUIT_DEFAULTS)).toBe(CIRCUIT_DEFAULTS);
  });

  test('may say what holds anyway', () => {
    const { mode, scope, onStoreLoss } = CIRCUIT_DEFAULTS;
    expect([mode, scope, onStoreLoss]).toEqual(['enforce', 'fleet', 'local']);
    expect(resolveCircuitOptions({ mode, scope, onStoreLoss })).toEqual(CIRCUIT_DEFAULTS);
  });

  test('of time and chance are named where they cannot work', () => {
    const environment = { clocks: 1 } as object;
    expect(() => new CircuitBreaker('c', {}, environment)).toThrow('environment.clocks');
  });
});

describe('options that cannot work', () => {
  test.each<[object, string]>([
    [
      { consecutiveFailures: 0 },
      `circuit.consecutiveFailures: expected ${aCount}, or Infinity, got 0`,
    ],
    [
      { consecutiveFailures: -1 },
      `circuit.consecutiveFailures: expected ${aCount}, or Infinity, got -1`,
    ],
    [
      { consecutiveFailures: 2.5 },
      `circuit.consecutiveFailures: expected ${aCount}, or Infinity, got 2.5`,
    ],
    [
      { consecutiveFailures: '5' },
      `circuit.consecutiveFailures: expected ${aCount}, or Infinity, got "5"`,
    ],
    [{ failureRatio: 1.1 }, `circuit.failureRatio: expected ${aShare}, got 1.1`],
    [{ failureRatio: 0 }, `circuit.failureRatio: expected ${aShare}, got 0`],
    [{ failureRatio: 50 }, `circuit.failureRatio: expected ${aShare}, got 50`],
    [{ failureRatio: NaN }, `circuit.failureRatio: expected ${aShare}, got NaN`],
    [
      { slowCallRatio: -0.5, slowCallMs: 10 },
      `circuit.slowCallRatio: expected ${aShare}, got -0.5`,
    ],
    [{ windowMs: 0 }, 'circuit.windowMs: expected milliseconds, at least 1, got 0'],
    [{ windowMs: Infinity }, 'circuit.windowMs: expected milliseconds, at least 1, got Infinity'],
    [{ minCalls: 0 }, `circuit.minCalls: expected ${aCount}, got 0`],
    [{ openForMs: -5 }, 'circuit.openForMs: expected milliseconds, at least 1, got -5'],
    [{ openForMs: NaN }, 'circuit.openForMs: expected milliseconds, at least 1, got NaN'],
    [{ openForMs: '60s' }, 'circuit.openForMs: expected milliseconds, at least 1, got "60s"'],
    [{ openForGrowth: 0.5 }, 'circuit.openForGrowth: expected a number from 1 to 1000, got 0.5'],
    [{ openForJitter: 2 }, 'circuit.openForJitter: expected a number from 0 to 1, got 2'],
    [{ probes: 0 }, `circuit.probes: expected ${aCount}, got 0`],
    [{ successesToClose: null }, `circuit.successesToClose: expected ${aCount}, got null`],
    [
      { probeLeaseMs: 0 },
      'circuit.probeLeaseMs: expected milliseconds, at least 1, or Infinity, got 0',
    ],
    [{ opensOnRetryAfter: 1 }, 'circuit.opensOnRetryAfter: expected true or false, got 1'],
    [{ mode: 'audit' }, `circuit.mode: expected 'enforce' or 'shadow', got "audit"`],
    [{ historySize: -1 }, 'circuit.historySize: expected a whole number of at least 0, got -1'],
    [{ counts: ['auth'] }, 'circuit.counts: expected an object, got an array'],
    [{ counts: { auth: 'yes' } }, 'circuit.counts.auth: expected true or false, got "yes"'],
    [
      { counts: { boom: true } },
      'circuit.counts: expected classes of failures (transport, timeout, server, rate-limited, tool-error, ' +
        'invalid-arguments, auth, not-found, cancelled, refused), got "boom"',
    ],
    [
      { counts: JSON.parse('{"__proto__": true}') as object },
      'circuit.counts: expected classes of failures',
    ],
    [
      { slowCallMs: 1000 },
      'circuit.slowCallRatio: expected a share, with slowCallMs, got Infinity',
    ],
    [
      { slowCallRatio: 0.5 },
      'circuit.slowCallMs: expected milliseconds, with slowCallRatio, got Infinity',
    ],
    [
      { failureTreshold: 3 },
      'circuit.failureTreshold: expected an option that exists (consecutiveFailures, ',
    ],
    [{ toString: 3 }, 'circuit.toString: expected an option that exists (consecutiveFailures, '],
    [[], 'circuit: expected an object, got an array'],
  ])('are refused by name, value and what was expected: %o', (options, message) => {
    const make = (): CircuitBreaker => new CircuitBreaker('search', options);
    expect(make).toThrow(InvalidOptionError);
    expect(make).toThrow(message);
  });

  test.each([5, 'fast', null])('are refused when they are no options: %o', (options: unknown) => {
    const make = (): CircuitBreaker => new CircuitBreaker('search', options as CircuitOptions);
    expect(make).toThrow('circuit: expected an object, got');
  });

  test.each(['', 7, undefined])('are refused when the name is %o', (name) => {
    expect(() => new CircuitBreaker(name as string)).toThrow(
      'circuit name: expected a string that is not empty, got',
    );
  });
});

describe('resolveCircuitOptions', () => {
  test('takes the defaults for what is left out, and for undefined', () => {
    const options: unknown = { openForMs: 5, minCalls: undefined };
    expect(resolveCircuitOptions(options as CircuitOptions)).toEqual({
      ...CIRCUIT_DEFAULTS,
      openForMs: 5,
    });
  });

  test('puts options over a base, and counts over its counts', () => {
    const base = resolveCircuitOptions({
      openForMs: 5,
      minCalls: 7,
      counts: { auth: true, 'tool-error': false },
    });
    const settings = resolveCircuitOptions({ minCalls: 3, counts: { auth: false } }, base);
    expect(settings).toEqual({
      ...CIRCUIT_DEFAULTS,
      openForMs: 5,
      minCalls: 3,
      counts: { auth: false, 'tool-error': false },
    });
  });

  test('can switch every rule off', () => {
    const breaker = new CircuitBreaker('search', {
      consecutiveFailures: Infinity,
      failureRatio: Infinity,
    });
    for (let call = 0; call < 1000; call++) {
      const permit = breaker.acquire();
      if ('isRefused' in permit) throw new Error('refused');
      breaker.settle(permit, { class: 'server', message: 'HTTP 500' });
    }
    expect(breaker.state).toBe('closed');
  });

  test('makes settings that nobody can change', () => {
    const settings = resolveCircuitOptions({ openForMs: 5 });
    expect(Object.isFrozen(settings)).toBe(true);
    expect(Object.isFrozen(CIRCUIT_DEFAULTS)).toBe(true);
    expect(resolveCircuitOptions(settings)).toBe(settings);
  });
});
