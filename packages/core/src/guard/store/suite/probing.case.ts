import { describe, expect, it } from 'vitest';
import { FAILED, LATER_MS, report, rules, SLACK_MS, SOON_MS } from './store-in-suite.case.ts';
import type { StoreInSuite } from './store-in-suite.case.ts';

/** How a circuit of a store is probed, and what operators do with it. `inSuite` gives the store of the test that runs. */
export function describeProbing(inSuite: () => StoreInSuite): void {
  describe('probing', () => {
    it('is half-open when the open time is over', async () => {
      const suite = inSuite();
      const opened = await suite.one.report('search', {
        ...FAILED,
        rules: rules({ openForMs: 200 }),
      });
      await suite.under.advance(220);

      const shared = await suite.read();

      expect(shared).toMatchObject({ state: 'half-open', openForMs: 0, probeInMs: 0 });
      expect(shared.version).toBeGreaterThan(opened.version);
    });

    it('grants no probe while it is closed or open', async () => {
      const suite = inSuite();
      await suite.read();
      expect(await suite.lease(suite.one, 'p1')).toMatchObject({ granted: false });

      await suite.one.report('search', FAILED);

      expect(await suite.lease(suite.one, 'p1')).toMatchObject({
        granted: false,
        shared: { state: 'open' },
      });
    });

    it('grants one probe at a time, and tells the others how long it may take', async () => {
      const suite = inSuite();
      await suite.halfOpen();
      const first = await suite.lease(suite.one, 'p1');
      const second = await suite.lease(suite.other, 'p2');

      expect(first).toMatchObject({ granted: true, shared: { state: 'half-open' } });
      expect(second.granted).toBe(false);
      expect(second.shared.probeInMs).toBeGreaterThan(LATER_MS - SLACK_MS);
      expect(second.shared.probeInMs).toBeLessThanOrEqual(LATER_MS);
    });

    it('grants the first probe without another having looked', async () => {
      const suite = inSuite();
      await suite.one.report('search', { ...FAILED, rules: rules({ openForMs: 100 }) });
      await suite.under.advance(120);

      expect(await suite.lease(suite.other, 'p1')).toMatchObject({ granted: true });
    });

    it('grants as many as there may be, to nodes that race for them', async () => {
      const suite = inSuite();
      await suite.halfOpen();
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          suite.lease(at % 2 === 0 ? suite.one : suite.other, `p${at}`, LATER_MS, { probes: 3 }),
        ),
      );

      expect(replies.filter(({ granted }) => granted)).toHaveLength(3);
    });

    it('frees the place of a probe that says nothing', async () => {
      const suite = inSuite();
      await suite.halfOpen();
      await suite.lease(suite.one, 'p1', SOON_MS);
      const refused = await suite.lease(suite.other, 'p2');
      await suite.under.advance(SOON_MS + 20);

      expect(refused.granted).toBe(false);
      expect(await suite.lease(suite.other, 'p2')).toMatchObject({ granted: true });
      expect(await suite.settle('p1', 'success')).toMatchObject({ state: 'half-open' });
    });

    it('keeps a probe for longer that asks again with its token', async () => {
      const suite = inSuite();
      await suite.halfOpen();
      await suite.lease(suite.one, 'p1', SOON_MS);
      expect(await suite.lease(suite.one, 'p1', LATER_MS)).toMatchObject({ granted: true });
      await suite.under.advance(SOON_MS + 20);

      expect(await suite.lease(suite.other, 'p2')).toMatchObject({ granted: false });
      expect(await suite.settle('p1', 'success')).toMatchObject({ state: 'closed' });
    });

    it('closes when a probe succeeds', async () => {
      const suite = inSuite();
      const before = await suite.halfOpen();
      await suite.lease(suite.one, 'p1');

      const closed = await suite.settle('p1', 'success');

      expect(closed).toMatchObject({
        state: 'closed',
        reason: 'probe_succeeded',
        replica: 'a',
        openings: 0,
        openForMs: 0,
      });
      expect(closed.version).toBeGreaterThan(before.version);
    });

    it('waits for as many successes as it is to have', async () => {
      const suite = inSuite();
      const two = { successesToClose: 2 };
      await suite.halfOpen(two);
      await suite.lease(suite.one, 'p1');
      expect(await suite.settle('p1', 'success', two)).toMatchObject({ state: 'half-open' });
      await suite.lease(suite.one, 'p2');

      expect(await suite.settle('p2', 'success', two)).toMatchObject({ state: 'closed' });
    });

    it('opens again when a probe fails, for longer each time', async () => {
      const suite = inSuite();
      const growing = { openForMs: 200, openForGrowth: 100, maxOpenForMs: 30_000 };
      await suite.halfOpen(growing);
      await suite.lease(suite.one, 'p1');

      const again = await suite.settle('p1', 'failure', growing);

      expect(again).toMatchObject({ state: 'open', reason: 'probe_failed', openings: 2 });
      expect(again.openForMs).toBeGreaterThan(20_000 - SLACK_MS);
      expect(again.openForMs).toBeLessThanOrEqual(20_000);
    });

    it('opens no longer than it may', async () => {
      const suite = inSuite();
      const growing = { openForMs: 200, openForGrowth: 1000, maxOpenForMs: 30_000 };
      await suite.halfOpen(growing);
      await suite.lease(suite.one, 'p1');

      const { openForMs } = await suite.settle('p1', 'failure', growing);

      expect(openForMs).toBeGreaterThan(30_000 - SLACK_MS);
      expect(openForMs).toBeLessThanOrEqual(30_000);
    });

    it('opens again when a probe is slow', async () => {
      const suite = inSuite();
      await suite.halfOpen();
      await suite.lease(suite.one, 'p1');

      expect(await suite.settle('p1', 'slow')).toMatchObject({
        state: 'open',
        reason: 'probe_slow',
      });
    });

    it('gives the place of a probe that says nothing about the tool to another', async () => {
      const suite = inSuite();
      const before = await suite.halfOpen();
      await suite.lease(suite.one, 'p1');

      const shared = await suite.settle('p1', 'ignored');

      expect(shared).toMatchObject({ state: 'half-open', version: before.version, probeInMs: 0 });
      expect(await suite.lease(suite.other, 'p2')).toMatchObject({ granted: true });
    });

    it('hears each probe once, and none that was never granted', async () => {
      const suite = inSuite();
      await suite.halfOpen();
      await suite.lease(suite.one, 'p1');
      expect(await suite.settle('p2', 'success')).toMatchObject({ state: 'half-open' });
      const closed = await suite.settle('p1', 'success');

      const late = await suite.settle('p1', 'failure');

      expect(late).toMatchObject({ state: 'closed', version: closed.version });
    });

    it('forgets the probes of an earlier half-open time', async () => {
      const suite = inSuite();
      await suite.halfOpen();
      await suite.lease(suite.one, 'p1');
      await suite.override({ type: 'reset', replica: 'b' });
      const { version } = await suite.read();
      await suite.one.report('search', { ...FAILED, version, rules: rules({ openForMs: 100 }) });
      await suite.under.advance(120);

      expect(await suite.settle('p1', 'success')).toMatchObject({ state: 'half-open' });
      expect(await suite.lease(suite.other, 'p2')).toMatchObject({ granted: true });
    });
  });

  describe('operators', () => {
    it('isolate for good', async () => {
      const suite = inSuite();
      const shared = await suite.override({
        type: 'isolate',
        replica: 'a',
        note: 'under repair: "later"\n',
        forMs: Infinity,
      });

      expect(shared).toMatchObject({
        state: 'open',
        openForMs: Infinity,
        reason: 'isolated',
        note: 'under repair: "later"\n',
        replica: 'a',
      });
      expect(await suite.read()).toMatchObject({ ...shared, tokens: 500 });
    });

    it('isolate for a while, after which it is probed', async () => {
      const suite = inSuite();
      await suite.override({ type: 'isolate', replica: 'a', note: 'x', forMs: SOON_MS });
      const isolated = await suite.read();
      await suite.under.advance(SOON_MS + 20);

      expect(isolated).toMatchObject({ state: 'open', reason: 'isolated' });
      expect(await suite.read()).toMatchObject({ state: 'half-open' });
    });

    it('reset what is open, and what was counted', async () => {
      const suite = inSuite();
      await suite.one.report('search', report({ calls: 9, failures: 9 }));
      await suite.override({ type: 'reset', replica: 'a', note: 'mended' });
      expect(await suite.read()).toMatchObject({ calls: 0, failures: 0 });
      await suite.override({ type: 'isolate', replica: 'a', note: 'x', forMs: Infinity });

      expect(await suite.override({ type: 'reset', replica: 'b', note: 'mended' })).toMatchObject({
        state: 'closed',
        reason: 'reset',
        note: 'mended',
        replica: 'b',
        openings: 0,
      });
    });

    it('are stronger than a probe that is under way', async () => {
      const suite = inSuite();
      await suite.halfOpen();
      await suite.lease(suite.one, 'p1');
      await suite.override({ type: 'isolate', replica: 'b', note: 'x', forMs: Infinity });

      expect(await suite.settle('p1', 'success')).toMatchObject({
        state: 'open',
        reason: 'isolated',
      });
    });
  });
}
