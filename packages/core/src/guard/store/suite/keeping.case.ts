import { describe, expect, it, vi } from 'vitest';
import type { ReplicaRecord, SharedCircuit } from '../circuit-store.ts';
import { FAILED, LATER_MS, report, SLACK_MS, SOON_MS } from './store-in-suite.case.ts';
import type { StoreInSuite } from './store-in-suite.case.ts';

/** What a store keeps, for how long, and whom it tells. `inSuite` gives the store of the test that runs. */
export function describeKeeping(inSuite: () => StoreInSuite): void {
  describe('the circuits that are not closed', () => {
    it('are listed for a replica that starts, until they are reset', async () => {
      const { one, other } = inSuite();
      await one.report('search', FAILED);
      await one.override('a name', { type: 'isolate', replica: 'a', note: 'n', forMs: Infinity });
      await one.override('back', { type: 'isolate', replica: 'a', note: 'n', forMs: Infinity });
      await one.override('back', { type: 'reset', replica: 'a' });
      await one.report('fine', report({ calls: 1 }));

      // What a store writes down for others may come a moment later.
      const listed = await vi.waitFor(async () => {
        const found = await other.notClosed!();
        expect(found.map(({ name }) => name).sort()).toEqual(['a name', 'search']);
        return found;
      });
      const [isolated, opened] = [...listed].sort((a, b) => (a.name < b.name ? -1 : 1));
      expect(isolated!.shared).toMatchObject({
        state: 'open',
        openForMs: Infinity,
        reason: 'isolated',
        note: 'n',
      });
      expect(opened!.shared.state).toBe('open');
      expect(opened!.shared.openForMs).toBeGreaterThan(LATER_MS - SLACK_MS);
      expect(opened!.shared.version).toBeGreaterThan(0);
    });
  });

  describe('a store that lost what it held', () => {
    it('gets it back from a replica that holds it', async () => {
      const suite = inSuite();
      const opened = await suite.one.report('search', FAILED);
      await suite.under.empty();

      const held = {
        state: 'open',
        openForMs: 40_000,
        openings: 3,
        reason: 'probe_failed',
        note: 'kept',
      } as const;
      const shared = await suite.other.report('search', report({ version: opened.version, held }));

      expect(shared).toMatchObject({
        state: 'open',
        openings: 3,
        reason: 'probe_failed',
        note: 'kept',
      });
      expect(shared.version).toBeGreaterThan(opened.version);
      expect(shared.openForMs).toBeGreaterThan(40_000 - SLACK_MS);
      expect(shared.openForMs).toBeLessThanOrEqual(40_000);
    });

    it('gets an isolation back that has no end', async () => {
      const suite = inSuite();
      const held = {
        state: 'open',
        openForMs: Infinity,
        openings: 0,
        reason: 'isolated',
        note: 'kept',
      } as const;

      const shared = await suite.one.report('search', report({ version: 7, held }));

      expect(shared).toMatchObject({ state: 'open', openForMs: Infinity, reason: 'isolated' });
    });

    it('gets a half-open circuit back, which is probed', async () => {
      const suite = inSuite();
      const held = {
        state: 'half-open',
        openForMs: 0,
        openings: 1,
        reason: 'recovery_timeout_expired',
      } as const;
      await suite.one.report('search', report({ version: 7, held }));

      expect(await suite.lease(suite.other, 'p1')).toMatchObject({ granted: true });
    });

    it('goes by the replica that has seen more than it remembers', async () => {
      const suite = inSuite();
      const opened = await suite.one.report('search', FAILED);
      const seen = opened.version + 1_000_000;

      const shared = await suite.other.report('search', report({ version: seen, calls: 1 }));

      expect(shared).toMatchObject({ state: 'closed', calls: 1, version: seen });
    });

    it('takes nothing back from a replica that has seen less than it knows', async () => {
      const suite = inSuite();
      await suite.one.report('search', FAILED);
      const reset = await suite.override({ type: 'reset', replica: 'a' });

      const held = { state: 'open', openForMs: 9_000, openings: 1, reason: 'isolated' } as const;
      const shared = await suite.other.report(
        'search',
        report({ version: reset.version - 1, held: { ...held } }),
      );

      expect(shared).toMatchObject({ state: 'closed', version: reset.version });
    });

    it('says that it knows nothing, and never more than a replica has seen', async () => {
      const suite = inSuite();
      const { version } = await suite.halfOpen();
      await suite.under.empty();

      const { granted, shared } = await suite.lease(suite.one, 'p1');
      const settled = await suite.settle('p1', 'success');

      expect(granted).toBe(false);
      expect(shared.version).toBeLessThan(version);
      expect(settled.version).toBeLessThan(version);
    });
  });

  describe('keeping', () => {
    it('keeps a closed circuit for its window and ten minutes', async () => {
      const suite = inSuite();
      await suite.one.report('search', report({ calls: 1 }));

      const kept = await suite.under.keptForMs('search');

      expect(kept).toBeGreaterThan(LATER_MS + 600_000 - SLACK_MS);
      expect(kept).toBeLessThanOrEqual(LATER_MS + 600_000 + SLACK_MS);
    });

    it('keeps an open circuit for longer than it is open', async () => {
      const suite = inSuite();
      await suite.one.report('search', { ...FAILED, retryAfterMs: 800_000 });

      expect(await suite.under.keptForMs('search')).toBeGreaterThan(800_000 + 600_000);
    });

    it('keeps a probe for longer than its lease', async () => {
      const suite = inSuite();
      await suite.halfOpen();
      await suite.lease(suite.one, 'p1', 700_000);

      expect(await suite.under.keptForMs('search')).toBeGreaterThan(700_000 + 600_000);
    });

    it('keeps an isolation without an end for 30 days', async () => {
      const suite = inSuite();
      await suite.override({ type: 'isolate', replica: 'a', note: 'x', forMs: Infinity });

      const days = (await suite.under.keptForMs('search')) / 86_400_000;

      expect(days).toBeGreaterThan(29.9);
      expect(days).toBeLessThanOrEqual(30.1);
    });
  });

  describe('replicas', () => {
    const replica = (id: string): ReplicaRecord => ({
      id,
      startedAt: 1_700_000_000_000,
      notClosed: ['search', 'pay "now"'],
      circuits: 3,
      calls: 7,
      failures: 2,
      version: '1.0.0',
    });

    it('are counted while they say that they are there', async () => {
      const suite = inSuite();
      const counts = [
        await suite.one.join(replica('b'), LATER_MS),
        await suite.other.join(replica('a'), LATER_MS),
        await suite.one.join(replica('b'), LATER_MS),
      ];

      expect(counts).toEqual([1, 2, 2]);
      expect(await suite.one.replicas()).toEqual([replica('a'), replica('b')]);
    });

    it('are gone when they leave or say nothing', async () => {
      const suite = inSuite();
      await suite.one.join(replica('a'), SOON_MS);
      await suite.one.join(replica('b'), LATER_MS);
      await suite.one.join(replica('c'), LATER_MS);
      await suite.other.leave('c');
      await suite.under.advance(SOON_MS + 20);

      expect(await suite.one.replicas()).toEqual([replica('b')]);
      expect(await suite.one.join(replica('d'), LATER_MS)).toBe(2);
    });
  });

  describe('watching', () => {
    it('tells all who watch of transitions, until they stop', async () => {
      const suite = inSuite();
      const heard: string[] = [];
      const listen =
        (who: string) =>
        (circuit: string, { state }: SharedCircuit): void =>
          void heard.push(`${who} ${circuit} ${state}`);
      const stopOne = await suite.one.watch?.(listen('one'));
      const stopOther = await suite.other.watch?.(listen('other'));
      if (stopOne === undefined || stopOther === undefined) return;

      await suite.one.report('search', report({ calls: 1 }));
      await suite.one.report('search', FAILED);
      await suite.under.advance(SOON_MS);
      expect(heard.sort()).toEqual(['one search open', 'other search open']);
      await stopOther();
      await suite.override({ type: 'reset', replica: 'a' });
      await suite.under.advance(SOON_MS);
      await stopOne();

      expect(heard.sort()).toEqual(['one search closed', 'one search open', 'other search open']);
    });
  });
}
