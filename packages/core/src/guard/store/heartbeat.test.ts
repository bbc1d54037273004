import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../testing/manual-clock.ts';
import { resolveEnvironment } from '../guard-environment.ts';
import { FaultyStore } from './faulty-store.case.ts';
import { Heartbeat } from './heartbeat.ts';
import { MemoryCircuitStore } from './memory-circuit-store.ts';
import { StoreLink } from './store-link.ts';

const RECORD = { startedAt: 0, notClosed: [], circuits: 0, calls: 0, failures: 0, version: '' };

/** A heart that beats when it is due and at no other time; by its own word, as chance gives all it can. */
class HeartUnderTest {
  readonly clock = new ManualClock(1000);
  readonly memory = new MemoryCircuitStore({ clock: this.clock });
  readonly store = new FaultyStore(this.memory, this.clock);
  chance = 1;
  readonly link = new StoreLink('r0', 500, resolveEnvironment({ clock: this.clock }), {
    lost: () => this.heart.hurry(),
    stirred: () => this.heart.lookSoon(),
    found: () => undefined,
  });
  readonly heart: Heartbeat;

  constructor(everyMs = 5000) {
    this.heart = new Heartbeat(this, everyMs, () => ({ ...RECORD, id: 'r0' }));
  }

  now(): number {
    return this.clock.now();
  }

  random(): number {
    return this.chance;
  }

  async run(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 10) {
      this.heart.beatWhenDue(this.now(), () => undefined);
      await this.clock.advance(10);
    }
  }

  get beats(): number[] {
    return this.store.askedFor('join').map(({ at }) => at);
  }
}

describe('the heart of a replica', () => {
  it('beats as often as it is to, and says for how long that holds', async () => {
    const under = new HeartUnderTest();
    await under.run(11_000);

    expect(under.beats).toEqual([1000, 6000, 11_000]);
    expect(under.store.askedFor('join')[0]).toMatchObject({ id: 'r0', ttlMs: 15_000 });
  });

  it('beats up to a quarter sooner, so that hearts which began together drift apart', async () => {
    const under = new HeartUnderTest();
    under.chance = 0;
    await under.run(8000);

    expect(under.beats).toEqual([1000, 4750, 8500]);
  });

  it('tries again after half a second where one beat was lost', async () => {
    const under = new HeartUnderTest();
    under.store.fault = 'reject';
    await under.run(10);
    under.store.fault = undefined;
    await under.run(1000);

    expect(under.beats).toEqual([1000, 1500]);
    expect(under.link.isDegraded).toBe(false);
  });

  it('tries no less often than it beats', async () => {
    const under = new HeartUnderTest(100);
    under.store.fault = 'reject';
    await under.run(110);

    expect(under.beats).toEqual([1000, 1100]);
  });

  it('looks after a store that was lost, less and less often', async () => {
    const under = new HeartUnderTest();
    await under.run(10);
    under.store.fault = 'reject';
    const nobody = { answered: () => undefined, failed: () => undefined };
    for (let loss = 0; loss < 2; loss++) under.link.ask(() => under.store.leave('x'), nobody);
    await under.run(2000);

    expect(under.beats).toEqual([1000, 1260, 1760, 2260, 2760]);
  });

  it('does not look after it twice at a time', async () => {
    const under = new HeartUnderTest();
    under.store.fault = 'silent';
    under.heart.beatWhenDue(under.now(), () => undefined);
    under.heart.hurry();
    under.heart.lookSoon();
    expect(under.heart.nextAt).toBe(Infinity);
    await under.run(490);

    expect(under.beats).toEqual([1000]);
  });

  it('asks a store that never answers only once in ten seconds', async () => {
    const under = new HeartUnderTest();
    under.store.fault = 'silent';
    await under.run(20_000);
    const gaps = under.beats.slice(1).map((at, index) => at - under.beats[index]!);

    // Half a second each is for the answer.
    expect(gaps).toEqual([1000, 750, 1000, 10_500]);
  });

  it('asks it soon where what it was asked before is over', async () => {
    const under = new HeartUnderTest();
    under.store.fault = 'paused';
    await under.run(8000);
    const { length } = under.beats;
    const at = under.now();
    under.store.goOn();
    await under.run(300);

    expect(under.beats.slice(length)).toEqual([at + 250]);
    expect(under.link.isDegraded).toBe(false);
  });

  it('takes no late refusal for that of the question which it waits for', async () => {
    const under = new HeartUnderTest(100);
    let refuse = (): void => undefined;
    const refused = new Promise<never>((_, reject) => {
      refuse = () => {
        reject(new Error('too late'));
      };
    });
    under.store.inner = Object.assign(Object.create(under.memory) as MemoryCircuitStore, {
      join: () => refused,
    });
    await under.run(550);
    under.store.inner = under.memory;
    under.store.fault = 'silent';
    await under.run(60);
    expect(under.beats).toEqual([1000, 1600]);
    refuse();
    await under.run(480);

    expect(under.beats).toEqual([1000, 1600]);
  });

  it('counts as many replicas as the store does, and itself at least', async () => {
    const under = new HeartUnderTest();
    await under.memory.join({ ...RECORD, id: 'r1' }, 60_000);
    await under.run(10);
    expect(under.heart.replicas).toBe(2);
    under.store.inner = Object.assign(Object.create(under.memory) as MemoryCircuitStore, {
      join: () => Promise.resolve(0),
    });
    await under.run(5000);

    expect(under.heart.replicas).toBe(1);
  });
});
