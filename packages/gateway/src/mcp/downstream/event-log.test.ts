import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { EventLog } from './event-log.ts';

const message = (method: string): JSONRPCMessage => ({ jsonrpc: '2.0', method });

async function after(log: EventLog, last: string): Promise<readonly unknown[]> {
  const sent: unknown[] = [];
  await log.replayEventsAfter(last, {
    send: async (id, told) => void sent.push([id, 'method' in told ? told.method : undefined]),
  });
  return sent;
}

describe('the log of a session', () => {
  test('goes on behind the last message that a client got of a stream', async () => {
    const log = new EventLog();
    const start = await log.storeEvent('one', {} as JSONRPCMessage);
    await log.storeEvent('other', message('elsewhere'));
    const second = await log.storeEvent('one', message('a'));
    const third = await log.storeEvent('one', message('b'));
    expect(await log.getStreamIdForEventId(second)).toBe('one');
    expect(await after(log, start)).toEqual([
      [second, 'a'],
      [third, 'b'],
    ]);
    expect(await after(log, second)).toEqual([[third, 'b']]);
    expect(await after(log, 'unknown')).toEqual([]);
  });

  test('keeps the last thousand messages', async () => {
    const log = new EventLog();
    const first = await log.storeEvent('one', message('first'));
    for (let n = 0; n < 999; n++) await log.storeEvent('one', message(`n${n}`));
    expect(await log.getStreamIdForEventId(first)).toBe('one');
    await log.storeEvent('one', message('last'));
    expect(await log.getStreamIdForEventId(first)).toBeUndefined();
  });

  test('keeps a million characters, and the newest message however long it is', async () => {
    const log = new EventLog();
    const small = await log.storeEvent('one', message('small'));
    const large = await log.storeEvent('one', message('x'.repeat(2_000_000)));
    expect(await log.getStreamIdForEventId(small)).toBeUndefined();
    expect(await log.getStreamIdForEventId(large)).toBe('one');
    const next = await log.storeEvent('one', message('next'));
    expect(await log.getStreamIdForEventId(large)).toBeUndefined();
    expect(await log.getStreamIdForEventId(next)).toBe('one');
  });
});
