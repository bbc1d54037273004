import fc from 'fast-check';

const pick = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
/** Nearly always this, now and then one of the others. */
const mostly = <T>(one: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: fc.constant(one), weight: 12 }, { arbitrary: pick(...others), weight: 1 });
const rarely = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight: 12 }, { arbitrary, weight: 1 });

const circuit = mostly('search', 'pay {now}');
const replica = pick('a', 'b', 'c', 'd');
const token = pick('p1', 'p2', 'p3');
/** In steps, as all times are: what really passes meanwhile is far less than one. */
const steps = fc.integer({ min: 1, max: 4 });

/** The rules that a fleet goes by. */
export const rules = fc.record({
  consecutiveFailures: pick(3, 8, Infinity),
  failureRatio: pick(0.5, 0.6, Infinity),
  slowCallRatio: pick(0.8, Infinity),
  windowSteps: pick(10, 5),
  minCalls: pick(5, 20, 1000),
  openSteps: pick(1, 3),
  openForGrowth: pick(1, 2, 1.5),
  maxOpenSteps: pick(4, 8),
  probes: pick(1, 2, 3),
  successesToClose: pick(1, 2),
});
/** Rules of a replica that goes by others than the rest; mostly none. */
const otherRules = rarely(rules);
const held = fc.record({
  state: pick('open' as const, 'half-open' as const),
  leftSteps: pick(0, 1, 3, Infinity),
  openings: fc.nat(3),
  reason: pick('probe_failed' as const, 'isolated' as const),
  note: pick(undefined, '', 'kept'),
});
/** Which version a replica says it has seen, by what the store last told. */
const seen = mostly<'none' | 'current' | 'older' | 'newer'>('current', 'none', 'older', 'newer');

const report = fc.record({
  type: fc.constant('report' as const),
  circuit,
  replica,
  otherRules,
  seen,
  scope: mostly<'fleet' | 'local'>('fleet', 'local'),
  successes: pick(0, 0, 1, 2, 5, 20),
  failures: pick(0, 0, 1, 2, 5),
  slow: pick(0, 0, 1, 10),
  trailing: fc.nat(3),
  trip: pick(undefined, undefined, 'failure_threshold_exceeded' as const, 'retry_after' as const),
  retrySteps: mostly(undefined, 5, 9),
  held: rarely(held),
  tokensTaken: fc.nat(60),
  tokensGained: pick(0, 0.1, 7.3),
});
const lease = fc.record({
  type: fc.constant('lease' as const),
  circuit,
  replica,
  token,
  steps,
  otherRules,
});
const settle = fc.record({
  type: fc.constant('settle' as const),
  circuit,
  replica,
  token,
  otherRules,
  outcome: mostly<'success' | 'failure' | 'slow' | 'ignored'>(
    'success',
    'failure',
    'slow',
    'ignored',
  ),
  retrySteps: mostly(undefined, 6),
});
const isolate = fc.record({
  type: fc.constant('isolate' as const),
  circuit,
  replica,
  note: pick('', 'why'),
  forSteps: pick(1, 2, Infinity),
});
const reset = fc.record({
  type: fc.constant('reset' as const),
  circuit,
  replica,
  note: pick(undefined, 'done'),
});
const join = fc.record({ type: fc.constant('join' as const), replica, steps });
const leave = fc.record({ type: fc.constant('leave' as const), replica });
const pass = fc.record({ type: fc.constant('pass' as const), steps: mostly(1, 3, 30) });
/** Something that is done with a store. */
export const step = fc.oneof(
  { arbitrary: report, weight: 14 },
  { arbitrary: lease, weight: 8 },
  { arbitrary: settle, weight: 6 },
  { arbitrary: pass, weight: 6 },
  { arbitrary: join, weight: 2 },
  ...[isolate, reset, leave].map((arbitrary: fc.Arbitrary<Rare>) => ({ arbitrary, weight: 1 })),
);
type Rare = ValueOf<typeof isolate> | ValueOf<typeof reset> | ValueOf<typeof leave>;
type ValueOf<A> = A extends fc.Arbitrary<infer V> ? V : never;
export type Step = ValueOf<typeof step>;
export type Rules = ValueOf<typeof rules>;

export type Held = ValueOf<typeof held>;
