import { describe, expect, test } from 'vitest';
import { CircuitOpenError, InvalidOptionError } from '../errors.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { BackgroundTimers } from './background-timers.case.ts';
import type { CircuitBreaker } from './breaker/circuit-breaker.ts';
import { CIRCUIT_DEFAULTS } from './breaker/circuit-options.ts';
import { Circuits } from './circuits.ts';
import type { CircuitsOptions } from './circuits/circuits-options.ts';
import type { GuardEvent } from './guard-event.ts';

const HOUR = 3_600_000;

function circuitsWith(options: CircuitsOptions = {}) {
  const clock = new ManualClock();
  const events: GuardEvent[] = [];
  const onEvent = (event: GuardEvent): void => void events.push(event);
  const circuits = new Circuits({ clock, onEvent, ...options });
  return { clock, events, circuits };
}

async function fail(circuit: CircuitBreaker, times = 1): Promise<void> {
  for (let time = 0; time < times; time++) {
    const call = circuit.call(() => Promise.reject(new Error('broken')));
    await expect(call).rejects.toThrow('broken');
  }
}

const succeed = (circuit: CircuitBreaker): Promise<string> => circuit.call(() => 'fine');

describe('named circuits', () => {
  test('are made on first use, closed, and are the same ever after', () => {
    const { circuits } = circuitsWith();
    expect(circuits.peek('search')).toBeUndefined();
    const circuit = circuits.get('search');
    expect(circuit.state).toBe('closed');
    expect(circuits.get('search')).toBe(circuit);
    expect(circuits.peek('search')).toBe(circuit);
    expect(circuits.size).toBe(1);
  });

  test('let a probe that may take long keep its place that long', async () => {
    const { circuits, clock } = circuitsWith();
    const circuit = circuits.get('slow');
    await fail(circuit, CIRCUIT_DEFAULTS.consecutiveFailures);
    await clock.advance(CIRCUIT_DEFAULTS.openForMs);
    const isRefused = (): boolean => 'isRefused' in circuit.acquire(clock.now());
    expect('isRefused' in circuit.acquire(clock.now(), 10 * 60_000)).toBe(false);
    await clock.advance(9 * 60_000);
    expect(isRefused()).toBe(true);
    await clock.advance(2 * 60_000);
    expect(isRefused()).toBe(false);
  });

  test('share one settings object until they are configured', () => {
    const { circuits } = circuitsWith({ defaults: { consecutiveFailures: 7 } });
    expect(circuits.get('a').settings).toBe(circuits.get('b').settings);
    expect(circuits.get('a').settings).toEqual({ ...CIRCUIT_DEFAULTS, consecutiveFailures: 7 });
  });

  test('open one by one: what fails does not touch the others', async () => {
    const { circuits } = circuitsWith();
    await fail(circuits.get('search'), 5);
    expect([...circuits.states()]).toEqual([['search', 'open']]);
    expect(await succeed(circuits.get('content'))).toBe('fine');
    expect(circuits.healthy('search')).toBe(false);
    expect(circuits.healthy('content')).toBe(true);
  });

  test('are healthy while nobody has used them, and half-open', async () => {
    const { circuits, clock } = circuitsWith();
    expect(circuits.healthy('search')).toBe(true);
    expect(circuits.size).toBe(0);
    await fail(circuits.get('search'), 5);
    await clock.advance(60_000);
    expect(circuits.states().get('search')).toBe('half-open');
    expect(circuits.healthy('search')).toBe(true);
  });

  test('are usable again after a reset', async () => {
    const { circuits } = circuitsWith();
    await fail(circuits.get('search'), 5);
    await expect(succeed(circuits.get('search'))).rejects.toThrow(CircuitOpenError);
    expect(circuits.reset('search', 'deployed a fix')).toBe(true);
    expect(await succeed(circuits.get('search'))).toBe('fine');
    expect(circuits.get('search').history.at(-1)?.note).toBe('deployed a fix');
    expect(circuits.reset('never used')).toBe(false);
    expect(circuits.size).toBe(1);
  });

  test('are all closed by resetAll', async () => {
    const { circuits } = circuitsWith();
    await fail(circuits.get('a'), 5);
    await fail(circuits.get('b'), 5);
    circuits.resetAll();
    expect([...circuits.states().values()]).toEqual(['closed', 'closed']);
  });

  test.each(['__proto__', 'constructor', 'toString', '\0', '\uD800', ' '])(
    'may be called %j',
    async (name) => {
      const { circuits } = circuitsWith({ overrides: { a: { consecutiveFailures: 1 } } });
      expect(circuits.circuitOf(name)).toBeUndefined();
      expect(circuits.peek(name)).toBeUndefined();
      const [circuit] = circuits.forTool(name);
      expect(circuit.settings).toBe(circuits.get('other').settings);
      await fail(circuit, 5);
      expect(circuits.states().get(name)).toBe('open');
    },
  );

  test('with a name past 200 characters are found by it all the same', () => {
    const { circuits } = circuitsWith();
    const name = 'x'.repeat(100_000);
    expect(circuits.get(name).name).toHaveLength(200);
    expect(circuits.peek(name)).toBe(circuits.get(name));
  });

  test('need a name', () => {
    const { circuits } = circuitsWith();
    expect(() => circuits.get('')).toThrow(InvalidOptionError);
    expect(() => {
      circuits.configureCircuit('', {});
    }).toThrow('circuit name: expected a string that is not empty, got ""');
    expect(() => {
      circuits.mapTool('tool', '');
    }).toThrow('circuit of a tool: expected a string that is not empty, got ""');
    expect(circuits.size).toBe(0);
  });

  test.each<[object, string]>([
    [{ idleMs: 0 }, 'circuits.idleMs: expected milliseconds, at least 1, or Infinity, got 0'],
    [{ sweepEveryMs: Infinity }, 'circuits.sweepEveryMs: expected milliseconds, at least 1'],
    [{ maxCircuits: 0 }, 'circuits.maxCircuits: expected a whole number of at least 1, got 0'],
    [{ ttl: 1 }, 'circuits.ttl: expected an option that exists'],
    [{ defaults: { openFor: 1 } }, 'circuit.openFor: expected an option that exists'],
    [{ overrides: { a: { minCalls: 0 } } }, 'circuit.minCalls: expected a whole number'],
    [
      { tools: { pay: 'money' }, overrides: { pay: { minCalls: 3 } } },
      'circuits.overrides: expected the circuit of that tool, which is "money", got "pay"',
    ],
  ])('refuse the options %j', (options, message) => {
    expect(() => new Circuits(options)).toThrow(message);
  });
});

describe('configuration', () => {
  const payment = { consecutiveFailures: 2, openForMs: 120_000, minCalls: 3 };

  test('of one tool goes over that of all', async () => {
    const { circuits } = circuitsWith({
      defaults: { openForMs: 30_000 },
      overrides: { payment_api: payment },
    });
    const [circuit] = circuits.forTool('payment_api');
    expect(circuit.settings).toEqual({ ...CIRCUIT_DEFAULTS, ...payment });
    expect(circuits.get('other').settings).toEqual({ ...CIRCUIT_DEFAULTS, openForMs: 30_000 });
    await fail(circuit, 2);
    await expect(succeed(circuit)).rejects.toMatchObject({
      circuit: 'payment_api',
      retryAfterMs: 120_000,
    });
  });

  test('can come before the first use', () => {
    const { circuits } = circuitsWith();
    circuits.configureCircuit('payment_api', payment);
    expect(circuits.size).toBe(0);
    expect(circuits.get('payment_api').settings).toMatchObject(payment);
  });

  test('replaces what was configured before', () => {
    const { circuits } = circuitsWith();
    circuits.configureCircuit('payment_api', payment);
    circuits.configureCircuit('payment_api', { minCalls: 4 });
    expect(circuits.get('payment_api').settings).toEqual({ ...CIRCUIT_DEFAULTS, minCalls: 4 });
  });

  test('holds at once for a circuit in use, and what was counted stays', async () => {
    const { circuits } = circuitsWith();
    const circuit = circuits.get('payment_api');
    await fail(circuit, 3);
    circuits.configureCircuit('payment_api', { consecutiveFailures: 4, openForMs: 5000 });
    expect(circuits.get('payment_api')).toBe(circuit);
    expect(circuit.state).toBe('closed');
    await fail(circuit);
    await expect(succeed(circuit)).rejects.toMatchObject({ retryAfterMs: 5000 });
  });

  test('begins to count anew where it looks back less far or farther', async () => {
    const { circuits } = circuitsWith({ defaults: { consecutiveFailures: Infinity, minCalls: 4 } });
    const circuit = circuits.get('search');
    await fail(circuit, 3);
    circuits.configureCircuit('search', { windowMs: 10_000 });
    await fail(circuit, 3);
    expect(circuit.state).toBe('closed');
    circuits.configureCircuit('search', { windowMs: 10_000, failureRatio: 0.9 });
    await fail(circuit);
    expect(circuit.state).toBe('open');
  });

  test('leaves an open circuit open for as long as was said', async () => {
    const { circuits, clock } = circuitsWith();
    const circuit = circuits.get('payment_api');
    await fail(circuit, 5);
    circuits.configureCircuit('payment_api', { openForMs: 1000, successesToClose: 2 });
    await expect(succeed(circuit)).rejects.toMatchObject({ retryAfterMs: 60_000 });
    await clock.advance(60_000);
    await succeed(circuit);
    expect(circuit.state).toBe('half-open');
    await succeed(circuit);
    expect(circuit.state).toBe('closed');
  });

  test('survives cleanup, clear and eviction', () => {
    const { circuits, clock } = circuitsWith({ maxCircuits: 1 });
    circuits.configureCircuit('github:search', { consecutiveFailures: 2 });
    circuits.mapTool('githubSearchCode', 'github:search');
    const forget = [
      () => {
        clock.skip(HOUR);
        circuits.sweep();
      },
      () => {
        circuits.clear();
      },
      () => {
        circuits.get('another');
      },
    ];
    for (const step of forget) {
      const before = circuits.get('github:search');
      step();
      expect(circuits.peek('github:search')).toBeUndefined();
      const [after] = circuits.forTool('githubSearchCode');
      expect(after).not.toBe(before);
      expect(after.name).toBe('github:search');
      expect(after.settings.consecutiveFailures).toBe(2);
    }
  });
});

describe('cleanup', () => {
  test('forgets what nobody used for an hour, and says so', async () => {
    const { circuits, clock, events } = circuitsWith();
    await succeed(circuits.get('old'));
    await clock.advance(HOUR - 1);
    await succeed(circuits.get('young'));
    expect(circuits.sweep()).toEqual([]);
    await clock.advance(1);
    expect(circuits.sweep()).toEqual(['old']);
    expect(circuits.list().map(({ name }) => name)).toEqual(['young']);
    expect(events).toEqual([{ type: 'circuits-removed', circuits: ['old'] }]);
  });

  test('keeps open circuits, however long nobody asked', async () => {
    const { circuits, clock } = circuitsWith();
    circuits.get('by hand').isolate('under repair');
    circuits.configureCircuit('slow', {
      consecutiveFailures: 1,
      openForMs: 2 * HOUR,
    });
    await fail(circuits.get('slow'));
    await clock.advance(2 * HOUR - 1);
    expect(circuits.sweep()).toEqual([]);
    // Its probe is still to come.
    await clock.advance(1);
    expect(circuits.sweep()).toEqual([]);
    expect(circuits.healthy('by hand')).toBe(false);
  });

  test('is no matter of looking: what is only looked at goes, and is not made', async () => {
    const { circuits, clock } = circuitsWith();
    await succeed(circuits.get('a'));
    await clock.advance(HOUR);
    circuits.peek('a')?.metrics();
    circuits.healthy('a');
    circuits.states();
    circuits.list();
    circuits.healthy('b');
    circuits.peek('b');
    expect(circuits.sweep()).toEqual(['a']);
    expect(circuits.size).toBe(0);
  });

  test('spares a circuit that was just made and not yet used', async () => {
    const { circuits, clock } = circuitsWith();
    await clock.advance(10 * HOUR);
    circuits.get('new');
    expect(circuits.sweep()).toEqual([]);
  });

  test('comes along with use every fifteen minutes', async () => {
    const { circuits, clock } = circuitsWith({ idleMs: 1000 });
    circuits.get('a');
    await clock.advance(899_999);
    circuits.get('b');
    expect(circuits.size).toBe(2);
    await clock.advance(1);
    circuits.forTool('b');
    expect(circuits.list().map(({ name }) => name)).toEqual(['b']);
    await clock.advance(1000);
    circuits.get('c');
    expect(circuits.size).toBe(2);
  });

  test('needs no timer, and one where it is asked for', async () => {
    const { circuits, clock, events } = circuitsWith();
    for (let at = 0; at < 100; at++) circuits.get(`tool${at}`);
    expect(clock.pendingTimers).toBe(0);
    circuits.startSweeping();
    circuits.startSweeping();
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(HOUR - 1);
    expect(circuits.size).toBe(100);
    await clock.advance(1);
    expect(circuits.size).toBe(0);
    expect(events.filter(({ type }) => type === 'circuits-removed')).toHaveLength(1);
    expect(clock.pendingTimers).toBe(1);
    circuits.stopSweeping();
    expect(clock.pendingTimers).toBe(0);
  });

  test('does not split a circuit in two: one that was kept joins again when it is used', async () => {
    const { circuits, clock } = circuitsWith();
    const kept = circuits.get('search');
    await clock.advance(HOUR);
    expect(circuits.sweep()).toEqual(['search']);
    await fail(kept, 5);
    expect(circuits.get('search')).toBe(kept);
    expect(circuits.healthy('search')).toBe(false);
  });
});

describe('circuits that are idle', () => {
  const options = { idleMs: 500, sweepEveryMs: 1000 };

  test.each([
    ['get', (circuits: Circuits) => circuits.get('other')],
    ['forTool', (circuits: Circuits) => circuits.forTool('other')],
  ])('are looked for by %s, as often as they are to be', async (_, ask) => {
    const { circuits, clock } = circuitsWith(options);
    await clock.advance(100);
    circuits.get('a');
    await clock.advance(899);
    ask(circuits);
    expect(circuits.peek('a')).toBeDefined();
    await clock.advance(1);
    ask(circuits);
    expect(circuits.peek('a')).toBeUndefined();
  });

  test('are looked for by a timer that keeps no process alive, and that may be stopped twice', async () => {
    const clock = new BackgroundTimers();
    const circuits = new Circuits({ clock, ...options });
    circuits.stopSweeping();
    circuits.startSweeping();
    circuits.get('a');
    await clock.advance(1000);
    expect([circuits.size, clock.keepingAlive]).toEqual([0, 0]);
    circuits.stopSweeping();
    circuits.stopSweeping();
    expect(clock.pendingTimers).toBe(0);
  });

  test('do not come back where there is another of their name by now', async () => {
    const { circuits } = circuitsWith();
    const old = circuits.get('a');
    circuits.clear();
    const fresh = circuits.get('a');
    await succeed(old);
    expect(circuits.peek('a')).toBe(fresh);
  });
});

describe('options of circuits', () => {
  test('may set a circuit that has the name of its tool', () => {
    const overrides = { a: { consecutiveFailures: 2 } };
    const { circuits } = circuitsWith({ tools: { a: 'a' }, overrides });
    expect(circuits.forTool('a')[0].settings.consecutiveFailures).toBe(2);
  });

  test.each([null, {}, { seat: true }])('name a fleet that is none: %j', (fleet) => {
    const options = { fleet } as unknown as CircuitsOptions;
    expect(() => new Circuits(options)).toThrow('circuits.fleet: expected a CircuitFleet');
  });

  test('may name circuits for a fleet that there is not', async () => {
    const { circuits } = circuitsWith({ namespace: 'shop' });
    expect(await succeed(circuits.get('a'))).toBe('fine');
  });
});

describe('too many circuits', () => {
  test('never are: the least recently used closed ones go', async () => {
    const { circuits, clock, events } = circuitsWith({ maxCircuits: 3 });
    for (const name of ['a', 'b', 'c']) {
      circuits.get(name);
      await clock.advance(1);
    }
    await succeed(circuits.get('a'));
    circuits.get('d');
    expect(circuits.list().map(({ name }) => name)).toEqual(['a', 'c', 'd']);
    expect(events).toEqual([{ type: 'circuits-removed', circuits: ['b'] }]);
  });

  test('cost open ones last, those opened by hand never', async () => {
    const { circuits, clock } = circuitsWith({ maxCircuits: 3 });
    circuits.get('by hand').isolate('under repair');
    await fail(circuits.get('open'), 5);
    await clock.advance(1);
    await succeed(circuits.get('closed'));
    circuits.get('new');
    expect([...circuits.states()]).toEqual([
      ['by hand', 'open'],
      ['open', 'open'],
      ['new', 'closed'],
    ]);
    await fail(circuits.get('new'), 5);
    circuits.get('newer');
    expect([...circuits.states().keys()]).toEqual(['by hand', 'new', 'newer']);
  });

  test('are borne where all of them were opened by hand', () => {
    const { circuits } = circuitsWith({ maxCircuits: 2 });
    for (const name of ['a', 'b']) circuits.get(name).isolate('under repair');
    circuits.get('c');
    expect([...circuits.states().keys()]).toEqual(['a', 'b', 'c']);
  });

  test('cost no open one while there is a closed one, however many are to go', async () => {
    const { circuits } = circuitsWith({ maxCircuits: 32 });
    for (let at = 0; at < 31; at++) await fail(circuits.get(`open-${at}`), 5);
    circuits.get('closed');
    circuits.get('new');
    expect(circuits.size).toBe(32);
    expect(circuits.peek('closed')).toBeUndefined();
  });

  test('cannot be made by a flood of names', () => {
    const { circuits } = circuitsWith({ maxCircuits: 100 });
    circuits.get('by hand').isolate('under repair');
    for (let at = 0; at < 10_000; at++) circuits.forTool(`made-up-${at}`);
    expect(circuits.size).toBeLessThanOrEqual(100);
    expect(circuits.size).toBeGreaterThan(90);
    expect(circuits.healthy('by hand')).toBe(false);
  });
});

test('a circuit whose open time is over is not swept before its probe', async () => {
  const clock = new ManualClock();
  const circuits = new Circuits({ clock, defaults: { consecutiveFailures: 1 }, idleMs: 100_000 });
  const circuit = circuits.get('idle');
  await circuit.call(() => Promise.reject(new Error('down'))).catch(() => undefined);
  clock.skip(1_000_000);

  expect(circuit.state).toBe('half-open');
  expect(circuits.sweep()).toEqual([]);
  await circuit.call(() => 'well');
  clock.skip(1_000_000);
  expect(circuits.sweep()).toEqual(['idle']);
});
