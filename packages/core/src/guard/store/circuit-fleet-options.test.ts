import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../testing/manual-clock.ts';
import { CIRCUIT_FLEET_DEFAULTS, checkFleetOptions } from './circuit-fleet-options.ts';
import { MemoryCircuitStore } from './memory-circuit-store.ts';

const OPERATIONS = ['report', 'lease', 'settle', 'override', 'join', 'leave', 'replicas'];

const store = new MemoryCircuitStore({ clock: new ManualClock() });
const check = (options: object): void => {
  checkFleetOptions({ store, ...options });
};

describe('the options of a fleet', () => {
  it('have the documented defaults', () => {
    expect(CIRCUIT_FLEET_DEFAULTS).toEqual({
      flushMs: [250, 1000],
      maxCommandsPerSecond: 5000,
      storeTimeoutMs: 500,
      heartbeatMs: 5000,
      version: '',
    });
  });

  it.each([
    [{}],
    [{ flushMs: [1, 1] }],
    [{ flushMs: [250, 1000], version: '', replica: 'a' }],
    [{ version: '1.2.3', heartbeatMs: 100, storeTimeoutMs: 1, maxCommandsPerSecond: 1 }],
  ])('may be %j', (options) => {
    expect(() => check(options)).not.toThrow();
  });

  it.each([
    [{ flushMs: 250 }, 'fleet.flushMs: expected the least and the most milliseconds, at least 1'],
    [{ flushMs: [] }, 'fleet.flushMs'],
    [{ flushMs: [0, 10] }, 'fleet.flushMs'],
    [{ flushMs: [10] }, 'fleet.flushMs'],
    [{ flushMs: [10, Infinity] }, 'fleet.flushMs'],
    [{ flushMs: [10, 9] }, 'fleet.flushMs'],
    [{ flushMs: ['1', 2] }, 'fleet.flushMs'],
    [{ version: 1 }, 'fleet.version: expected a string, got 1'],
    [{ heartbeatMs: 99 }, 'fleet.heartbeatMs'],
    [{ storeTimeoutMs: 0 }, 'fleet.storeTimeoutMs'],
    [{ maxCommandsPerSecond: 0 }, 'fleet.maxCommandsPerSecond'],
    [{ store: undefined }, 'fleet.store: expected a store of circuits'],
    [{ store: 'redis' }, 'fleet.store'],
    [{ stores: store }, 'fleet.stores'],
  ])('cannot be %j', (options, message) => {
    expect(() => check(options)).toThrow(message);
  });

  it.each(OPERATIONS)('cannot have a store without %s', (missing) => {
    const operations = OPERATIONS.map((name) => [name, () => undefined] as const);
    const whole = Object.fromEntries(operations);
    expect(() => check({ store: whole })).not.toThrow();
    expect(() => check({ store: { ...whole, [missing]: true } })).toThrow(
      `fleet.store: expected a store of circuits (an object with ${OPERATIONS.join(', ')})`,
    );
  });
});
