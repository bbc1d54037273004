import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../testing/manual-clock.ts';
import { fail, isRefused, succeed } from '../breaker/breaker-under-test.case.ts';
import { resolveEnvironment } from '../guard-environment.ts';
import type { SharedCircuit } from './circuit-store.ts';
import { FaultyStore } from './faulty-store.case.ts';
import { fleetWith } from './fleet-under-test.case.ts';
import { MemoryCircuitStore } from './memory-circuit-store.ts';
import { OperatorCommand } from './operator-command.ts';
import type { CommandedCircuit } from './operator-command.ts';
import { StoreLink } from './store-link.ts';

describe('what an operator wants', () => {
  it('is the last of what was said, however slow the store', async () => {
    const { circuits, replicas, states, hear, clock } = fleetWith({ replicas: 2 });
    for (const circuit of circuits) succeed(circuit);
    await hear();
    for (const { store } of replicas) store.delayMs = () => 100;
    circuits[0]!.isolate('by mistake');
    await clock.advance(50);
    circuits[0]!.reset('it was one');
    expect(states()).toBe('closed closed');
    for (let second = 0; second < 5; second++) {
      for (const circuit of circuits) isRefused(circuit);
      await clock.advance(1000);
    }

    expect(states()).toBe('closed closed');
    expect(replicas[0]!.store.countOf('override')).toBe(2);
    expect(replicas[1]!.fleet.status().circuits[0]!.shared).toMatchObject({ reason: 'reset' });
  });

  it('is not undone by what the store says before it has heard', async () => {
    const { circuits, replicas, states, clock, hear } = fleetWith({ replicas: 1 });
    fail(circuits[0]!, 5);
    await hear();
    expect(states()).toBe('open');
    replicas[0]!.store.delayMs = () => 200;
    await clock.advance(1100);
    circuits[0]!.reset();
    for (let step = 0; step < 40; step++) {
      await clock.advance(50);
      expect(states()).toBe('closed');
    }
  });

  it('is not told when its time is over before the store is back', async () => {
    const { circuits, replicas, clock } = fleetWith({ replicas: 1 });
    const { store } = replicas[0]!;
    store.fault = 'reject';
    await clock.advance(3000);
    circuits[0]!.isolate('for a moment', 2000);
    await clock.advance(5000);
    store.fault = undefined;
    await clock.advance(5000);

    expect(replicas[0]!.fleet.status().isDegraded).toBe(false);
    expect(store.countOf('override')).toBe(0);
  });

  it('is told again until it is heard', async () => {
    const { circuits, replicas, clock, store } = fleetWith({ replicas: 1 });
    let lost = 0;
    replicas[0]!.store.faultOf = (operation) =>
      operation === 'override' && lost++ === 0 ? 'silent' : undefined;
    circuits[0]!.isolate('under repair');
    await clock.advance(1000);

    expect(lost).toBe(2);
    expect(store.keptForMs('search')).toBeGreaterThan(0);
    expect(circuits[0]!.history).toHaveLength(1);
  });
});

describe('a command that is under way', () => {
  /** Stepped when it asks for it and at no other time. */
  class CommandUnderTest implements CommandedCircuit {
    readonly name = 'search';
    readonly clock = new ManualClock(1000);
    readonly memory = new MemoryCircuitStore({ clock: this.clock });
    readonly store = new FaultyStore(this.memory, this.clock);
    readonly link = new StoreLink('r0', 500, resolveEnvironment({ clock: this.clock }), {
      lost: () => undefined,
      stirred: () => undefined,
      found: () => undefined,
    });
    readonly command = new OperatorCommand(this);
    readonly heard: SharedCircuit[] = [];
    woken = 0;
    #dueAt = Infinity;

    now(): number {
      return this.clock.now();
    }

    wake(at: number): void {
      this.woken++;
      this.#dueAt = Math.min(this.#dueAt, at);
    }

    obeyed(shared: SharedCircuit): void {
      this.heard.push(shared);
    }

    async run(ms: number): Promise<void> {
      await this.clock.advance(0);
      for (let passed = 0; passed < ms; passed += 10) {
        if (this.now() >= this.#dueAt) {
          this.#dueAt = Infinity;
          this.#dueAt = Math.min(this.command.step(this.now()), this.#dueAt);
        }
        await this.clock.advance(10);
      }
    }

    get times(): number[] {
      return this.store.askedFor('override').map(({ at }) => at);
    }
  }

  const isolate = { type: 'isolate', replica: 'r0', note: 'under repair', forMs: 10_000 } as const;
  const reset = { type: 'reset', replica: 'r0' } as const;

  it('is told at once, and once', async () => {
    const under = new CommandUnderTest();
    expect(under.command.step(under.now())).toBe(Infinity);
    under.command.give(isolate);
    expect(under.command.isPending).toBe(true);
    await under.run(5000);

    expect(under.times).toEqual([1000]);
    expect(under.heard).toMatchObject([{ state: 'open', reason: 'isolated' }]);
    expect(under.command.isPending).toBe(false);
    expect(under.woken).toBe(1);
  });

  it('is told again every 250 ms while it is refused, and when no answer came in time', async () => {
    const under = new CommandUnderTest();
    under.store.fault = 'reject';
    under.command.give(isolate);
    await under.run(100);
    under.wake(under.now());
    await under.run(500);
    expect(under.times).toEqual([1000, 1250, 1500]);
    under.store.fault = 'silent';
    await under.run(200);
    under.wake(under.now());
    await under.run(600);

    expect(under.times.slice(3)).toEqual([1750, 2250]);
  });

  it('is followed by the one that was given meanwhile, which alone is obeyed', async () => {
    const under = new CommandUnderTest();
    under.store.delayMs = () => 50;
    under.command.give(isolate);
    await under.run(50);
    under.command.give(reset);
    await under.run(1000);

    expect(under.store.askedFor('override')).toMatchObject([
      { at: 1000, type: 'isolate' },
      { at: 1100, type: 'reset' },
    ]);
    expect(under.heard).toMatchObject([{ state: 'closed', reason: 'reset' }]);
  });

  it('is told with the time that is left of it, and not once it is over', async () => {
    const under = new CommandUnderTest();
    under.store.fault = 'reject';
    under.command.give({ ...isolate, forMs: 500 });
    await under.run(2000);

    expect(under.store.askedFor('override')).toMatchObject([
      { at: 1000, forMs: 500 },
      { at: 1250, forMs: 250 },
    ]);
    expect(under.command.isPending).toBe(false);
  });

  it('wakes nobody by a refusal that comes when it is obeyed already', async () => {
    const under = new CommandUnderTest();
    let refuse = (): void => undefined;
    const refused = new Promise<never>((_, reject) => {
      refuse = () => {
        reject(new Error('too late'));
      };
    });
    under.store.inner = Object.assign(Object.create(under.memory) as MemoryCircuitStore, {
      override: () => refused,
    });
    under.command.give(reset);
    await under.run(100);
    under.store.inner = under.memory;
    await under.run(1000);
    expect(under.heard).toHaveLength(1);
    const { woken } = under;
    refuse();
    await under.run(1000);

    expect(under.woken).toBe(woken);
    expect(under.times).toHaveLength(2);
  });
});

describe('a store that is empty, and whose clock is ten minutes behind', () => {
  it('is told what there was, and follows operators as before', async () => {
    const { circuits, replicas, states, clock, hear } = fleetWith();
    for (const circuit of circuits) succeed(circuit);
    await hear();
    fail(circuits[0]!, 5);
    for (const circuit of circuits) isRefused(circuit);
    await hear();
    const behind = new ManualClock(0, clock.wallTime() - 600_000);
    const other = new MemoryCircuitStore({ clock: behind });
    for (const { store } of replicas) store.inner = other;
    await hear();
    expect(states()).toBe('open open open');
    const versions = replicas.map(({ fleet }) => fleet.status().circuits[0]!.shared!.version);
    expect(new Set(versions).size).toBe(1);

    circuits[1]!.reset('mended');
    await hear();
    for (const circuit of circuits) isRefused(circuit);
    await hear();
    expect(states()).toBe('closed closed closed');
    circuits[2]!.isolate('under repair');
    for (const circuit of circuits) isRefused(circuit);
    await hear();

    expect(states()).toBe('open open open');
  });

  it('takes an operator at his word that it hears first', async () => {
    const { circuits, replicas, states, clock, hear } = fleetWith();
    fail(circuits[0]!, 5);
    for (const circuit of circuits) isRefused(circuit);
    await hear();
    const behind = new ManualClock(0, clock.wallTime() - 600_000);
    const other = new MemoryCircuitStore({ clock: behind });
    circuits[0]!.reset();
    for (const { store } of replicas) store.inner = other;
    await hear();
    for (const circuit of circuits) isRefused(circuit);
    await hear();

    expect(states()).toBe('closed closed closed');
  });
});
