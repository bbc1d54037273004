import { describe, expect, it } from 'vitest';
import { FleetView, UNKNOWN_CIRCUIT } from './fleet-view.ts';

const OPEN = {
  ...UNKNOWN_CIRCUIT,
  version: 5,
  state: 'open',
  openForMs: 1000,
  openings: 2,
  reason: 'probe_failed',
} as const;

function viewOf(shared: Parameters<FleetView['take']>[0], now = 100): FleetView {
  const view = new FleetView();
  view.take(shared, now);
  return view;
}

describe('what a replica knows of a circuit', () => {
  it('is nothing at first, as of one that is closed', () => {
    const view = new FleetView();

    expect([view.isKnown, view.isClosed, view.version]).toEqual([false, true, 0]);
    expect(view.heldAt(7)).toBeUndefined();
  });

  it('is the last word of the store, whose open time passes', () => {
    const view = viewOf(OPEN);

    expect([view.isKnown, view.isClosed, view.version]).toEqual([true, false, 5]);
    expect(view.at(400)).toEqual({ ...OPEN, openForMs: 700 });
    expect(view.at(2000)).toEqual({ ...OPEN, openForMs: 0 });
    expect(view.at(200)).not.toBe(view.shared);
  });

  it('has no open time that could pass where it is not open', () => {
    const view = viewOf({ ...OPEN, state: 'half-open', openForMs: 7 });

    expect(view.at(2000)).toBe(view.shared);
  });

  it.each([
    [6, 'open', true],
    [5, 'closed', true],
    [5, 'open', false],
    [4, 'open', false],
    [4, 'closed', false],
  ] as const)('makes of version %i, which is %s, news: %s', (version, state, isNews) => {
    expect(viewOf(OPEN).isNews({ ...OPEN, version, state })).toBe(isNews);
  });

  it.each([
    [4, true],
    [5, false],
    [6, false],
  ])('is ahead of a store that has version %i: %s', (version, isAhead) => {
    expect(viewOf(OPEN).isAhead({ ...OPEN, version })).toBe(isAhead);
  });

  it('is what a store gets back that has lost it, where it is not closed', () => {
    const held = { state: 'open', openForMs: 900, openings: 2, reason: 'probe_failed' };

    expect(viewOf(OPEN).heldAt(200)).toStrictEqual(held);
    expect(viewOf({ ...OPEN, note: 'broken' }).heldAt(200)).toStrictEqual({
      ...held,
      note: 'broken',
    });
    expect(viewOf({ ...OPEN, state: 'closed' }).heldAt(200)).toBeUndefined();
    expect(viewOf({ ...OPEN, reason: undefined }).heldAt(200)).toBeUndefined();
  });
});
