import { describe, expect, test } from 'vitest';
import { CircuitMachine } from './circuit-machine.ts';

function opened(): CircuitMachine {
  const circuit = new CircuitMachine({ consecutiveFailures: 2, openForMs: 100 });
  for (let failure = 0; failure < 2; failure++) {
    const permit = circuit.acquire(0);
    if (permit !== undefined) circuit.settle(permit, false, 0);
  }
  return circuit;
}

describe('CircuitMachine', () => {
  test('lets calls through while closed', () => {
    const circuit = new CircuitMachine({ consecutiveFailures: 2, openForMs: 100 });
    expect(circuit.acquire(0)).toEqual({ generation: 0 });
    expect(circuit.state).toBe('closed');
  });

  test('opens at the number of failures in a row, not before', () => {
    const circuit = new CircuitMachine({ consecutiveFailures: 2, openForMs: 100 });
    const outcomes = [false, true, false];
    for (const succeeded of outcomes)
      circuit.settle(circuit.acquire(0) ?? { generation: -1 }, succeeded, 0);
    expect(circuit.state).toBe('closed');
    circuit.settle(circuit.acquire(0) ?? { generation: -1 }, false, 0);
    expect(circuit.state).toBe('open');
  });

  test('refuses calls while open', () => {
    expect(opened().acquire(99)).toBe(undefined);
  });

  test('lets one probe through once the open time is over, and refuses others meanwhile', () => {
    const circuit = opened();
    expect(circuit.acquire(100)).toEqual({ generation: 2 });
    expect(circuit.acquire(100)).toBe(undefined);
    expect(circuit.state).toBe('half-open');
  });

  test('closes when the probe succeeds and opens again when it fails', () => {
    for (const [succeeded, state] of [
      [true, 'closed'],
      [false, 'open'],
    ] as const) {
      const circuit = opened();
      const probe = circuit.acquire(100);
      if (probe !== undefined) circuit.settle(probe, succeeded, 150);
      expect(circuit.state).toBe(state);
      expect(circuit.acquire(200) === undefined).toBe(!succeeded);
    }
  });

  test('ignores the late result of an earlier state', () => {
    const circuit = new CircuitMachine({ consecutiveFailures: 1, openForMs: 100 });
    const early = circuit.acquire(0);
    const trip = circuit.acquire(0);
    if (trip !== undefined) circuit.settle(trip, false, 0);
    if (early !== undefined) circuit.settle(early, true, 10);
    expect(circuit.state).toBe('open');
  });
});
