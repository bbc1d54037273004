import { describe, expect, test } from 'vitest';
import { CIRCUIT_RULES, CircuitMachine } from './circuit-machine.ts';
import type { CircuitRules, Transition } from './circuit-machine.ts';

const never = Infinity;

function machineWith(
  rules: Partial<CircuitRules>,
  random: () => number = () => 0,
): { machine: CircuitMachine; told: Transition[] } {
  const told: Transition[] = [];
  const transitioned = (transition: Transition): void => void told.push(transition);
  return {
    machine: new CircuitMachine({ ...CIRCUIT_RULES, ...rules }, random, { transitioned }),
    told,
  };
}

function fail(machine: CircuitMachine, times: number, now: number, retryAfterMs = 0): void {
  for (let failure = 0; failure < times; failure++)
    machine.settle(machine.acquire(now)!, 'failure', now, retryAfterMs);
}

describe('failures in a row', () => {
  test('are ended by a success, and by nothing that is ignored or late', () => {
    const { machine } = machineWith({});
    const late = machine.acquire(0)!;
    machine.reset(0);
    fail(machine, 1, 0);
    machine.settle(late, 'success', 0);
    machine.settle(machine.acquire(0)!, 'ignored', 0);
    expect(machine.consecutiveFailures).toBe(1);
    machine.settle(machine.acquire(0)!, 'success', 0);
    expect(machine.consecutiveFailures).toBe(0);
  });

  test('count a call once, however often it is settled', () => {
    const { machine } = machineWith({ consecutiveFailures: 2 });
    const permit = machine.acquire(0)!;
    for (let time = 0; time < 3; time++) machine.settle(permit, 'failure', 0);
    expect([machine.stateAt(0), machine.consecutiveFailures]).toEqual(['closed', 1]);
  });

  test('are no row when they are too far apart', () => {
    const { machine } = machineWith({ consecutiveFailures: 2, consecutiveMaxAgeMs: 50 });
    fail(machine, 1, 0);
    fail(machine, 1, 51);
    expect([machine.stateAt(51), machine.consecutiveFailures]).toEqual(['closed', 1]);
    fail(machine, 1, 101);
    expect(machine.stateAt(101)).toBe('open');
  });

  test('begin anew with every state', () => {
    const { machine } = machineWith({ consecutiveFailures: 2, openForMs: 100 });
    fail(machine, 2, 0);
    machine.settle(machine.acquire(100)!, 'success', 100);
    fail(machine, 1, 100);
    expect([machine.stateAt(100), machine.consecutiveFailures]).toEqual(['closed', 1]);
  });
});

describe('the share of failures', () => {
  const rules = { consecutiveFailures: never, failureRatio: 0.5, minCalls: 4, windowMs: 1000 };

  test('means nothing below the minimum of calls', () => {
    const { machine, told } = machineWith(rules);
    fail(machine, 3, 0);
    expect(machine.stateAt(0)).toBe('closed');
    fail(machine, 1, 0);
    expect(told).toEqual([
      {
        from: 'closed',
        to: 'open',
        reason: 'failure_ratio_exceeded',
        consecutiveFailures: 4,
        calls: 4,
        failures: 4,
      },
    ]);
  });

  test('opens it when it is reached, not when it is nearly reached', () => {
    const { machine } = machineWith(rules);
    for (let call = 0; call < 3; call++) machine.settle(machine.acquire(0)!, 'success', 0);
    fail(machine, 2, 0);
    expect(machine.stateAt(0)).toBe('closed');
    fail(machine, 1, 0);
    expect(machine.stateAt(0)).toBe('open');
  });

  test('does not count what was ignored', () => {
    const { machine } = machineWith(rules);
    for (let call = 0; call < 9; call++) machine.settle(machine.acquire(0)!, 'ignored', 0);
    expect(machine.windowAt(0)).toMatchObject({ calls: 0, failures: 0 });
  });

  test('forgets what is older than the window', () => {
    const { machine } = machineWith(rules);
    fail(machine, 3, 0);
    expect(machine.windowAt(999).failures).toBe(3);
    expect(machine.windowAt(1000).failures).toBe(0);
    fail(machine, 3, 1000);
    expect(machine.stateAt(1000)).toBe('closed');
  });
});

describe('the share of slow calls', () => {
  const rules = { failureRatio: never, slowCallMs: 100, slowCallRatio: 0.5, minCalls: 4 };

  test.each([
    [99, 'closed'],
    [100, 'open'],
  ] as const)('counts a call of %i ms from its start: %s', (durationMs, state) => {
    const { machine } = machineWith(rules);
    const permits = [0, 0, 0, 0].map((now) => machine.acquire(now)!);
    machine.settle(permits[0]!, 'success', 0);
    machine.settle(permits[1]!, 'success', 0);
    machine.settle(permits[2]!, 'success', durationMs);
    machine.settle(permits[3]!, 'success', durationMs);
    expect(machine.stateAt(durationMs)).toBe(state);
  });

  test('opens it when it is reached, not when it is nearly reached', () => {
    const { machine } = machineWith(rules);
    const take = (durationMs: number): void =>
      machine.settle(machine.acquire(0)!, 'success', durationMs);
    for (const durationMs of [0, 0, 0, 100]) take(durationMs);
    expect(machine.stateAt(100)).toBe('closed');
    for (const durationMs of [100, 100]) take(durationMs);
    expect(machine.stateAt(100)).toBe('open');
  });
});

describe('the open time', () => {
  /** How long it stays open, the first time and each time its probe fails. */
  function openTimes(rules: Partial<CircuitRules>, random = (): number => 0): number[] {
    const { machine } = machineWith({ consecutiveFailures: 1, openForMs: 100, ...rules }, random);
    const times: number[] = [];
    let now = 0;
    for (let opening = 0; opening < 5; opening++) {
      fail(machine, 1, now);
      times.push(machine.retryAfterMs(now));
      now += machine.retryAfterMs(now);
    }
    return times;
  }

  test('is the same each time unless it is to grow', () => {
    expect(openTimes({})).toEqual([100, 100, 100, 100, 100]);
  });

  test('grows up to its maximum', () => {
    expect(openTimes({ openForGrowth: 2, maxOpenForMs: 500 })).toEqual([100, 200, 400, 500, 500]);
  });

  test('is never cut below what was asked for', () => {
    expect(openTimes({ openForGrowth: 2, maxOpenForMs: 50 })).toEqual([100, 100, 100, 100, 100]);
  });

  test('is shortened by chance, up to its share', () => {
    expect(openTimes({ openForJitter: 0.2 }, () => 0.5)).toEqual([90, 90, 90, 90, 90]);
    expect(openTimes({ openForJitter: 1 }, () => 0.25)).toEqual([75, 75, 75, 75, 75]);
  });

  test('is waited for no longer once it is over, asked before or not', () => {
    const { machine } = machineWith({ consecutiveFailures: 1, openForMs: 100 });
    fail(machine, 1, 0);
    expect(machine.retryAfterMs(150)).toBe(0);
    expect(machine.acquire(150)?.isProbe).toBe(true);
  });

  test('needs nobody who watches it', () => {
    const machine = new CircuitMachine({ ...CIRCUIT_RULES, openForMs: 100 }, () => 0);
    fail(machine, 5, 0);
    expect(machine.retryAfterMs(0)).toBe(100);
  });

  test('begins small again once it was closed', () => {
    const { machine } = machineWith({ consecutiveFailures: 1, openForMs: 100, openForGrowth: 3 });
    fail(machine, 1, 0);
    fail(machine, 1, 100);
    expect(machine.retryAfterMs(100)).toBe(300);
    machine.settle(machine.acquire(400)!, 'success', 400);
    fail(machine, 1, 400);
    expect(machine.retryAfterMs(400)).toBe(100);
  });

  test('begins small again after a reset', () => {
    const { machine } = machineWith({ consecutiveFailures: 1, openForMs: 100, openForGrowth: 3 });
    fail(machine, 1, 0);
    machine.reset(10);
    fail(machine, 1, 10);
    expect(machine.retryAfterMs(10)).toBe(100);
  });

  test.each([
    ['longer', 700, 700],
    ['shorter', 40, 100],
  ])('is at least what the server asked for: %s', (_, retryAfterMs, expected) => {
    const { machine } = machineWith({ consecutiveFailures: 1, openForMs: 100 });
    fail(machine, 1, 0, retryAfterMs);
    expect(machine.retryAfterMs(0)).toBe(expected);
    const now = expected;
    fail(machine, 1, now, retryAfterMs);
    expect(machine.retryAfterMs(now)).toBe(expected);
  });
});

describe('probes', () => {
  const rules = { consecutiveFailures: 1, openForMs: 100, probeLeaseMs: 40 };

  test('have as many places as there are, and each is given again', () => {
    const { machine } = machineWith({ ...rules, probes: 3, successesToClose: 9 });
    fail(machine, 1, 0);
    const probes = [100, 110, 120].map((now) => machine.acquire(now)!);
    expect(probes.every(({ isProbe }) => isProbe)).toBe(true);
    expect(machine.acquire(120)).toBe(undefined);
    expect(machine.retryAfterMs(120)).toBe(20);
    machine.settle(probes[1]!, 'success', 120);
    expect(machine.retryAfterMs(120)).toBe(0);
    expect(machine.acquire(120)).toBeDefined();
    expect(machine.acquire(120)).toBe(undefined);
    // The first lease ends; its place is free again.
    expect(machine.acquire(140)).toBeDefined();
    expect(machine.acquire(140)).toBe(undefined);
  });

  test('close it once enough of them succeeded', () => {
    const { machine } = machineWith({ ...rules, successesToClose: 2 });
    fail(machine, 1, 0);
    machine.settle(machine.acquire(100)!, 'success', 100);
    expect(machine.stateAt(100)).toBe('half-open');
    machine.settle(machine.acquire(100)!, 'success', 100);
    expect(machine.stateAt(100)).toBe('closed');
  });

  test.each([
    [19, 'closed'],
    [20, 'open'],
  ] as const)('that take %i ms leave it %s where 20 ms are slow', (durationMs, state) => {
    const { machine } = machineWith({ ...rules, slowCallMs: 20, slowCallRatio: 0.5 });
    fail(machine, 1, 0);
    machine.settle(machine.acquire(100)!, 'success', 100 + durationMs);
    expect(machine.stateAt(100 + durationMs)).toBe(state);
  });

  test('have to succeed anew after one of them failed', () => {
    const { machine } = machineWith({ ...rules, successesToClose: 2 });
    fail(machine, 1, 0);
    machine.settle(machine.acquire(100)!, 'success', 100);
    fail(machine, 1, 100);
    expect(machine.stateAt(100)).toBe('open');
    machine.settle(machine.acquire(200)!, 'success', 200);
    expect(machine.stateAt(200)).toBe('half-open');
  });
});

describe('other rules', () => {
  const rules = { ...CIRCUIT_RULES, consecutiveFailures: 9, openForMs: 100, minCalls: 4 };

  test('hold from now on, and leave what was counted', () => {
    const { machine } = machineWith(rules);
    fail(machine, 3, 0);
    machine.follow({ ...rules, minCalls: 20, consecutiveFailures: 4 });
    expect([machine.consecutiveFailures, machine.windowAt(0).failures]).toEqual([3, 3]);
    fail(machine, 1, 0);
    expect(machine.stateAt(0)).toBe('open');
  });

  test('for another stretch of time begin with an empty window', () => {
    const { machine } = machineWith(rules);
    fail(machine, 3, 0);
    machine.follow({ ...rules, windowMs: 1000 });
    expect(machine.windowAt(0).calls).toBe(0);
    fail(machine, 1, 0);
    expect(machine.windowAt(999).calls).toBe(1);
    expect(machine.windowAt(1000).calls).toBe(0);
  });

  test('do not move the end of an open time', () => {
    const { machine } = machineWith({ ...rules, consecutiveFailures: 1 });
    fail(machine, 1, 0);
    machine.follow({ ...rules, openForMs: 5000 });
    expect(machine.retryAfterMs(0)).toBe(100);
  });

  test('for fewer probes leave those under way, and whoever waits waits for the last of them', () => {
    const { machine } = machineWith({ ...rules, consecutiveFailures: 1, probes: 2 });
    fail(machine, 1, 0);
    machine.acquire(100, 700);
    machine.acquire(100, 50);
    machine.follow({ ...rules, probes: 1 });
    expect(machine.retryAfterMs(100)).toBe(700);
    expect(machine.retryAfterMs(150)).toBe(650);
    expect(machine.acquire(150)).toBeUndefined();
    expect(machine.retryAfterMs(800)).toBe(0);
    expect(machine.acquire(800)?.isProbe).toBe(true);
  });
});
