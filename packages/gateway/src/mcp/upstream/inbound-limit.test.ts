import { ManualClock } from '@holdfast/core/testing';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { INBOUND_LIMIT, InboundLimit } from './inbound-limit.ts';

const { burst, perSecond, kept } = INBOUND_LIMIT;

function setUp() {
  const clock = new ManualClock();
  const delivered: JSONRPCMessage[] = [];
  let dropped = 0;
  const limit = new InboundLimit({
    clock,
    deliver: (message) => void delivered.push(message),
    onDropped: () => dropped++,
  });
  return { clock, delivered, limit, dropped: () => dropped };
}

const progress = (progressToken: number, at: number): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken, progress: at },
});
const changed = (method: string): JSONRPCMessage => ({ jsonrpc: '2.0', method });
const times = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

describe('what a server sends without being asked', () => {
  test('is delivered in order up to the limit', async () => {
    const { clock, delivered, limit, dropped } = setUp();
    const sent = times(burst).map((at) => progress(1, at));
    for (const message of sent) expect(limit.take(message)).toBe(true);
    await clock.advance(1000);
    for (const at of times(perSecond)) expect(limit.take(progress(2, at))).toBe(true);

    expect(delivered.slice(0, burst)).toEqual(sent);
    expect(dropped()).toBe(0);
  });

  test('is replaced by the last of its kind over the limit, and that is delivered', async () => {
    const { clock, delivered, limit, dropped } = setUp();
    for (const at of times(burst)) limit.take(progress(1, at));
    for (const at of times(1000)) expect(limit.take(progress(1, at))).toBe(false);
    limit.take(changed('notifications/tools/list_changed'));
    limit.take(progress(2, 7));
    await clock.advance(100);

    expect(delivered.slice(burst)).toEqual([
      progress(1, 999),
      changed('notifications/tools/list_changed'),
      progress(2, 7),
    ]);
    expect(dropped()).toBe(999);
  });

  test('is never delivered faster than the limit', async () => {
    const { clock, delivered, limit } = setUp();
    for (let second = 0; second < 10; second++) {
      for (const at of times(10_000)) limit.take(progress(at % 50, at));
      await clock.advance(1000);
    }
    expect(delivered.length).toBeLessThanOrEqual(burst + 10 * perSecond);
    expect(delivered.length).toBeGreaterThan(burst + 400);
  });

  test('takes a bounded amount of memory', async () => {
    const { clock, delivered, limit, dropped } = setUp();
    for (const at of times(burst + 10_000)) limit.take(progress(at, 0));
    await clock.advance(60_000);

    expect(delivered).toHaveLength(burst + kept);
    expect(dropped()).toBe(10_000 - kept);
  });

  test('is dropped over the limit where it is no notification', () => {
    const { limit, dropped } = setUp();
    for (const at of times(burst)) limit.take(progress(1, at));

    expect(limit.take({ jsonrpc: '2.0', id: 9, method: 'roots/list' })).toBe(false);
    expect(limit.take({ jsonrpc: '2.0', id: 9, result: {} })).toBe(false);
    expect(dropped()).toBe(2);
  });

  test('is not delivered after the connection has ended', async () => {
    const { clock, delivered, limit } = setUp();
    for (const at of times(burst + 1)) limit.take(progress(1, at));
    limit.close();
    await clock.advance(1000);

    expect(delivered).toHaveLength(burst);
  });
});
