import { describe, expect, it } from 'vitest';
import {
  BROKEN,
  CANCELLED,
  fail,
  isRefused,
  permitOf,
  succeed,
} from '../breaker/breaker-under-test.case.ts';
import { RetryBudget } from '../retry-budget.ts';
import { SeatUnderTest } from './seat-under-test.case.ts';

const START = 10_000;

const atOf = (times: readonly { readonly at: number }[]): number[] => times.map(({ at }) => at);

describe('what a circuit reports', () => {
  it('is every call that ended, once', async () => {
    const under = SeatUnderTest.joined({
      slowCallMs: 300,
      slowCallRatio: 1,
      maxRetryAfterMs: 60_000,
    });
    const { breaker, clock } = under;
    const [quick, slow, failed, cancelled] = Array.from({ length: 4 }, () => permitOf(breaker));
    await clock.advance(299);
    breaker.settle(quick!);
    await clock.advance(1);
    breaker.settle(slow!);
    breaker.settle(failed!, { ...BROKEN, retryAfterMs: 7000 });
    breaker.settle(cancelled!, CANCELLED);
    breaker.settle(slow!, BROKEN);
    under.seat.settle(failed!, 'failure', under.now());
    await under.flush();

    expect(under.report).toMatchObject({
      replica: 'r0',
      scope: 'fleet',
      calls: 3,
      failures: 1,
      slow: 2,
      trailingFailures: 1,
      retryAfterMs: 7000,
      tokensGained: 2,
      version: 0,
    });
    expect(under.report).not.toHaveProperty('held.state');
    expect(under.sums).toEqual({ calls: 3, failures: 1 });
  });

  it('leaves out what ended in a later state than it began', async () => {
    const under = SeatUnderTest.joined();
    const permit = permitOf(under.breaker);
    under.breaker.isolate('for a moment');
    under.breaker.reset();
    await under.clock.advance(0);
    under.breaker.settle(permit);
    await under.clock.advance(100);
    await under.flush();

    expect(under.reports.map(({ calls }) => calls)).not.toContain(1);
  });

  it('has why it opened, and comes at once', async () => {
    const under = SeatUnderTest.joined();
    succeed(under.breaker);
    await under.clock.advance(333);
    fail(under.breaker, 5);
    await under.clock.advance(0);

    expect(under.reports).toMatchObject([
      { at: START },
      { at: START + 333, failures: 5, trip: 'failure_threshold_exceeded' },
    ]);
    expect(under.reports[0]!.trip).toBeUndefined();
  });

  it('says nothing of a gate that is of local scope', async () => {
    const under = SeatUnderTest.joined({ scope: 'local' });
    succeed(under.breaker);
    await under.clock.advance(333);
    fail(under.breaker, 5);
    await under.clock.advance(0);
    expect(under.reports).toHaveLength(1);
    await under.flush();

    expect(under.report).toMatchObject({ scope: 'local', failures: 5 });
    expect(under.report!.trip).toBeUndefined();
  });

  it('has nothing from before an operator reset the circuit', async () => {
    const under = SeatUnderTest.joined();
    succeed(under.breaker);
    await under.clock.advance(200);
    fail(under.breaker, 3);
    under.breaker.reset();
    await under.clock.advance(200);
    await under.flush();
    await under.clock.advance(200);
    succeed(under.breaker, 2);
    await under.flush();

    expect(under.report).toMatchObject({ calls: 2, failures: 0 });
    expect(under.sums).toEqual({ calls: 3, failures: 0 });
  });

  it.each([
    [{ state: 'open', openForMs: 60_000, reason: 'probe_failed' } as const, 0],
    [{ state: 'half-open', reason: 'recovery_timeout_expired' } as const, 0],
    [{ state: 'closed', reason: 'reset' } as const, 0],
    [{ state: 'closed', reason: 'probe_succeeded' } as const, 3],
  ])(
    'has what was counted before the fleet was $state only if that is news of no other state',
    async (shared, calls) => {
      const under = await SeatUnderTest.told({ version: 5, state: 'closed' });
      succeed(under.breaker);
      await under.clock.advance(200);
      succeed(under.breaker, 3);
      under.hear({ version: Number.MAX_SAFE_INTEGER - 10, ...shared });
      await under.flush();
      await under.clock.advance(2000);

      expect(under.reports.slice(1).reduce((sum, report) => sum + report.calls, 0)).toBe(calls);
    },
  );

  it('comes when a call comes after a while, and not where one has just been', async () => {
    const under = SeatUnderTest.joined();
    succeed(under.breaker);
    await under.clock.advance(100);
    await under.flush();
    await under.clock.advance(899);
    expect(under.seat.isIdle).toBe(true);
    under.seat.rest();
    const lastAt = under.report!.at;
    await under.clock.advance(lastAt + 999 - under.now());
    under.breaker.acquire();
    await under.clock.advance(0);
    expect(under.report!.at).toBe(lastAt);
    await under.clock.advance(1);
    under.breaker.acquire();
    await under.clock.advance(0);
    expect(under.report!.at).toBe(lastAt);
    under.seat.rest();
    under.breaker.acquire();
    await under.clock.advance(0);

    expect(under.report!.at).toBe(lastAt + 1000);
  });

  it('waits for the flush while the circuit is awake', async () => {
    const under = SeatUnderTest.joined();
    succeed(under.breaker);
    await under.clock.advance(5000);
    succeed(under.breaker);
    await under.clock.advance(1000);
    expect(under.reports).toHaveLength(1);
    await under.flush();

    expect(under.report).toMatchObject({ calls: 1 });
  });

  it('comes for a call that ends when the circuit has come to rest', async () => {
    const under = SeatUnderTest.joined();
    const permit = permitOf(under.breaker);
    await under.clock.advance(5000);
    under.seat.rest();
    under.breaker.settle(permit);
    await under.clock.advance(0);

    expect(under.report).toMatchObject({ at: START + 5000, calls: 1 });
  });

  it('comes no sooner than 100 ms after the last', async () => {
    const under = SeatUnderTest.joined();
    succeed(under.breaker);
    await under.clock.advance(20);
    fail(under.breaker, 5);
    await under.clock.advance(79);
    await under.flush();
    expect(atOf(under.reports)).toEqual([START]);
    await under.clock.advance(1);

    expect(atOf(under.reports)).toEqual([START, START + 100]);
  });

  it('comes sooner where the fleet is about to be closed', async () => {
    const under = SeatUnderTest.joined();
    succeed(under.breaker);
    await under.clock.advance(0);
    succeed(under.breaker, 4);
    under.seat.retire();
    await under.flush();

    expect(under.report).toMatchObject({ at: START, calls: 4 });
  });

  it.each(['paused', 'silent', 'reject'] as const)(
    'comes again, when the last is over, for what became due meanwhile: %s',
    async (fault) => {
      const under = SeatUnderTest.joined();
      under.store.delayMs = () => 100;
      under.store.fault = fault;
      succeed(under.breaker);
      await under.clock.advance(10);
      fail(under.breaker, 5);
      await under.clock.advance(200);
      if (fault === 'paused') expect(under.reports).toHaveLength(1);
      under.store.goOn();
      await under.clock.advance(400);

      expect(under.reports.length).toBeGreaterThan(1);
      expect(under.report).toMatchObject({ trip: 'failure_threshold_exceeded', failures: 5 });
    },
  );

  it('comes again for what became due before the store refused the last', async () => {
    const under = SeatUnderTest.joined();
    under.store.delayMs = () => 100;
    const report = (): Promise<never> => Promise.reject(new Error('refused'));
    under.store.inner = Object.assign(Object.create(under.memory) as typeof under.memory, {
      report,
    });
    succeed(under.breaker);
    await under.clock.advance(10);
    fail(under.breaker, 5);
    await under.clock.advance(90);

    expect(under.reports).toMatchObject([
      { at: START },
      { at: START + 100, calls: 6, trip: 'failure_threshold_exceeded' },
    ]);
  });

  it('is told with the next where the store refused it', async () => {
    const under = SeatUnderTest.joined();
    under.store.fault = 'reject';
    succeed(under.breaker, 3);
    await under.clock.advance(100);
    under.store.fault = undefined;
    succeed(under.breaker, 2);
    await under.flush();

    expect(under.report).toMatchObject({ calls: 5 });
  });

  it('is dropped where the store refused it and the fleet has moved on', async () => {
    const under = SeatUnderTest.joined();
    under.store.delayMs = () => 0;
    succeed(under.breaker);
    await under.clock.advance(200);
    succeed(under.breaker, 3);
    let release = (): void => undefined;
    const refused = new Promise<never>((_, reject) => {
      release = () => {
        reject(new Error('refused'));
      };
    });
    const { inner } = under.store;
    under.store.inner = Object.assign(Object.create(inner) as typeof inner, {
      report: () => refused,
    });
    await under.flush();
    expect(under.report).toMatchObject({ calls: 3 });
    under.hear({ version: 9, state: 'closed', reason: 'probe_succeeded' });
    release();
    await under.clock.advance(200);
    under.store.inner = under.memory;
    succeed(under.breaker, 2);
    await under.flush();

    expect(under.report).toMatchObject({ calls: 2 });
  });
});

describe('a circuit that its fleet holds open', () => {
  const OPEN = {
    version: 5,
    state: 'open',
    openForMs: 60_000,
    openings: 2,
    reason: 'probe_failed',
    note: 'broken',
  } as const;

  it('is asked for about once a second, and told what it holds', async () => {
    const under = await SeatUnderTest.told(OPEN);
    under.store.fault = 'silent';
    await under.clock.advance(999);
    expect(under.reports).toEqual([]);
    under.chance = 0;
    await under.clock.advance(1751);

    expect(atOf(under.reports)).toEqual([START + 1000, START + 1750, START + 2500]);
    expect(under.reports[0]!.held).toEqual({
      state: 'open',
      openForMs: 59_000,
      openings: 2,
      reason: 'probe_failed',
      note: 'broken',
    });
    expect(under.reports[0]!.version).toBe(5);
  });

  it('is asked for less often in a large fleet', async () => {
    const under = SeatUnderTest.joined();
    under.stretch = 5;
    under.store.fault = 'silent';
    under.hear(OPEN);
    await under.clock.advance(9999);

    expect(atOf(under.reports)).toEqual([START + 5000]);
  });

  it('is asked for no more once it has closed', async () => {
    const under = await SeatUnderTest.told(OPEN);
    under.hear({ version: 6, state: 'closed', reason: 'probe_succeeded' });
    await under.clock.advance(60_000);

    expect(under.reports).toEqual([]);
    expect(under.breaker.state).toBe('closed');
    expect(under.seat.isIdle).toBe(true);
  });

  it('is not asked for by one that nobody has', async () => {
    const under = new SeatUnderTest();
    under.hear(OPEN);
    under.seat.lookAgain(0);
    await under.clock.advance(60_000);
    expect(under.reports).toEqual([]);
    under.seat.join();
    expect(under.members).toEqual([under.seat]);
    under.seat.lookAgain(0);
    await under.clock.advance(0);

    expect(under.reports).toHaveLength(1);
  });

  it('is asked for by one that somebody has again', async () => {
    const under = SeatUnderTest.joined();
    succeed(under.breaker);
    await under.clock.advance(0);
    under.seat.leave();
    await under.clock.advance(5000);
    under.seat.join();
    under.breaker.acquire();
    await under.clock.advance(0);

    expect(atOf(under.reports)).toEqual([START, START + 5000]);
  });

  it('gives back the place of a probe that no call came for when it opens again', async () => {
    const under = await SeatUnderTest.halfOpen();
    isRefused(under.breaker);
    await under.clock.advance(0);
    expect(under.store.countOf('lease')).toBe(1);
    under.hear({ version: Number.MAX_SAFE_INTEGER, state: 'open', openForMs: 60_000 });
    await under.flush();

    expect(under.store.askedFor('settle')).toMatchObject([{ at: START, outcome: 'ignored' }]);
  });

  it('gives it back when the fleet is about to be closed', async () => {
    const under = await SeatUnderTest.halfOpen();
    isRefused(under.breaker);
    await under.clock.advance(0);
    under.seat.retire();
    await under.flush();

    expect(under.store.askedFor('settle')).toMatchObject([{ at: START, outcome: 'ignored' }]);
  });
});

describe('the probe of a circuit', () => {
  async function probing(options = {}): Promise<SeatUnderTest> {
    const under = await SeatUnderTest.halfOpen({ successesToClose: 1, ...options });
    isRefused(under.breaker);
    await under.clock.advance(0);
    return under;
  }

  it.each([
    [undefined, 0, 'success'],
    [undefined, 300, 'slow'],
    [BROKEN, 0, 'failure'],
    [BROKEN, 300, 'failure'],
    [CANCELLED, 300, 'ignored'],
  ])('that ended with %o after %i ms is told as a %s', async (failure, afterMs, told) => {
    const under = await probing({ slowCallMs: 300, slowCallRatio: 1 });
    const permit = permitOf(under.breaker);
    await under.clock.advance(afterMs);
    under.breaker.settle(permit, failure);
    under.breaker.release(permit);
    await under.clock.advance(0);

    expect(under.store.askedFor('settle')).toMatchObject([{ outcome: told }]);
  });

  it('says nothing where the fleet has moved on, and gives its place back', async () => {
    const under = await probing();
    const permit = permitOf(under.breaker);
    under.hear({ version: Number.MAX_SAFE_INTEGER, state: 'open', openForMs: 60_000 });
    under.breaker.settle(permit);
    await under.clock.advance(0);

    expect(under.store.askedFor('settle')).toMatchObject([{ outcome: 'ignored' }]);
    expect(under.breaker.state).toBe('open');
  });

  it('closes it here at once, and what the store says before it has heard does not undo that', async () => {
    const under = await probing();
    const permit = permitOf(under.breaker);
    under.store.faultOf = (operation) => (operation === 'settle' ? 'silent' : undefined);
    await under.clock.advance(500);
    under.breaker.settle(permit);
    await under.clock.advance(700);
    expect(under.reports.length).toBeGreaterThan(1);

    expect(under.breaker.state).toBe('closed');
  });

  it('whose place the store has given away has proved nothing', async () => {
    const under = await probing();
    const permit = permitOf(under.breaker);
    const { rules } = under.seat;
    const gone = { replica: 'r0', token: 'r0:1', outcome: 'ignored', rules } as const;
    await under.memory.settle('search', gone);
    under.breaker.settle(permit);
    expect(under.breaker.state).toBe('closed');
    expect(under.seat.isIdle).toBe(false);
    await under.clock.advance(0);

    expect(under.breaker.state).toBe('half-open');
  });

  it('that was cancelled puts off no look at the store', async () => {
    const under = await probing();
    await under.clock.advance(600);
    under.breaker.release(permitOf(under.breaker));
    await under.clock.advance(400);

    expect(under.store.countOf('settle')).toBe(1);
    expect(atOf(under.reports)).toEqual([START, START + 1000]);
  });

  it('of a circuit that had opened by itself asks nobody, and an old reset does not close it', async () => {
    const under = await SeatUnderTest.told({ version: 4, state: 'closed' });
    under.hear({ version: 5, state: 'closed', reason: 'reset' });
    under.store.fault = 'silent';
    fail(under.breaker, 5);
    await under.clock.advance(60_000);
    under.breaker.settle(permitOf(under.breaker), BROKEN);
    expect(under.breaker.state).toBe('open');
    under.seat.heard({ ...under.seat.shared! });

    expect(under.breaker.state).toBe('open');
    expect(under.store.countOf('lease')).toBe(0);
  });
});

describe('what the store says', () => {
  const OPEN = { version: 5, state: 'open', openForMs: 60_000, reason: 'probe_failed' } as const;

  it('is nothing new where it is old, or known', async () => {
    const under = await SeatUnderTest.told({ ...OPEN, calls: 1 });
    under.hear({ ...OPEN, calls: 2 });
    expect(under.seat.shared).toMatchObject({ calls: 1 });
    under.hear({ version: 4, state: 'closed' });
    await under.clock.advance(0);

    expect(under.breaker.state).toBe('open');
    expect(under.reports).toEqual([]);
  });

  it.each([
    ['whose fleet is closed', (under: SeatUnderTest) => (under.isClosed = true)],
    ['whose store is away', (under: SeatUnderTest) => (under.link.isDegraded = true)],
    ['that an operator has just reset', (under: SeatUnderTest) => under.breaker.reset()],
  ])('is nothing to a circuit %s', async (_, change) => {
    const under = SeatUnderTest.joined();
    await under.clock.advance(0);
    change(under);
    under.hear(OPEN);

    expect(under.breaker.state).toBe('closed');
    expect(under.seat.shared).toBeUndefined();
  });

  it('that is older than what was said before is corrected at once', async () => {
    const under = await SeatUnderTest.told(OPEN);
    await under.clock.advance(300);
    under.seat.heard({ ...under.seat.shared!, version: 3, state: 'closed' });
    await under.clock.advance(0);

    expect(under.breaker.state).toBe('open');
    expect(under.reports).toMatchObject([{ at: START + 300, held: { state: 'open' } }]);
  });

  it('of how it came to be closed is nothing to one that has just joined', async () => {
    const under = SeatUnderTest.joined();
    under.store.fault = 'silent';
    fail(under.breaker, 5);
    under.hear({ version: 5, state: 'closed', reason: 'reset' });
    expect(under.breaker.state).toBe('open');
    under.hear({ version: 6, state: 'closed', reason: 'reset' });

    expect(under.breaker.state).toBe('closed');
  });

  it('opens one that has just joined', async () => {
    const under = await SeatUnderTest.told(OPEN);

    expect(under.breaker.state).toBe('open');
  });

  it('is asked for within the time it is given, after a loss', async () => {
    const under = SeatUnderTest.joined();
    under.chance = 0.25;
    under.seat.lookAgain(400);
    expect(under.seat.isIdle).toBe(false);
    await under.clock.advance(99);
    expect(under.reports).toEqual([]);
    await under.clock.advance(1);

    expect(atOf(under.reports)).toEqual([START + 100]);
  });
});

describe('an operator of a store that has lost its versions', () => {
  it.each([4, 5])('is told to it again under a version that is ahead: %i', async (version) => {
    const under = await SeatUnderTest.told({ version: 5, state: 'closed' });
    const told = { ...under.seat.shared!, version, state: 'closed', reason: 'reset' } as const;
    await under.clock.advance(400);
    under.seat.obeyed(told);
    expect(under.seat.shared!.version).toBe(1005);
    await under.clock.advance(0);

    expect(under.reports).toMatchObject([{ at: START + 400, version: 1005 }]);
  });

  it('is told once to one that has not', async () => {
    const under = await SeatUnderTest.told({ version: 5, state: 'closed' });
    under.seat.obeyed({ ...under.seat.shared!, version: 6, reason: 'reset' });
    await under.clock.advance(60_000);

    expect(under.seat.shared!.version).toBe(6);
    expect(under.reports).toEqual([]);
  });

  it.each([
    ['away', (under: SeatUnderTest) => (under.link.isDegraded = true)],
    ['left', (under: SeatUnderTest) => (under.isClosed = true)],
  ])('is followed later where the store is %s by then', async (_, change) => {
    const under = await SeatUnderTest.told({ version: 5, state: 'closed' });
    change(under);
    const isolated = { version: 6, state: 'open', openForMs: 60_000, reason: 'isolated' } as const;
    under.seat.obeyed({ ...under.seat.shared!, ...isolated });
    expect(under.breaker.state).toBe('closed');
    under.link.isDegraded = false;
    under.isClosed = false;
    under.seat.heard(under.seat.shared!);

    expect(under.breaker.state).toBe('open');
  });
});

describe('a circuit whose store is away', () => {
  const HALF_OPEN = { version: 5, state: 'half-open', reason: 'recovery_timeout_expired' } as const;

  function lose(under: SeatUnderTest): void {
    under.link.isDegraded = true;
    under.seat.lost();
  }

  it('refuses all calls only where it is to', async () => {
    const refusing = SeatUnderTest.joined({ onStoreLoss: 'refuse' });
    expect(refusing.seat.refusesAll).toBe(false);
    lose(refusing);
    expect(refusing.seat.refusesAll).toBe(true);
    const local = SeatUnderTest.joined();
    lose(local);

    expect(local.seat.refusesAll).toBe(false);
  });

  it('probes by itself', async () => {
    const under = await SeatUnderTest.told(HALF_OPEN);
    expect(isRefused(under.breaker)).toBe(true);
    lose(under);

    expect(permitOf(under.breaker).isProbe).toBe(true);
  });

  it('makes no probe for the fleet, with admit, whatever it was granted', async () => {
    const under = await SeatUnderTest.halfOpen({ onStoreLoss: 'admit' });
    isRefused(under.breaker);
    await under.clock.advance(0);
    expect(under.store.countOf('lease')).toBe(1);
    lose(under);
    const permit = permitOf(under.breaker);
    expect(permit.isProbe).toBe(false);
    const { state } = under.breaker;
    fail(under.breaker, 5);

    expect(under.breaker.state).toBe(state);
  });

  it('counts no call that it let through while it was open, with admit', async () => {
    const under = SeatUnderTest.joined({ onStoreLoss: 'admit', scope: 'local' });
    lose(under);
    fail(under.breaker, 5);
    expect(under.breaker.state).toBe('open');
    fail(under.breaker, 4);
    under.link.isDegraded = false;
    await under.flush();

    expect(under.report).toMatchObject({ failures: 5 });
  });

  it('follows the store when it is back, whatever it found out by itself', async () => {
    const under = await SeatUnderTest.told(HALF_OPEN);
    lose(under);
    succeed(under.breaker);
    expect(under.breaker.state).toBe('closed');
    under.link.isDegraded = false;
    under.seat.heard(under.seat.shared!);

    expect(under.breaker.state).toBe('half-open');
  });

  it('stays open where it opened by itself and the fleet was closed all the time', async () => {
    const under = await SeatUnderTest.told({ version: 4, state: 'closed' });
    under.hear({ version: 5, state: 'closed', reason: 'reset' });
    lose(under);
    fail(under.breaker, 5);
    under.link.isDegraded = false;
    under.seat.heard(under.seat.shared!);

    expect(under.breaker.state).toBe('open');
  });

  it('is followed by no calls that were refused before it was', async () => {
    const under = await SeatUnderTest.told({ ...HALF_OPEN, state: 'open', openForMs: 5000 });
    isRefused(under.breaker);
    lose(under);
    under.link.isDegraded = false;
    under.hear({ version: 6, state: 'closed', reason: 'probe_succeeded' });

    expect(under.seat.isIdle).toBe(true);
  });
});

describe('what retries cost a fleet', () => {
  const OUT = 'server';

  it('is not guessed before the store has said', () => {
    const under = SeatUnderTest.joined();
    const budget = new RetryBudget();
    under.seat.pay(budget);

    expect(budget.tokens).toBe(500);
  });

  it('is what the store says, and what was counted since', async () => {
    const under = await SeatUnderTest.told({ version: 5, state: 'closed', tokens: 100 });
    succeed(under.breaker, 7);
    fail(under.breaker, 2);
    const budget = new RetryBudget();
    under.seat.pay(budget);

    expect(budget.tokens).toBe(107);
  });

  it('is told, though there is nothing else to tell', async () => {
    const under = SeatUnderTest.joined();
    const budget = new RetryBudget();
    under.seat.pay(budget);
    budget.take(OUT, under.now());
    await under.flush();
    expect(under.report).toMatchObject({ calls: 0, tokensTaken: 5, tokenCapacity: 500 });
    await under.clock.advance(200);
    await under.flush();

    expect(under.reports).toHaveLength(1);
  });

  it('is told again where the store refused it', async () => {
    const under = SeatUnderTest.joined();
    const budget = new RetryBudget();
    under.seat.pay(budget);
    under.store.fault = 'reject';
    budget.take(OUT, under.now());
    await under.flush();
    await under.clock.advance(200);
    under.store.fault = undefined;
    budget.take(OUT, under.now());
    await under.flush();

    expect(under.reports.map(({ tokensTaken }) => tokensTaken)).toEqual([5, 10]);
  });

  it('is known here before the store has heard of it', async () => {
    const under = SeatUnderTest.joined();
    const budget = new RetryBudget();
    under.seat.pay(budget);
    for (let retry = 0; retry < 50; retry++) budget.take(OUT, under.now());
    under.store.delayMs = () => 50;
    await under.flush();
    for (let retry = 0; retry < 10; retry++) budget.take(OUT, under.now());
    succeed(under.breaker, 3);
    await under.clock.advance(100);

    expect(budget.tokens).toBe(500 - 50 * 5 - 10 * 5 + 3);
  });
});
