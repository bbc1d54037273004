import { ManualClock } from '@holdfast/core/testing';
import type { DiscoverResult } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { serverConfig } from '../server-config.case.ts';
import { EraVerdicts } from './era-verdicts.ts';

const DAY_MS = 86_400_000;
const server = serverConfig('one');
const discover: DiscoverResult = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: {},
  ttlMs: 0,
  cacheScope: 'private',
};

describe('the verdict on a server', () => {
  test('is kept per credential', () => {
    const verdicts = new EraVerdicts(new ManualClock());
    const via = { kind: 'http', url: 'http://localhost/mcp' } as const;
    const ours = serverConfig('one', { via: { ...via, headers: { authorization: 'Bearer a' } } });
    const theirs = serverConfig('one', { via: { ...via, headers: { authorization: 'Bearer b' } } });
    verdicts.remember(ours, { kind: 'legacy' });
    expect(verdicts.find(ours)).toEqual({ kind: 'legacy' });
    expect(verdicts.find(theirs)).toBeUndefined();
  });

  test('of the legacy era is asked for again after a day', () => {
    const clock = new ManualClock();
    const verdicts = new EraVerdicts(clock);
    verdicts.remember(server, { kind: 'legacy' });
    clock.skip(DAY_MS - 1);
    expect(verdicts.find(server)?.kind).toBe('legacy');
    clock.skip(1);
    expect(verdicts.find(server)).toBeUndefined();
  });

  test('of the modern era holds until it is forgotten', () => {
    const clock = new ManualClock();
    const verdicts = new EraVerdicts(clock);
    verdicts.remember(server, { kind: 'modern', discover });
    clock.skip(10 * DAY_MS);
    expect(verdicts.find(server)?.kind).toBe('modern');
    verdicts.forget(server);
    expect(verdicts.find(server)).toBeUndefined();
  });
});
