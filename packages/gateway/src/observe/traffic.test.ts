import type { JsonObject } from '@holdfast/core';
import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, test } from 'vitest';
import { listOf, objectOf } from '../proxy/json/json-fields.ts';
import { callEnded, turnEnded } from './gateway-event.case.ts';
import type { EventSource, GatewayEvent } from './gateway-event.ts';
import { LogHistogram } from './log-histogram.ts';
import { Observer } from './observer.ts';
import { Traffic } from './traffic.ts';

const START = Date.UTC(2026, 0, 1, 12);

function traffic() {
  const clock = new ManualClock(0, START);
  const observer = new Observer({ clock });
  const counted = new Traffic(clock);
  observer.subscribe((event) => counted.take(event));
  const emit = (event: GatewayEvent, source: EventSource = 'mcp') => observer.emit(source, event);
  return { clock, emit, counted };
}

const seriesOf = (overview: JsonObject) => listOf(overview['series']).map((one) => objectOf(one));

describe('the traffic of a gateway', () => {
  test('is counted by what happened', () => {
    const { emit, counted } = traffic();
    emit(turnEnded({ repairs: ['trailing-comma'], attempts: 3 }), 'proxy');
    emit(
      turnEnded({
        error: { kind: 'timeout', message: 'late' },
        issues: [
          { code: 'incomplete-call', message: '' },
          { code: 'late-content', message: '' },
        ],
        advice: ['same-call'],
      }),
      'proxy',
    );
    emit(callEnded());
    emit(callEnded({ outcome: 'failed', class: 'timeout', repairs: ['renamed-key'] }));
    emit(callEnded({ outcome: 'refused', class: 'refused' }));
    // A turn that was refused is one, however many upstreams refused it, and no call of a tool.
    const refused = { type: 'circuit-refused', circuit: 'x', retryAfterMs: 1 } as const;
    for (const source of ['mcp', 'proxy', 'proxy'] as const)
      emit({ ...refused, isShadow: false }, source);
    emit(turnEnded({ error: { kind: 'overloaded', message: 'open' }, attempts: 0 }), 'proxy');
    emit({ type: 'advice-given', tool: 'pay', rules: ['tool-failures'], log: '' });
    emit({ type: 'advice-given', tool: 'pay', rules: ['tool-failures', 'cycle'], log: '' });
    emit({ type: 'call-vetoed', tool: 'pay', rule: 'same-call', log: '' });
    expect(counted.overview(15)['totals']).toEqual({
      turns: 3,
      turns_failed: 1,
      turns_refused: 1,
      calls: 3,
      calls_failed: 1,
      calls_refused: 1,
      repairs: 2,
      retries: 2,
      timeouts: 2,
      advice: 3,
      loops: 3,
      unread_calls: 1,
    });
  });

  test('is a series of ten seconds each for a quarter of an hour, and of minutes for an hour', () => {
    const { clock, emit, counted } = traffic();
    emit(callEnded({ durationMs: 100 }));
    clock.skip(10_000);
    emit(callEnded({ durationMs: 1000 }));
    emit(turnEnded({ durationMs: 20 }), 'proxy');
    const fine = seriesOf(counted.overview(15));
    expect(fine).toHaveLength(90);
    expect(fine.slice(-2)).toMatchObject([
      { at: '2026-01-01T12:00:00.000Z', calls: 1, turns: 0, turn_p50: null },
      { at: '2026-01-01T12:00:10.000Z', calls: 1, turns: 1 },
    ]);
    expect(fine[0]).toMatchObject({ at: '2026-01-01T11:45:20.000Z', calls: 0, call_p99: null });
    const coarse = seriesOf(counted.overview(60));
    expect(coarse).toHaveLength(60);
    expect(coarse.at(-1)).toMatchObject({ at: '2026-01-01T12:00:00.000Z', calls: 2, turns: 1 });
    expect(counted.overview(60)).toMatchObject({ slot_seconds: 60 });
    expect(seriesOf(counted.overview(1))).toHaveLength(6);
  });

  test('is forgotten after an hour, and begins when the gateway did', () => {
    const { clock, emit, counted } = traffic();
    expect(counted.overview(15)['since']).toBe('2026-01-01T12:00:00.000Z');
    emit(callEnded());
    clock.skip(16 * 60_000);
    expect(counted.overview(15)['totals']).toMatchObject({ calls: 0 });
    expect(counted.overview(60)['totals']).toMatchObject({ calls: 1 });
    expect(counted.overview(15)['since']).toBe('2026-01-01T12:01:10.000Z');
    clock.skip(45 * 60_000);
    expect(counted.overview(60)['totals']).toMatchObject({ calls: 0 });
    // The place of the first one in the ring is used again.
    clock.skip(60_000 * 60 * 5);
    emit(callEnded());
    expect(counted.overview(60)['totals']).toMatchObject({ calls: 1 });
  });

  test('tells how long calls took, and not how long they were refused', () => {
    const { emit, counted } = traffic();
    for (let ms = 1; ms <= 1000; ms++) emit(callEnded({ durationMs: ms }));
    emit(callEnded({ outcome: 'refused', durationMs: 1_000_000 }));
    emit(callEnded({ durationMs: undefined }));
    emit(turnEnded({ durationMs: 1_000_000, isAborted: true }), 'proxy');
    const { calls, turns } = objectOf(counted.overview(15)['latency_ms']);
    const { p50, p95, p99 } = objectOf(calls);
    for (const [told, exact] of [
      [p50, 500],
      [p95, 950],
      [p99, 990],
    ] as const)
      expect(Math.abs(Number(told) - exact) / exact).toBeLessThan(0.05);
    expect(turns).toEqual({ p50: null, p95: null, p99: null });
  });
});

describe('a histogram', () => {
  test('is right within five per cent, whatever the duration', () => {
    for (let ms = 0.3; ms < 3_600_000; ms *= 1.37) {
      const times = new LogHistogram();
      times.add(ms);
      expect(Math.abs((times.percentile(0.5) ?? 0) - ms) / ms).toBeLessThan(0.05);
    }
  });

  test('counts what is no duration as the shortest or the longest', () => {
    const times = new LogHistogram();
    for (const ms of [0, -1, NaN, Infinity]) times.add(ms);
    expect(times.total).toBe(4);
    expect(times.percentile(0.5)).toBeLessThan(0.3);
    expect(times.percentile(1)).toBeGreaterThan(3_600_000);
  });
});

describe('traffic that was kept', () => {
  test('is counted again after a restart, with the same percentiles', () => {
    const { clock, emit, counted } = traffic();
    for (const durationMs of [10, 100, 1000]) emit(callEnded({ durationMs }));
    emit(turnEnded({ durationMs: 20 }), 'proxy');
    clock.skip(25_000);
    emit(callEnded({ outcome: 'failed', durationMs: 7 }));
    const kept = counted.slots(START, Infinity);
    expect(kept).toMatchObject([{ slot: '2026-01-01T12:00:00.000Z' }, { counts: { calls: 1 } }]);

    const next = new Traffic(clock);
    for (const slot of JSON.parse(JSON.stringify(kept)) as JsonObject[]) next.restore(slot);
    for (const minutes of [15, 60])
      expect(next.overview(minutes)).toEqual(counted.overview(minutes));
    clock.skip(20 * 60_000);
    const late = new Traffic(clock);
    for (const slot of kept) late.restore(slot);
    expect(late.overview(15)['totals']).toMatchObject({ calls: 0 });
    expect(late.overview(60)['totals']).toMatchObject({ calls: 4, turns: 1 });
  });

  test('that is damaged counts as far as it can be read', () => {
    const { counted } = traffic();
    counted.restore({ slot: 'yesterday' });
    const call_times = [[3, 2], [9999, 1], [1, -1], 'x'];
    counted.restore({
      slot: new Date(START).toISOString(),
      counts: { calls: 2, x: 1 },
      call_times,
    });
    expect(counted.overview(15)).toMatchObject({ totals: { calls: 2, turns: 0 } });
  });
});
