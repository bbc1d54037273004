import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Permit } from '../../internal/circuit-machine.ts';
import type { Failure, FailureClass } from '../../internal/failure-class.ts';
import { createRandom } from '../../testing/create-random.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { CircuitModel } from './circuit-model.case.ts';
import type { ModelPermit } from './circuit-model.case.ts';

/** The circuit, and the permits that were given, in the order of the model's. */
class Real {
  readonly clock = new ManualClock(0);
  readonly breaker: CircuitBreaker;
  readonly permits: Permit[] = [];

  constructor(options: object, random: () => number) {
    this.breaker = new CircuitBreaker('tool', options, { clock: this.clock, random });
  }
}

class Model extends CircuitModel {
  readonly permits: ModelPermit[] = [];
}

type Command = fc.Command<Model, Real>;

/** What the two do, and that they agree afterwards in everything that can be seen. */
function command(label: string, run: (model: Model, real: Real) => void): Command {
  return {
    check: () => true,
    run(model, real) {
      run(model, real);
      expectAgreement(model, real);
    },
    toString: () => label,
  };
}

/** One comparison for each step: `expect` at every number would take most of the time. */
function expectAgreement(model: Model, real: Real): void {
  const seen = String(seenOf(real));
  const expected = String(expectedOf(model));
  if (seen !== expected) expect(seen).toBe(expected);
}

function seenOf({ breaker }: Real): unknown[] {
  const metadata = breaker.metadata();
  const metrics = breaker.metrics();
  return [
    breaker.state,
    breaker.generation,
    breaker.history.at(-1)?.reason,
    metadata.circuit_retry_after_seconds,
    // Those of an open circuit are what opened it, and tested elsewhere.
    breaker.state === 'closed' && metadata.circuit_calls_in_window,
    breaker.state === 'closed' && metadata.circuit_failures_in_window,
    breaker.state === 'closed' && metadata.circuit_consecutive_failures,
    metrics.successes,
    metrics.failures,
    metrics.rejections,
    metrics.ignored,
    metrics.totalCalls,
    metrics.failureRate,
    metrics.rejectionRate,
  ];
}

function expectedOf(model: Model): unknown[] {
  const waitMs = model.retryAfterMs();
  const { calls, failures } = model.window();
  const { metrics, permits } = model;
  const total = metrics.rejections + permits.filter(({ isSettled }) => isSettled).length;
  return [
    model.state,
    model.generation,
    model.reasons.at(-1),
    Math.ceil(waitMs / 100) / 10,
    model.state === 'closed' && calls,
    model.state === 'closed' && failures,
    model.state === 'closed' && model.consecutiveFailures(),
    metrics.successes,
    metrics.failures,
    metrics.rejections,
    metrics.ignored,
    total,
    total === 0 ? 0 : metrics.failures / total,
    total === 0 ? 0 : metrics.rejections / total,
  ];
}

const acquire = fc.constant(
  command('acquire', (model, real) => {
    const expected = model.acquire();
    const admission = real.breaker.acquire();
    if ('isRefused' in admission) {
      const refusal = [undefined, model.state, model.retryAfterMs()];
      expect([expected, admission.state, admission.retryAfterMs]).toEqual(refusal);
      return;
    }
    expect(expected?.isProbe).toBe(admission.isProbe);
    real.permits.push(admission);
    model.permits.push(expected!);
  }),
);

const failureClass = fc.constantFrom<FailureClass>('server', 'server', 'cancelled', 'not-found');

const failure = fc
  .record({
    class: failureClass,
    message: fc.constant('broken'),
    retryAfterMs: fc.constantFrom(0, 0, 0, 50, 900),
  })
  .map((one): Failure => one);

/** Any permit may be settled at any time, again and again. Most often it is the last. */
const settle = fc
  .record({
    back: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(20)),
    failure: fc.option(failure, { nil: undefined }),
  })
  .map(({ back, failure: told }) => {
    const label = `settle ${back} back: ${told === undefined ? 'success' : told.class}`;
    return command(label, (model, real) => {
      const at = real.permits.length - 1 - back;
      const permit = real.permits[at];
      if (permit === undefined) return;
      model.settle(model.permits[at]!, told, told !== undefined && real.breaker.counts(told));
      real.breaker.settle(permit, told);
    });
  });

const advance = fc.oneof(fc.constantFrom(1, 10, 50, 100, 200), fc.nat(30), fc.nat(1000)).map((ms) =>
  command(`advance ${ms}`, (model, real) => {
    model.advance(ms);
    real.clock.skip(ms);
  }),
);

const isolate = fc.constantFrom(100, Infinity).map((forMs) =>
  command(`isolate for ${forMs}`, (model, real) => {
    model.isolate(forMs);
    real.breaker.isolate('by hand', forMs);
  }),
);

const reset = fc.constant(
  command('reset', (model, real) => {
    model.reset();
    real.breaker.reset();
  }),
);

const slow = fc.constantFrom(
  {},
  { slowCallMs: 20, slowCallRatio: 0.5 },
  { slowCallMs: 50, slowCallRatio: 1 },
);

const options = fc
  .record({
    consecutiveFailures: fc.constantFrom(1, 2, 3, Infinity),
    consecutiveMaxAgeMs: fc.constantFrom(40, 200, Infinity),
    failureRatio: fc.constantFrom(0.3, 0.5, 1, Infinity),
    windowMs: fc.constantFrom(7, 100, 333, 1000),
    minCalls: fc.integer({ min: 1, max: 5 }),
    openForMs: fc.constantFrom(1, 50, 100),
    openForGrowth: fc.constantFrom(1, 1.5, 2),
    maxOpenForMs: fc.constantFrom(10, 300, Infinity),
    openForJitter: fc.constantFrom(0, 0.25, 1),
    probes: fc.integer({ min: 1, max: 3 }),
    successesToClose: fc.integer({ min: 1, max: 3 }),
    probeLeaseMs: fc.constantFrom(30, 100, Infinity),
    maxRetryAfterMs: fc.constantFrom(0, 500, Infinity),
    opensOnRetryAfter: fc.boolean(),
    mode: fc.constantFrom('enforce', 'enforce', 'shadow'),
  })
  .chain((rules) => slow.map((slowRules) => ({ ...rules, ...slowRules })));

/** Asking and answering are most of what happens to a circuit. */
const commands = fc.commands(
  [acquire, settle, settle, acquire, advance, settle, acquire, isolate, reset].map((one, at) =>
    // Isolating and resetting too often would leave no time for anything else.
    at < 7 ? one : fc.oneof({ weight: 3, arbitrary: acquire }, { weight: 1, arbitrary: one }),
  ),
  { maxCommands: 120, size: '+1' },
);

test('does in every order of events what a list of all outcomes says', () => {
  fc.assert(
    fc.property(options, fc.nat(), commands, (rules, seed, run) => {
      fc.modelRun(() => {
        const real = new Real(rules, createRandom(seed));
        const model = new Model(real.breaker.settings, createRandom(seed));
        return { model, real };
      }, run);
    }),
    { numRuns: 3 * fc.readConfigureGlobal().numRuns! },
  );
});
