import { describe, expect, it } from 'vitest';
import { CallTally } from './call-tally.ts';

/** S: a success, F: a failure, one a millisecond. */
function count(tally: CallTally, calls: string, from = 0): void {
  for (let at = 0; at < calls.length; at++) tally.count(calls[at] === 'F', false, from + at, 0);
}

describe('CallTally', () => {
  it('counts calls, failures, slow ones, and the failures at the end', () => {
    const tally = new CallTally();
    tally.count(true, false, 5, 0);
    tally.count(false, true, 6, 0);
    tally.count(true, true, 7, 3000);
    tally.count(true, false, 8, 1000);

    expect(tally.take(1000, 10)).toEqual({
      calls: 4,
      failures: 3,
      slow: 2,
      trailingFailures: 2,
      retryAfterMs: 3000,
      trip: undefined,
      since: 5,
    });
    expect(tally.isEmpty).toBe(true);
  });

  it.each([
    ['FF', 'F', 3],
    ['SF', 'FF', 3],
    ['FF', 'SF', 1],
    ['FF', 'S', 0],
    ['FS', 'F', 1],
    ['FF', '', 2],
  ])('puts %s back before %s, and the row is %i', (before, after, row) => {
    const tally = new CallTally();
    count(tally, before);
    const taken = tally.take(1000, 100);
    count(tally, after, 200);
    tally.putBack(taken);
    const whole = new CallTally();
    count(whole, before + after);

    const { calls, failures, trailingFailures, since } = tally.take(1000, 300);

    const expected = whole.take(1000, 300);
    expect({ calls, failures }).toEqual({ calls: expected.calls, failures: expected.failures });
    expect(trailingFailures).toBe(row);
    expect(since).toBe(0);
  });

  it('forgets what is older than the window', () => {
    const tally = new CallTally();
    count(tally, 'FFF');
    tally.tripped('failure_threshold_exceeded', 3);

    expect(tally.take(1000, 1001)).toMatchObject({ calls: 0, failures: 0, trip: undefined });
  });

  it('remembers that the gate opened until it was told', () => {
    const tally = new CallTally();
    tally.tripped('probe_failed', 7);
    expect(tally.isEmpty).toBe(false);
    const taken = tally.take(1000, 8);
    expect(taken).toMatchObject({ trip: 'probe_failed', since: 7 });
    tally.putBack(taken);

    expect(tally.take(1000, 9).trip).toBe('probe_failed');
  });

  it('knows the successes among what it counted', () => {
    const tally = new CallTally();
    count(tally, 'SSFSF');

    expect(tally.successes).toBe(3);
  });

  it('tells what is just as old as the window', () => {
    const tally = new CallTally();
    count(tally, 'FFF');

    expect(tally.take(1000, 1000)).toMatchObject({ calls: 3, since: 0 });
  });

  it('puts back the slow ones, and how long a server asked to be left alone at most', () => {
    const tally = new CallTally();
    tally.count(true, true, 0, 5000);
    const taken = tally.take(1000, 10);
    tally.count(true, true, 20, 3000);
    tally.putBack(taken);

    expect(tally.take(1000, 30)).toMatchObject({ calls: 2, slow: 2, retryAfterMs: 5000 });
  });

  it('is no older for nothing that is put back', () => {
    const tally = new CallTally();
    const nothing = tally.take(1000, 0);
    tally.count(false, false, 500, 0);
    tally.putBack(nothing);

    expect(tally.take(1000, 1400)).toMatchObject({ calls: 1, since: 500 });
  });
});
