import { describe, expect, it } from 'vitest';
import { Permit } from '../../internal/circuit-machine.ts';
import { LeasesUnderTest } from './leases-under-test.case.ts';

const atOf = (times: readonly { readonly at: number }[]): number[] => times.map(({ at }) => at);

const START = 1000;

describe('a place for a probe', () => {
  it('is asked for at once where a call was refused, for the time of a probe and the wait for it', async () => {
    const under = await LeasesUnderTest.halfOpen();
    expect(under.leases.isIdle).toBe(true);
    under.call();
    expect(under.leases.isIdle).toBe(false);
    await under.clock.advance(0);

    expect(under.asked).toEqual([
      { at: START, replica: 'r0', token: 'r0:1', ttlMs: 6000, rules: under.rules },
    ]);
    expect(under.told).toMatchObject([{ state: 'half-open' }]);
    expect(under.leases.isIdle).toBe(false);
    expect(under.call()?.isProbe).toBe(true);
    expect(under.leases.isIdle).toBe(false);
  });

  it('is asked for once, however many are refused', async () => {
    const under = await LeasesUnderTest.halfOpen();
    under.store.delayMs = () => 200;
    for (let call = 0; call < 10; call++) {
      under.call();
      await under.clock.advance(35);
      under.poke();
    }

    expect(under.asked).toHaveLength(1);
  });

  it('is not asked for by a circuit that goes by itself', async () => {
    const under = await LeasesUnderTest.halfOpen();
    under.machine.goAlone();
    under.leases.want(under.now());
    await under.clock.advance(10_000);

    expect(under.leases.isIdle).toBe(true);
    expect(under.asked).toEqual([]);
  });

  it('is asked for the moment that the open time is over, by whom it refused', async () => {
    const under = await LeasesUnderTest.halfOpen();
    under.follow('open', 7000);
    under.call();
    await under.clock.advance(6999);
    expect(under.asked).toEqual([]);
    await under.clock.advance(1);

    expect(atOf(under.asked)).toEqual([START + 7000]);
  });

  it('is asked for then, though somebody has looked at the state before', async () => {
    const under = await LeasesUnderTest.halfOpen();
    under.follow('open', 7000);
    under.call();
    under.clock.skip(7000);
    expect(under.machine.stateAt(under.now())).toBe('half-open');
    await under.clock.advance(0);

    expect(under.asked).toHaveLength(1);
  });

  it('is nothing that a circuit asks for which has closed since', async () => {
    const under = await LeasesUnderTest.halfOpen();
    under.follow('open', 7000);
    under.call();
    under.follow('closed');
    expect(under.leases.isIdle).toBe(true);
    await under.clock.advance(60_000);

    expect(under.asked).toEqual([]);
  });

  it('is asked for again, by the same name, until the store has answered', async () => {
    const under = await LeasesUnderTest.halfOpen();
    under.store.fault = 'reject';
    under.call();
    await under.clock.advance(600);
    expect(atOf(under.asked)).toEqual([START, START + 250, START + 500]);
    under.store.fault = 'silent';
    await under.clock.advance(1100);
    under.store.fault = undefined;
    await under.clock.advance(500);

    expect(atOf(under.asked).slice(3)).toEqual([START + 750, START + 1250, START + 1750]);
    expect(new Set(under.asked.map(({ token }) => token))).toEqual(new Set(['r0:1']));
    expect(under.call()?.isProbe).toBe(true);
  });

  it('is asked for less often in a large fleet', async () => {
    const under = await LeasesUnderTest.halfOpen();
    under.stretch = 4;
    under.store.fault = 'reject';
    under.call();
    await under.clock.advance(2500);

    expect(atOf(under.asked)).toEqual([START, START + 1000, START + 2000]);
  });

  it('is asked for no more than four times a second, however quickly probes end', async () => {
    const under = await LeasesUnderTest.halfOpen({ successesToClose: 100 });
    under.settle(await under.probe());
    await under.clock.advance(10);
    under.call();
    await under.clock.advance(240);

    expect(atOf(under.asked)).toEqual([START, START + 250]);
    expect(under.asked[1]!.token).toBe('r0:2');
  });

  it.each([
    [40, 250],
    [600, 600],
    [4000, 1000],
  ])('that another has for %i ms is asked for again after %i ms', async (ttlMs, afterMs) => {
    const under = await LeasesUnderTest.halfOpen();
    await under.occupy(ttlMs);
    under.call();
    await under.clock.advance(0);
    expect(under.machine.retryAfterMs(under.now())).toBe(Math.max(ttlMs, 100));
    await under.clock.advance(afterMs);

    expect(atOf(under.asked)).toEqual([START, START + afterMs]);
    expect(under.asked[1]!.token).not.toBe(under.asked[0]!.token);
    expect(under.call() !== undefined).toBe(ttlMs <= afterMs);
  });

  it('is one, though the store has granted it twice', async () => {
    const under = await LeasesUnderTest.halfOpen();
    under.store.fault = 'paused';
    under.call();
    await under.clock.advance(600);
    expect(under.asked.map(({ token }) => token)).toEqual(['r0:1', 'r0:1']);
    under.store.goOn();
    await under.clock.advance(0);

    expect([under.call(), under.call()].filter(Boolean)).toHaveLength(1);
  });

  it('is given back where no call comes for it', async () => {
    const under = await LeasesUnderTest.halfOpen();
    under.call();
    await under.clock.advance(999);
    expect(under.settled).toEqual([]);
    expect(under.leases.isSettling).toBe(false);
    await under.clock.advance(1);

    expect(under.settled).toMatchObject([{ at: START + 1000, token: 'r0:1', outcome: 'ignored' }]);
    expect(under.leases.isIdle).toBe(true);
  });

  it('is given back sooner where a probe has less than a second', async () => {
    const under = await LeasesUnderTest.halfOpen({ probeLeaseMs: 400 });
    under.call();
    await under.clock.advance(1000);

    expect(under.asked[0]!.ttlMs).toBe(800);
    expect(atOf(under.settled)).toEqual([START + 400]);
  });

  it('leaves who comes after it was given back to wait for no one', async () => {
    const under = await LeasesUnderTest.halfOpen();
    await under.occupy(5000);
    under.call();
    await under.clock.advance(500);
    await under.free();
    await under.clock.advance(1500);
    expect(under.settled).toHaveLength(1);

    expect(under.call()).toBeUndefined();
    expect(under.machine.retryAfterMs(under.now())).toBe(100);
  });

  it('that could not be given back keeps nobody from the next', async () => {
    const under = await LeasesUnderTest.halfOpen({ probes: 2 });
    under.store.faultOf = (operation) => (operation === 'settle' ? 'silent' : undefined);
    under.call();
    await under.clock.advance(1000);
    expect(under.leases.isSettling).toBe(false);

    const permit = await under.probe();
    under.settle(permit);
    await under.clock.advance(0);
    expect(under.settled.at(-1)).toMatchObject({ token: 'r0:2', outcome: 'success' });
  });

  it('is given back when the state changes before a call came', async () => {
    const under = await LeasesUnderTest.halfOpen();
    under.call();
    await under.clock.advance(100);
    under.follow('closed');
    under.poke();
    await under.clock.advance(0);

    expect(under.settled).toMatchObject([{ at: START + 100, token: 'r0:1', outcome: 'ignored' }]);
  });

  it.each([
    ['open again', (under: LeasesUnderTest) => under.follow('open', 60_000)],
    ['closed', (under: LeasesUnderTest) => under.follow('closed')],
    ['on its own', (under: LeasesUnderTest) => under.machine.goAlone()],
  ])('is given back at once where it comes to a circuit that is %s', async (_, change) => {
    const under = await LeasesUnderTest.halfOpen();
    under.store.delayMs = () => 50;
    under.call();
    await under.clock.advance(60);
    change(under);
    await under.clock.advance(40);

    expect(under.settled).toMatchObject([{ at: START + 100, token: 'r0:1', outcome: 'ignored' }]);
  });

  it('whose refusal comes late holds up nobody who asks for another', async () => {
    const under = await LeasesUnderTest.halfOpen();
    await under.occupy(60_000);
    under.store.fault = 'paused';
    under.call();
    await under.clock.advance(100);
    under.follow('open', 1000);
    under.call();
    await under.clock.advance(900);
    under.store.fault = 'silent';
    await under.clock.advance(200);
    expect(under.asked.at(-1)!.token).toBe('r0:2');
    under.store.goOn();
    await under.clock.advance(500);

    // It is asked for by its own name again, and no later for what was said of the other.
    expect(under.asked.map(({ token }) => token)).toEqual(['r0:1', 'r0:2', 'r0:2']);
    expect(under.asked[2]!.at - under.asked[1]!.at).toBe(500);
  });

  it('that comes late serves first, and the one that was asked for since is asked for after it', async () => {
    const under = await LeasesUnderTest.halfOpen();
    under.store.fault = 'paused';
    under.call();
    await under.clock.advance(100);
    under.follow('open', 300);
    under.call();
    await under.clock.advance(399);
    under.store.fault = 'reject';
    await under.clock.advance(51);
    under.store.goOn();
    await under.clock.advance(449);
    expect(under.asked).toMatchObject([
      { at: START, token: 'r0:1' },
      { at: START + 500, token: 'r0:2' },
    ]);
    await under.clock.advance(1);
    expect(under.settled).toMatchObject([{ at: START + 1000, token: 'r0:1', outcome: 'ignored' }]);

    // The store may have granted it, and then nobody else has it.
    expect(under.leases.isIdle).toBe(false);
    under.poke();
    await under.clock.advance(0);
    expect(under.asked).toMatchObject([{}, {}, { at: START + 1000, token: 'r0:2' }]);
    expect(under.call()?.isProbe).toBe(true);
  });

  it('is taken before its time is over, and not the one beside it whose time is', async () => {
    const under = await LeasesUnderTest.halfOpen();
    under.store.delayMs = () => 275;
    under.call();
    await under.clock.advance(300);
    const command = { type: 'isolate', replica: 'operator', note: 'again', forMs: 0 } as const;
    await under.memory.override('search', command);
    under.follow('open', 100);
    under.call();
    under.store.delayMs = () => 50;
    await under.clock.advance(300);
    expect(under.asked.map(({ token }) => token)).toEqual(['r0:1', 'r0:2']);
    under.store.delayMs = () => 0;
    under.clock.skip(400);
    under.settle(under.call()!);
    await under.clock.advance(0);

    expect(under.settled).toMatchObject([
      { token: 'r0:1', outcome: 'ignored' },
      { token: 'r0:2', outcome: 'success' },
    ]);
    expect(under.told.at(-1)).toMatchObject({ state: 'closed' });
  });
});

describe('a probe of the fleet', () => {
  it('is told at once, and no more once the store has heard', async () => {
    const under = await LeasesUnderTest.halfOpen();
    const permit = await under.probe();
    await under.clock.advance(321);
    under.leases.settle(permit, 'failure', 7000, under.now());
    expect(under.leases.isSettling).toBe(true);
    await under.clock.advance(0);

    expect(under.settled).toEqual([
      {
        at: START + 321,
        replica: 'r0',
        token: 'r0:1',
        outcome: 'failure',
        retryAfterMs: 7000,
        rules: under.rules,
      },
    ]);
    expect(under.told.at(-1)).toMatchObject({ state: 'open', reason: 'probe_failed' });
    expect(under.leases.isSettling).toBe(false);
    expect(under.leases.isIdle).toBe(true);
    await under.clock.advance(60_000);
    expect(under.settled).toHaveLength(1);
  });

  it('is told from one that nobody granted', async () => {
    const under = await LeasesUnderTest.halfOpen();
    const permit = await under.probe();

    expect(under.settle(new Permit(1, under.now(), true))).toBe(false);
    expect(under.leases.isSettling).toBe(false);
    expect(under.settle(permit)).toBe(true);
  });

  it('is told from the others, where several may be under way', async () => {
    const under = await LeasesUnderTest.halfOpen({ probes: 2, successesToClose: 9 });
    const first = await under.probe();
    await under.clock.advance(250);
    const second = await under.probe();
    expect(under.leases.isSettling).toBe(false);
    under.settle(second);
    expect(under.leases.isSettling).toBe(true);
    await under.clock.advance(0);
    expect(under.settled.map(({ token }) => token)).toEqual(['r0:2']);
    expect(under.leases.isIdle).toBe(false);
    expect(under.settle(first)).toBe(true);
    await under.clock.advance(0);

    expect(under.settled.map(({ token }) => token)).toEqual(['r0:2', 'r0:1']);
  });

  it('is told as it ended first', async () => {
    const under = await LeasesUnderTest.halfOpen();
    const permit = await under.probe();
    expect(under.settle(permit, 'failure')).toBe(true);
    expect(under.settle(permit, 'success')).toBe(false);
    await under.clock.advance(0);

    expect(under.settled).toMatchObject([{ outcome: 'failure' }]);
  });

  it('that says nothing is not waited for', async () => {
    const under = await LeasesUnderTest.halfOpen();
    under.store.faultOf = (operation) => (operation === 'settle' ? 'silent' : undefined);
    under.settle(await under.probe(), 'ignored');

    expect(under.leases.isSettling).toBe(false);
  });

  it('is told again every 250 ms while the store refuses, whatever else is due', async () => {
    const under = await LeasesUnderTest.halfOpen();
    const permit = await under.probe();
    under.store.fault = 'reject';
    under.settle(permit);
    await under.clock.advance(100);
    under.poke();
    await under.clock.advance(500);
    expect(atOf(under.settled)).toEqual([START, START + 250, START + 500]);
    under.store.fault = undefined;
    await under.clock.advance(5000);

    expect(under.settled).toHaveLength(4);
    expect(under.told.at(-1)).toMatchObject({ state: 'closed' });
  });

  it('is told again as soon as an answer has not come in time, and not before', async () => {
    const under = await LeasesUnderTest.halfOpen();
    const permit = await under.probe();
    under.store.fault = 'silent';
    under.settle(permit);
    for (let tenth = 0; tenth < 12; tenth++) {
      under.poke();
      await under.clock.advance(100);
    }

    expect(atOf(under.settled)).toEqual([START, START + 500, START + 1000]);
  });

  it('is told until its lease is over, and then forgotten', async () => {
    const under = await LeasesUnderTest.halfOpen();
    const permit = await under.probe();
    under.store.fault = 'silent';
    under.settle(permit);
    await under.clock.advance(5999);
    expect(under.leases.isIdle).toBe(false);
    await under.clock.advance(1);

    expect(under.leases.isIdle).toBe(true);
    expect(under.settled).toHaveLength(12);
  });

  it('that never ends is forgotten when its lease is over', async () => {
    const under = await LeasesUnderTest.halfOpen();
    const permit = await under.probe();
    await under.clock.advance(6000);

    expect(under.leases.isIdle).toBe(true);
    expect(under.settle(permit)).toBe(false);
  });
});

describe('a probe that may take longer than its lease', () => {
  it('asks for more time at once, and for no more than it needs', async () => {
    const under = await LeasesUnderTest.halfOpen();
    const permit = await under.probe(20_000);
    expect(under.asked).toMatchObject([
      { token: 'r0:1', ttlMs: 6000 },
      { at: START, replica: 'r0', token: 'r0:1', ttlMs: 20_000, rules: under.rules },
    ]);
    expect(under.told).toHaveLength(2);
    await under.clock.advance(19_999);
    expect(under.asked).toHaveLength(2);
    expect(under.settle(permit)).toBe(true);
  });

  it('asks for none where its lease is just long enough', async () => {
    const under = await LeasesUnderTest.halfOpen();
    await under.probe(6000);
    await under.clock.advance(10_000);

    expect(under.asked).toHaveLength(1);
  });

  it('asks again when half of the longest lease is over', async () => {
    const under = await LeasesUnderTest.halfOpen();
    const permit = await under.probe(1_000_000);
    await under.clock.advance(300_000);
    under.poke();
    await under.clock.advance(650_000);

    expect(under.asked.slice(1).map(({ at, ttlMs }) => [at - START, ttlMs])).toEqual([
      [0, 600_000],
      [300_000, 600_000],
      [600_000, 400_000],
    ]);
    expect(under.settle(permit)).toBe(true);
  });

  it('asks again every 250 ms while the store refuses, and when no answer came in time', async () => {
    const under = await LeasesUnderTest.halfOpen();
    under.call();
    await under.clock.advance(0);
    under.store.fault = 'reject';
    under.call(20_000);
    await under.clock.advance(100);
    under.poke();
    await under.clock.advance(500);
    expect(atOf(under.asked).slice(1)).toEqual([START, START + 250, START + 500]);
    under.store.fault = 'silent';
    await under.clock.advance(200);
    under.poke();
    await under.clock.advance(500);

    expect(atOf(under.asked).slice(4)).toEqual([START + 750, START + 1250]);
  });

  it('loses its place in time where the store has forgotten it', async () => {
    const under = await LeasesUnderTest.halfOpen();
    under.call();
    await under.clock.advance(0);
    under.memory.clear();
    under.call(20_000);
    await under.clock.advance(5999);
    expect(under.leases.isIdle).toBe(false);
    await under.clock.advance(1);

    expect(under.leases.isIdle).toBe(true);
  });

  it('that ends while it asks is told the moment that is answered', async () => {
    const under = await LeasesUnderTest.halfOpen();
    under.call();
    await under.clock.advance(0);
    under.store.delayMs = () => 100;
    const permit = under.call(20_000)!;
    await under.clock.advance(50);
    under.settle(permit);
    await under.clock.advance(149);
    expect(under.settled).toEqual([]);
    await under.clock.advance(1);

    expect(atOf(under.settled)).toEqual([START + 200]);
  });
});
