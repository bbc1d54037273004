import { describe, expect, test } from 'vitest';
import type { Failure } from '../internal/failure-class.ts';
import { formatGuardEvent } from './format-guard-event.ts';
import type { GuardEvent } from './guard-event.ts';

const failure: Failure = { class: 'server', message: 'HTTP 503' };
const opened = {
  type: 'circuit-opened',
  circuit: 'github:search',
  from: 'closed',
  reason: 'failure_threshold_exceeded',
  failures: 2,
  openForMs: 60_000,
} as const;
const refused = {
  type: 'circuit-refused',
  circuit: 'github:search',
  retryAfterMs: 41_200,
  isShadow: false,
} as const;
const abandoned = { type: 'retry-abandoned', name: 'pay', attempt: 1, failure } as const;

const lines: readonly (readonly [string, GuardEvent])[] = [
  [
    'Retry 1/3 for githubSearchCode in 1000ms',
    {
      type: 'retry-scheduled',
      name: 'githubSearchCode',
      attempt: 1,
      maxAttempts: 3,
      delayMs: 1000,
      failure,
    },
  ],
  ['Circuit github:search OPENED after 2 failures', opened],
  ['Circuit github:search OPENED after 1 failure', { ...opened, failures: 1 }],
  [
    'Circuit github:search OPENED after 6 failures in its window',
    { ...opened, reason: 'failure_ratio_exceeded', failures: 6 },
  ],
  [
    'Circuit github:search OPENED after too many slow calls',
    { ...opened, reason: 'slow_ratio_exceeded', failures: 0 },
  ],
  [
    'Circuit github:search OPENED for 90s as the server asked',
    { ...opened, reason: 'retry_after', openForMs: 90_000 },
  ],
  [
    'Circuit github:search ISOLATED until it is reset',
    { ...opened, reason: 'isolated', openForMs: Infinity },
  ],
  ['Circuit github:search ISOLATED for 60s', { ...opened, reason: 'isolated', openForMs: 60_000 }],
  [
    'Circuit github:search OPENED after failures in a row (fleet, by gw-2)',
    { ...opened, failures: 0, replica: 'gw-2' },
  ],
  [
    'Circuit github:search OPENED after too many failures (fleet, by gw-2)',
    { ...opened, reason: 'failure_ratio_exceeded', failures: 0, replica: 'gw-2' },
  ],
  [
    'Circuit github:search CLOSED after recovery (fleet, by gw-2)',
    {
      type: 'circuit-closed',
      circuit: 'github:search',
      reason: 'probe_succeeded',
      replica: 'gw-2',
    },
  ],
  [
    'Circuit github:search takes no calls while its store is away',
    { ...refused, reason: 'store-lost' },
  ],
  [
    'Circuit github:search takes no calls while its store is away (shadow mode, the call ran)',
    { ...refused, isShadow: true, reason: 'store-lost' },
  ],
  [
    'Fleet store is AWAY: no answer within 500 ms',
    {
      type: 'store-degraded',
      replica: 'gw-1',
      reason: 'timeout',
      message: 'no answer within 500 ms',
    },
  ],
  ['Fleet store is back', { type: 'store-recovered', replica: 'gw-1' }],
  ['Circuit github:search is OPEN - 42s until retry', refused],
  ['Circuit github:search is OPEN until it is reset', { ...refused, retryAfterMs: Infinity }],
  [
    'Circuit github:search would be OPEN - 42s until retry (shadow mode, the call ran)',
    { ...refused, isShadow: true },
  ],
  [
    'Circuit github:search entering half-open state',
    { type: 'circuit-half-opened', circuit: 'github:search' },
  ],
  [
    'Circuit github:search back to OPEN after half-open failure',
    { ...opened, from: 'half-open', reason: 'probe_failed', failures: 0 },
  ],
  [
    'Circuit github:search back to OPEN after slow half-open call',
    { ...opened, from: 'half-open', reason: 'probe_slow', failures: 0 },
  ],
  [
    'Circuit github:search CLOSED after recovery',
    { type: 'circuit-closed', circuit: 'github:search', reason: 'probe_succeeded' },
  ],
  [
    'Circuit github:search CLOSED by reset',
    { type: 'circuit-closed', circuit: 'github:search', reason: 'reset' },
  ],
  ['Cleaned up 3 stale circuits', { type: 'circuits-removed', circuits: ['a', 'b', 'c'] }],
  ['Cleaned up 1 stale circuit', { type: 'circuits-removed', circuits: ['a'] }],
  ['pay timed out after 30000ms', { type: 'call-timed-out', name: 'pay', timeoutMs: 30_000 }],
  [
    'No retry for pay after attempt 1: the retry budget is spent',
    { ...abandoned, reason: 'budget' },
  ],
  [
    'No retry for pay after attempt 1: the time left is shorter than the delay',
    { ...abandoned, reason: 'deadline' },
  ],
  [
    'No retry for pay after attempt 1: the server asks for a longer wait than is allowed',
    { ...abandoned, reason: 'retry-after' },
  ],
  [
    'No retry for pay after attempt 1: its circuit is open',
    { ...abandoned, reason: 'circuit-open' },
  ],
  [
    'No retry for pay after attempt 1: its circuit is half-open and tries single calls',
    { ...abandoned, reason: 'probe' },
  ],
  [
    'No retry for pay after attempt 1: it is not safe to call twice',
    { ...abandoned, reason: 'not-idempotent' },
  ],
  ['No retry for pay after attempt 1: the caller gave up', { ...abandoned, reason: 'aborted' }],
];

describe('formatGuardEvent', () => {
  test.each(lines)('writes "%s"', (line, event) => {
    expect(formatGuardEvent(event)).toBe(line);
  });

  test('stays on one line whatever a model calls its tools', () => {
    const circuit = 'a\nCircuit b CLOSED after recovery\u2028\u001B[2K\u202Ec';
    const line = formatGuardEvent({ type: 'circuit-half-opened', circuit });
    expect(line).toBe('Circuit a�Circuit b CLOSED after recovery��[2K�c entering half-open state');
  });

  test('leaves letters of every script as they are', () => {
    const line = formatGuardEvent({ type: 'circuit-half-opened', circuit: 'поиск 検索 🔎' });
    expect(line).toBe('Circuit поиск 検索 🔎 entering half-open state');
  });
});

test('begins lines with the symbols of their states when asked to', () => {
  const line = (event: GuardEvent): string => formatGuardEvent(event, { symbols: true });
  const circuit = 'github:search';
  expect([
    line({
      type: 'retry-scheduled',
      name: 'githubSearchCode',
      attempt: 1,
      maxAttempts: 3,
      delayMs: 1000,
      failure: { class: 'server', message: '' },
    }),
    line({
      type: 'circuit-opened',
      circuit,
      from: 'closed',
      reason: 'failure_threshold_exceeded',
      failures: 2,
      openForMs: 60_000,
    }),
    line({ type: 'circuit-refused', circuit, retryAfterMs: 60_000, isShadow: false }),
    line({ type: 'circuit-half-opened', circuit }),
    line({ type: 'circuit-closed', circuit, reason: 'probe_succeeded' }),
    line({ type: 'circuits-removed', circuits: ['a', 'b'] }),
  ]).toEqual([
    '⟳ Retry 1/3 for githubSearchCode in 1000ms',
    '🔴 Circuit github:search OPENED after 2 failures',
    '🔴 Circuit github:search is OPEN - 60s until retry',
    '🟡 Circuit github:search entering half-open state',
    '🟢 Circuit github:search CLOSED after recovery',
    'Cleaned up 2 stale circuits',
  ]);
});
