import { describe, expect, test } from 'vitest';
import type { Circuit } from '../../api/api-types.ts';
import type { LiveEvent } from '../../live/live-event.ts';
import { applyTransition } from './apply-transition.ts';
import { circuitKey, circuitPath, readCircuitKey } from './circuit-address.ts';
import { countStates, filterCircuits } from './circuit-filter.ts';
import { receiveCircuit } from './received-circuit.ts';

const AT = '2026-01-01T00:00:10.000Z';

const circuit = (name: string, fields: Partial<Circuit> = {}): Circuit => ({
  name,
  of: 'mcp',
  state: 'closed',
  is_isolated: false,
  retry_after_seconds: 0,
  open_until: null,
  reason: null,
  note: null,
  since: null,
  window: { calls: 0, failures: 0, slow: 0 },
  consecutive_failures: 0,
  outcomes: '',
  metrics: { total_calls: 0, successes: 0, failures: 0, rejections: 0, ignored: 0 },
  ...fields,
});

const event = (type: string, fields: object): LiveEvent => ({
  type,
  seq: 1,
  at: AT,
  source: 'mcp',
  ...fields,
});

const all = [
  circuit('b'),
  circuit('a'),
  circuit('isolated one', { state: 'open', is_isolated: true, retry_after_seconds: null }),
  circuit('half', { state: 'half_open' }),
  circuit('open one', { state: 'open', retry_after_seconds: 9 }),
].map(receiveCircuit);
const names = (list: readonly Circuit[]): string[] => list.map(({ name }) => name);

describe('circuits', () => {
  test('that need a look come first, then by name', () => {
    const sorted = names(filterCircuits(all, 'all', ''));

    expect(sorted).toEqual(['open one', 'half', 'isolated one', 'a', 'b']);
  });

  test('are found by words of their names, and by state', () => {
    expect(names(filterCircuits(all, 'all', ' ONE  o'))).toEqual(['open one', 'isolated one']);
    expect(names(filterCircuits(all, 'isolated', ''))).toEqual(['isolated one']);
    expect(countStates(all)).toEqual({
      all: 5,
      open: 1,
      'half-open': 1,
      isolated: 1,
      closed: 2,
    });
  });

  test('count down on the clock of this machine, and not where nobody knows the end', () => {
    const before = Date.now();
    const open = receiveCircuit(circuit('x', { state: 'open', retry_after_seconds: 9 }));

    expect(open.halfOpenAt).toBeGreaterThanOrEqual(before + 9000);
    expect(open.halfOpenAt).toBeLessThan(before + 10_000);
    expect(all.find(({ name }) => name === 'isolated one')?.halfOpenAt).toBeUndefined();
  });
});

describe('a transition', () => {
  const known = [circuit('a'), circuit('b', { since: '2026-01-01T00:00:30.000Z' })];
  const opened = { reason: 'failure_threshold_exceeded', open_for_ms: 60_000 };

  test('is shown as it is told', () => {
    const after = applyTransition(known, event('circuit-opened', { circuit: 'a', ...opened }));

    expect(after[0]).toMatchObject({
      state: 'open',
      is_isolated: false,
      retry_after_seconds: 60,
      reason: 'failure_threshold_exceeded',
      since: AT,
    });
    expect(after[1]).toBe(known[1]);
  });

  test('goes through half-open to closed', () => {
    const half = applyTransition(known, event('circuit-half-opened', { circuit: 'a' }));
    const closed = applyTransition(
      half,
      event('circuit-closed', { circuit: 'a', reason: 'probe_succeeded' }),
    );

    expect(half[0]?.state).toBe('half_open');
    expect(closed[0]).toMatchObject({ state: 'closed', reason: 'probe_succeeded' });
  });

  test('by hand has no end that anybody knows', () => {
    const fields = { circuit: 'a', reason: 'isolated', open_for_ms: null };
    const [after] = applyTransition(known, event('circuit-opened', fields));

    expect(after).toMatchObject({ is_isolated: true, retry_after_seconds: null });
  });

  test('that is older than what was fetched changes nothing, nor does that of a stranger', () => {
    expect(applyTransition(known, event('circuit-opened', { circuit: 'b', ...opened }))).toBe(
      known,
    );
    expect(applyTransition(known, event('circuit-opened', { circuit: 'c', ...opened }))).toBe(
      known,
    );
    const ofOther = { ...event('circuit-opened', { circuit: 'a', ...opened }), source: 'sidecar' };
    expect(applyTransition(known, ofOther)).toBe(known);
  });
});

describe('the address of a circuit', () => {
  test.each(['mcp:a/b', 'proxy/x', '100 %', ''])(
    'leads to %j, and to no other of its name',
    (name) => {
      const key = circuitKey({ of: 'mcp', name });

      expect(readCircuitKey(key)).toEqual({ of: 'mcp', name });
      expect(circuitPath(key, '/reset')).toBe(
        `/api/v1/circuits/${encodeURIComponent(name)}/reset?of=mcp`,
      );
    },
  );

  test('may be a name alone', () => {
    expect(circuitPath('fetch')).toBe('/api/v1/circuits/fetch');
  });
});
