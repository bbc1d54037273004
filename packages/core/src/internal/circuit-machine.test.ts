import { describe, expect, test } from 'vitest';
import { CIRCUIT_RULES, CircuitMachine } from './circuit-machine.ts';
import type { CircuitRules, CircuitState, Permit, Transition } from './circuit-machine.ts';

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

const RULES: Partial<CircuitRules> = {
  consecutiveFailures: 2,
  consecutiveMaxAgeMs: never,
  failureRatio: never,
  slowCallMs: 20,
  slowCallRatio: 0.5,
  minCalls: 2,
  openForMs: 100,
  probeLeaseMs: 40,
};

interface Situation {
  readonly machine: CircuitMachine;
  readonly told: Transition[];
  readonly now: number;
  /** A permit of this state where it gives any, else the last one that was given. */
  readonly held: Permit;
  /** Not settled, and of a generation before this one. */
  readonly stale: Permit;
}

/** Closed, with one failure in a row: one more opens it. */
function closed(): Situation {
  const { machine, told } = machineWith(RULES);
  const stale = machine.acquire(0)!;
  machine.reset(0);
  fail(machine, 1, 0);
  return { machine, told, now: 0, held: machine.acquire(0)!, stale };
}

/** Opened at 0, now 30: 70 ms are left. */
function open(): Situation {
  const before = closed();
  before.machine.settle(before.held, 'failure', 0);
  return { ...before, now: 30 };
}

function halfOpen(): Situation {
  const before = open();
  const held = before.machine.acquire(100)!;
  before.machine.settle(held, 'ignored', 100);
  return { ...before, held, now: 100 };
}

/** Its probe began at 100, now 110: its lease has 30 ms left. */
function halfOpenTaken(): Situation {
  const before = halfOpen();
  return { ...before, held: before.machine.acquire(100)!, now: 110 };
}

function halfOpenExpired(): Situation {
  return { ...halfOpenTaken(), now: 140 };
}

function isolated(): Situation {
  const before = closed();
  before.machine.isolate(0, never);
  return { ...before, now: 30 };
}

const SITUATIONS = {
  closed,
  open,
  'half-open': halfOpen,
  'half-open, its place taken': halfOpenTaken,
  'half-open, the lease of its probe over': halfOpenExpired,
  isolated,
} as const;

/** What may happen, and how many milliseconds later. */
const EVENTS = {
  'a call asks': [0, ({ machine }, now) => machine.acquire(now)],
  'a call asks later': [100, ({ machine }, now) => machine.acquire(now)],
  'time passes': [10_000, () => undefined],
  'its call succeeds': [0, ({ machine, held }, now) => machine.settle(held, 'success', now)],
  'its call fails': [0, ({ machine, held }, now) => machine.settle(held, 'failure', now)],
  'its call is ignored': [0, ({ machine, held }, now) => machine.settle(held, 'ignored', now)],
  'its call is slow': [20, ({ machine, held }, now) => machine.settle(held, 'success', now)],
  'its call succeeds, then fails': [
    0,
    ({ machine, held }, now) => {
      machine.settle(held, 'success', now);
      machine.settle(held, 'failure', now);
    },
  ],
  'a late call succeeds': [0, ({ machine, stale }, now) => machine.settle(stale, 'success', now)],
  'a late call fails': [0, ({ machine, stale }, now) => machine.settle(stale, 'failure', now)],
  'it is isolated': [0, ({ machine }, now) => machine.isolate(now, never)],
  'it is isolated for 30 ms': [0, ({ machine }, now) => machine.isolate(now, 30)],
  'it is reset': [0, ({ machine }, now) => machine.reset(now)],
  'the server asks for 500 ms': [0, ({ machine }, now) => machine.openFor(500, now)],
} as const satisfies Record<
  string,
  readonly [number, (situation: Situation, now: number) => unknown]
>;

type Expected = readonly [
  state: CircuitState,
  generation: number,
  retryAfterMs: number,
  next: 'admitted' | 'refused',
  /** The last thing told; left out where nothing is. */
  reason?: Transition['reason'],
];

const stays: Readonly<Record<keyof typeof SITUATIONS, Expected>> = {
  closed: ['closed', 1, 0, 'admitted'],
  open: ['open', 2, 70, 'refused'],
  'half-open': ['half-open', 3, 0, 'admitted'],
  'half-open, its place taken': ['half-open', 3, 30, 'refused'],
  'half-open, the lease of its probe over': ['half-open', 3, 0, 'admitted'],
  isolated: ['open', 2, never, 'refused'],
};
const probing: Expected = ['half-open', 3, 40, 'refused'];
const free: Expected = ['half-open', 3, 0, 'admitted'];

/** Every state with every event. A pair that is not named leaves everything as it is. */
const CHANGES: Readonly<
  Record<keyof typeof SITUATIONS, Partial<Record<keyof typeof EVENTS, Expected>>>
> = {
  closed: {
    'its call fails': ['open', 2, 100, 'refused', 'failure_threshold_exceeded'],
    'its call is slow': ['open', 2, 100, 'refused', 'slow_ratio_exceeded'],
    'it is isolated': ['open', 2, never, 'refused', 'isolated'],
    'it is isolated for 30 ms': ['open', 2, 30, 'refused', 'isolated'],
    'it is reset': ['closed', 2, 0, 'admitted'],
    'the server asks for 500 ms': ['open', 2, 500, 'refused', 'retry_after'],
  },
  open: {
    'a call asks later': ['half-open', 3, 40, 'refused', 'recovery_timeout_expired'],
    'time passes': ['half-open', 3, 0, 'admitted', 'recovery_timeout_expired'],
    'its call is slow': ['open', 2, 50, 'refused'],
    'it is isolated': ['open', 3, never, 'refused', 'isolated'],
    'it is isolated for 30 ms': ['open', 3, 30, 'refused', 'isolated'],
    'it is reset': ['closed', 3, 0, 'admitted', 'reset'],
  },
  'half-open': {
    'a call asks': probing,
    'a call asks later': probing,
    'it is isolated': ['open', 4, never, 'refused', 'isolated'],
    'it is isolated for 30 ms': ['open', 4, 30, 'refused', 'isolated'],
    'it is reset': ['closed', 4, 0, 'admitted', 'reset'],
  },
  'half-open, its place taken': {
    'a call asks later': probing,
    'time passes': free,
    'its call succeeds': ['closed', 4, 0, 'admitted', 'probe_succeeded'],
    'its call fails': ['open', 4, 100, 'refused', 'probe_failed'],
    'its call is ignored': free,
    'its call is slow': ['open', 4, 100, 'refused', 'probe_slow'],
    'its call succeeds, then fails': ['closed', 4, 0, 'admitted', 'probe_succeeded'],
    'it is isolated': ['open', 4, never, 'refused', 'isolated'],
    'it is isolated for 30 ms': ['open', 4, 30, 'refused', 'isolated'],
    'it is reset': ['closed', 4, 0, 'admitted', 'reset'],
  },
  'half-open, the lease of its probe over': {
    'a call asks': probing,
    'a call asks later': probing,
    'it is isolated': ['open', 4, never, 'refused', 'isolated'],
    'it is isolated for 30 ms': ['open', 4, 30, 'refused', 'isolated'],
    'it is reset': ['closed', 4, 0, 'admitted', 'reset'],
  },
  isolated: {
    'it is isolated': ['open', 3, never, 'refused', 'isolated'],
    'it is isolated for 30 ms': ['open', 3, 30, 'refused', 'isolated'],
    'it is reset': ['closed', 3, 0, 'admitted', 'reset'],
  },
};

const situationNames = Object.keys(SITUATIONS) as (keyof typeof SITUATIONS)[];
const eventNames = Object.keys(EVENTS) as (keyof typeof EVENTS)[];

describe.each(situationNames)('a circuit that is %s', (name) => {
  test.each(eventNames)('when %s', (event) => {
    const situation = SITUATIONS[name]();
    const { machine, told } = situation;
    const already = told.length;
    const [laterMs, happen] = EVENTS[event];
    const now = situation.now + laterMs;
    happen(situation, now);

    const state = machine.stateAt(now);
    const { generation } = machine;
    const retryAfterMs = machine.retryAfterMs(now);
    const next = machine.acquire(now) === undefined ? 'refused' : 'admitted';
    const reason = told.slice(already).at(-1)?.reason;
    const [...expected] = CHANGES[name][event] ?? stays[name];
    expect([state, generation, retryAfterMs, next, reason]).toEqual([
      ...expected.slice(0, 4),
      expected[4],
    ]);
  });
});

describe('failures in a row', () => {
  test('are ended by a success, and by nothing that is ignored or late', () => {
    const { machine, held, stale } = closed();
    machine.settle(stale, 'success', 0);
    machine.settle(held, 'ignored', 0);
    expect(machine.consecutiveFailures).toBe(1);
    machine.settle(machine.acquire(0)!, 'success', 0);
    expect(machine.consecutiveFailures).toBe(0);
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
