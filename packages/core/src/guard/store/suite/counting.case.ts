import { describe, expect, it } from 'vitest';
import { FAILED, LATER_MS, report, SLACK_MS, SOON_MS } from './store-in-suite.case.ts';
import type { StoreInSuite } from './store-in-suite.case.ts';

/** How a store counts, and when a circuit of it opens. `inSuite` gives the store of the test that runs. */
export function describeCounting(inSuite: () => StoreInSuite): void {
  describe('counting', () => {
    it('knows a circuit that was never reported as closed', async () => {
      const suite = inSuite();
      expect(await suite.one.report('search', report())).toMatchObject({
        state: 'closed',
        openForMs: 0,
        openings: 0,
        reason: undefined,
        note: undefined,
        calls: 0,
        failures: 0,
        slow: 0,
        tokens: 500,
        probeInMs: 0,
      });
    });

    it('adds up what replicas report', async () => {
      const suite = inSuite();
      await suite.one.report('search', report({ calls: 3, failures: 1, slow: 2 }));

      const shared = await suite.other.report(
        'search',
        report({ replica: 'b', calls: 4, slow: 1 }),
      );

      expect(shared).toMatchObject({ state: 'closed', calls: 7, failures: 1, slow: 3 });
    });

    it('keeps circuits apart, whatever they are called', async () => {
      const suite = inSuite();
      const names = ['search', 'search2', 'a{b}c', 'a}b{c', 'ключ', 'x'.repeat(200), '__proto__'];
      for (const [at, name] of names.entries())
        await suite.one.report(name, report({ calls: at + 1, failures: 0 }));

      const counted = await Promise.all(names.map(async (name) => (await suite.read(name)).calls));

      expect(counted).toEqual([1, 2, 3, 4, 5, 6, 7]);
    });

    it('forgets what is older than the window', async () => {
      const suite = inSuite();
      const short = { windowMs: SOON_MS };
      await suite.one.report('search', report({ calls: 5, failures: 4, rules: short }));
      await suite.under.advance(SOON_MS + 50);

      const shared = await suite.one.report('search', report({ calls: 1, rules: short }));

      expect(shared).toMatchObject({ calls: 1, failures: 0 });
    });

    it('loses none of many reports at once', async () => {
      const suite = inSuite();
      const reports = Array.from({ length: 40 }, (_, at) =>
        (at % 2 === 0 ? suite.one : suite.other).report(
          'search',
          report({ replica: `r${at}`, calls: 2 }),
        ),
      );
      await Promise.all(reports);

      expect((await suite.read()).calls).toBe(80);
    });
  });

  describe('opening', () => {
    it('opens by the share of failures of all replicas together', async () => {
      const suite = inSuite();
      for (const replica of ['a', 'b', 'c', 'd'])
        await suite.one.report('search', report({ replica, calls: 2, failures: 2 }));
      const shared = await suite.other.report(
        'search',
        report({ replica: 'e', calls: 2, failures: 2, retryAfterMs: 5 }),
      );

      expect(shared).toMatchObject({
        state: 'open',
        reason: 'failure_ratio_exceeded',
        replica: 'e',
        openings: 1,
        calls: 0,
      });
      expect(shared.openForMs).toBeGreaterThan(LATER_MS - SLACK_MS);
      expect(shared.openForMs).toBeLessThanOrEqual(LATER_MS);
    });

    it('opens by the share of slow calls', async () => {
      const suite = inSuite();
      const slow = report({ calls: 10, slow: 8, rules: { slowCallRatio: 0.8 } });

      expect(await suite.one.report('search', slow)).toMatchObject({
        state: 'open',
        reason: 'slow_ratio_exceeded',
      });
    });

    it('opens by failures in a row that replicas see between them', async () => {
      const suite = inSuite();
      const few = { consecutiveFailures: 4, minCalls: 100 };
      await suite.one.report('search', report({ calls: 2, failures: 2, rules: few }));

      const shared = await suite.other.report(
        'search',
        report({ replica: 'b', calls: 2, failures: 2, rules: few }),
      );

      expect(shared).toMatchObject({ state: 'open', reason: 'failure_threshold_exceeded' });
    });

    it('begins a row anew after a success', async () => {
      const suite = inSuite();
      const few = { consecutiveFailures: 4, minCalls: 100 };
      await suite.one.report('search', report({ calls: 3, failures: 3, rules: few }));
      const after = report({ calls: 3, failures: 2, trailingFailures: 1, rules: few });

      expect(await suite.one.report('search', after)).toMatchObject({ state: 'closed' });
      expect(
        await suite.one.report('search', report({ calls: 3, failures: 3, rules: few })),
      ).toMatchObject({ state: 'open', reason: 'failure_threshold_exceeded' });
    });

    it('stays closed while one sick replica fails among healthy ones', async () => {
      const suite = inSuite();
      const strict = { consecutiveFailures: 5 };
      for (const replica of ['b', 'c', 'd'])
        await suite.other.report('search', report({ replica, calls: 20, rules: strict }));
      const trip = 'failure_threshold_exceeded';
      const sick = report({ calls: 20, failures: 20, trip, rules: strict });

      expect(await suite.one.report('search', sick)).toMatchObject({ state: 'closed' });
    });

    it('opens by the trip of one gate where most of what the fleet sees fails', async () => {
      const suite = inSuite();
      await suite.other.report('search', report({ replica: 'b', calls: 2, failures: 0 }));
      const trip = report({ calls: 3, failures: 3, trip: 'failure_threshold_exceeded' });

      expect(await suite.one.report('search', trip)).toMatchObject({
        state: 'open',
        reason: 'failure_threshold_exceeded',
      });
    });

    it('opens where half of the replicas have opened their gates, however well it went before', async () => {
      const suite = inSuite();
      for (const replica of ['a', 'b', 'c', 'd'])
        await suite.one.report('search', report({ replica, calls: 100 }));
      const trip = 'failure_threshold_exceeded';
      const first = report({ replica: 'a', calls: 5, failures: 5, trip });
      const second = report({ replica: 'b', calls: 5, failures: 5, trip });

      expect(await suite.one.report('search', first)).toMatchObject({ state: 'closed' });
      expect(await suite.other.report('search', second)).toMatchObject({
        state: 'open',
        reason: 'failure_threshold_exceeded',
        replica: 'b',
      });
    });

    it('stays closed while fewer than half of the replicas have opened their gates', async () => {
      const suite = inSuite();
      for (const replica of ['a', 'b', 'c', 'd', 'e'])
        await suite.one.report('search', report({ replica, calls: 100 }));
      const trip = 'failure_threshold_exceeded';
      for (const replica of ['a', 'b'])
        await suite.one.report('search', report({ replica, calls: 5, failures: 5, trip }));

      expect((await suite.read()).state).toBe('closed');
    });

    it('stays closed when two of a great many replicas have opened their gates, however long all call', async () => {
      const suite = inSuite();
      const many = Array.from({ length: 70 }, (_, at) => `r${at}`);
      const rules = { windowMs: 2 * SOON_MS };
      const calling = (replica: string): Promise<unknown> =>
        suite.one.report('search', report({ replica, calls: 1, rules }));
      for (let round = 0; round < 2; round++) {
        await Promise.all(many.map(calling));
        await suite.under.advance(SOON_MS);
      }
      const trip = 'failure_threshold_exceeded';
      for (const replica of ['r0', 'r1'])
        await suite.one.report('search', report({ replica, calls: 5, failures: 5, trip, rules }));

      expect((await suite.read()).state).toBe('closed');
    });

    it('does not open by what is only of local scope', async () => {
      const suite = inSuite();
      const local = report({ calls: 50, failures: 50, trip: 'retry_after', scope: 'local' });

      expect(await suite.one.report('search', local)).toMatchObject({
        state: 'closed',
        failures: 50,
      });
    });

    it('is open for as long as a server asked', async () => {
      const suite = inSuite();
      const shared = await suite.one.report('search', { ...FAILED, retryAfterMs: 3 * LATER_MS });

      expect(shared.openForMs).toBeGreaterThan(3 * LATER_MS - SLACK_MS);
    });

    it('counts nothing while it is not closed', async () => {
      const suite = inSuite();
      const opened = await suite.one.report('search', FAILED);

      const shared = await suite.one.report('search', { ...FAILED, version: opened.version });

      expect(shared).toMatchObject({ state: 'open', calls: 0, version: opened.version });
    });
  });

  describe('versions', () => {
    it('go up with every transition, and are no less than the time', async () => {
      const suite = inSuite();
      const closed = await suite.read();
      const opened = await suite.one.report('search', FAILED);
      const isolated = await suite.override({
        type: 'isolate',
        replica: 'a',
        note: 'x',
        forMs: 50,
      });
      const reset = await suite.override({ type: 'reset', replica: 'a' });

      expect(opened.version).toBeGreaterThan(closed.version);
      expect(opened.version).toBeGreaterThan(1_600_000_000_000);
      expect(isolated.version).toBeGreaterThan(opened.version);
      expect(reset.version).toBeGreaterThan(isolated.version);
    });

    it('stay while the state does', async () => {
      const suite = inSuite();
      const opened = await suite.one.report('search', FAILED);

      expect((await suite.read()).version).toBe(opened.version);
    });

    it('leave out what was counted before the last transition', async () => {
      const suite = inSuite();
      const before = await suite.one.report('search', report({ calls: 1 }));
      const reset = await suite.override({ type: 'reset', replica: 'b' });
      const opened = await suite.one.report('search', { ...FAILED, version: reset.version });
      const again = await suite.override({ type: 'reset', replica: 'b' });

      const late = await suite.one.report('search', { ...FAILED, version: opened.version });

      expect(before.version).toBeLessThan(reset.version);
      expect(late).toMatchObject({ state: 'closed', calls: 0, version: again.version });
    });
  });

  describe('tokens', () => {
    it('are taken and given back by all replicas', async () => {
      const suite = inSuite();
      await suite.one.report('search', report({ tokensTaken: 100 }));

      const shared = await suite.other.report(
        'search',
        report({ tokensTaken: 50, tokensGained: 20 }),
      );

      expect(shared.tokens).toBe(370);
    });

    it('are never fewer than none nor more than fit', async () => {
      const suite = inSuite();
      const empty = await suite.one.report('search', report({ tokensTaken: 900 }));
      const full = await suite.one.report('search', report({ tokensGained: 900 }));

      expect([empty.tokens, full.tokens]).toEqual([0, 500]);
    });

    it('are counted while the circuit is open', async () => {
      const suite = inSuite();
      await suite.one.report('search', FAILED);

      expect((await suite.one.report('search', report({ tokensTaken: 5 }))).tokens).toBe(495);
    });
  });
}
