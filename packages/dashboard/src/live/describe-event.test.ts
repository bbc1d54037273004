import { expect, test } from 'vitest';
import { describeEvent } from './describe-event.ts';
import type { LiveEvent } from './live-event.ts';

const event = (type: string, fields: object): LiveEvent => ({
  type,
  seq: 1,
  at: '2026-01-01T00:00:00.000Z',
  source: 'mcp',
  ...fields,
});

test.each([
  [
    'circuit-opened',
    { circuit: 'a', reason: 'failure_threshold_exceeded', open_for_ms: 60_000 },
    { tone: 'bad', about: 'a', text: 'opened for 1 min: too many failures in a row' },
  ],
  [
    'circuit-opened',
    { circuit: 'a', reason: 'isolated', open_for_ms: null },
    { tone: 'warn', about: 'a', text: 'was isolated until it is reset' },
  ],
  [
    'circuit-closed',
    { circuit: 'a', reason: 'probe_succeeded' },
    { tone: 'good', about: 'a', text: 'closed: a probe succeeded' },
  ],
  [
    'call-ended',
    { server: 's', tool: 't', outcome: 'failed', class: 'rate-limited' },
    { tone: 'bad', about: 's / t', text: 'failed: rate limited' },
  ],
  [
    'turn-ended',
    { model: 'm', error: { kind: 'upstream', message: '502' } },
    { tone: 'bad', about: 'm', text: 'failed: 502' },
  ],
  [
    'turn-ended',
    { model: 'm', error: null, repairs: ['single-quotes'] },
    { tone: 'plain', about: 'm', text: '1 repair: single-quotes' },
  ],
  [
    'server-changed',
    { server: 's', state: 'lost', reason: 'it ended with 1' },
    { tone: 'bad', about: 's', text: 'is lost: it ended with 1' },
  ],
  [
    'tool-redefined',
    { server: 's', tool: 't', quarantined: true },
    {
      tone: 'bad',
      about: 's / t',
      text: 'is no longer what it was: held back until it is approved',
    },
  ],
])('%s with %j is told in words', (type, fields, told) => {
  expect(describeEvent(event(type, fields))).toEqual(told);
});

test.each([
  ['call-ended', { tool: 't', outcome: 'ok' }],
  ['call-ended', { tool: 't', outcome: 'refused' }],
  ['turn-ended', { model: 'm', repairs: [] }],
  ['circuit-refused', { circuit: 'a' }],
  ['something-new', {}],
])('%s with %j is passed over', (type, fields) => {
  expect(describeEvent(event(type, fields))).toBeUndefined();
});
