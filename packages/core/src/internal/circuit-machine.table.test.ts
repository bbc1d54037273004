import { describe, expect, test } from 'vitest';
import { CIRCUIT_RULES, CircuitMachine } from './circuit-machine.ts';
import type { CircuitRules, CircuitState, Permit, Transition } from './circuit-machine.ts';

const never = Infinity;

const RULES: CircuitRules = {
  ...CIRCUIT_RULES,
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
  const told: Transition[] = [];
  const transitioned = (transition: Transition): void => void told.push(transition);
  const machine = new CircuitMachine(RULES, () => 0, { transitioned });
  const stale = machine.acquire(0)!;
  machine.reset(0);
  machine.settle(machine.acquire(0)!, 'failure', 0);
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
