import type { JsonObject } from '@holdfast/core';
import { ManualClock } from '@holdfast/core/testing';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { CallWatch } from '../call/call-watch.ts';
import { NotSentError } from '../call/not-sent-error.ts';
import { readModernResult } from './read-result.ts';
import { RequestLane } from './request-lane.ts';

function open(send = (): Promise<void> => Promise.resolve()): {
  readonly lane: RequestLane;
  readonly inner: Transport;
  readonly sent: (JSONRPCMessage & { id?: unknown; params?: JsonObject })[];
  readonly passed: JSONRPCMessage[];
} {
  const sent: JSONRPCMessage[] = [];
  const passed: JSONRPCMessage[] = [];
  const inner: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: (message) => {
      sent.push(message);
      return send();
    },
  };
  const lane = new RequestLane(inner, { clock: new ManualClock(), onDropped: () => undefined });
  lane.onmessage = (message) => void passed.push(message);
  return { lane, inner, sent: sent as never, passed };
}

const PLAIN = { watch: undefined, read: (result: JsonObject) => result, meta: undefined };
const LIMITS = { name: 'echo', idleMs: 1000, maxDurationMs: 5000, deadlineAt: 5000 };

describe('a request on the lane', () => {
  test('is answered past the SDK, which hears all the rest', async () => {
    const { lane, inner, sent, passed } = open();
    const asked = [1, 2].map((n) => lane.request('tools/call', { n }, PLAIN));
    const [first, second] = sent.map(({ id }) => id as number);
    expect(sent.map(({ params }) => params)).toEqual([{ n: 1 }, { n: 2 }]);
    const other: JSONRPCMessage[] = [
      { jsonrpc: '2.0', id: 0, result: {} },
      { jsonrpc: '2.0', method: 'notifications/message', params: {} },
      { jsonrpc: '2.0', id: first ?? -1, method: 'ping' },
    ];
    for (const message of other) inner.onmessage?.(message);
    // Some give a number back as text.
    inner.onmessage?.({ jsonrpc: '2.0', id: String(second), result: { said: 2 } });
    inner.onmessage?.({ jsonrpc: '2.0', id: first ?? -1, result: { said: 1 } });
    expect(await Promise.all(asked)).toEqual([{ said: 1 }, { said: 2 }]);
    expect(passed).toEqual(other);
  });

  test('is not sent when its call was canceled before, such as while connecting', async () => {
    const { lane, sent } = open();
    const watch = new CallWatch(1, new ManualClock(), LIMITS);
    watch.stop(new Error('canceled'));
    const request = lane.request('tools/call', {}, { ...PLAIN, watch });
    await expect(request).rejects.toThrow('canceled');
    expect(sent).toEqual([]);
  });

  test('fails with the error that the server answers, or what its result is read as', async () => {
    const { lane, inner, sent } = open();
    const refused = lane.request('tools/call', {}, PLAIN);
    const odd = lane.request('tools/call', {}, { ...PLAIN, read: readModernResult });
    const error = { code: -32_602, message: 'no such tool', data: { a: 1 } };
    inner.onmessage?.({ jsonrpc: '2.0', id: sent[0]?.id as number, error });
    inner.onmessage?.({ jsonrpc: '2.0', id: sent[1]?.id as number, result: {} });
    await expect(refused).rejects.toMatchObject(error);
    await expect(odd).rejects.toThrow('missing required resultType');
  });

  test('that cannot be sent fails with the reason', async () => {
    const { lane } = open(() => Promise.reject(new NotSentError('nobody reads')));
    await expect(lane.request('tools/call', {}, PLAIN)).rejects.toThrow(NotSentError);
  });

  test('is taken back when its watch stops, and what comes later is the business of nobody here', async () => {
    const { lane, inner, sent, passed } = open();
    const watch = new CallWatch(1, new ManualClock(), LIMITS);
    const asked = lane.request('tools/call', {}, { ...PLAIN, watch, meta: { who: 'us' } });
    watch.stop(new Error('enough'));
    watch.stop(new Error('once more'));
    await expect(asked).rejects.toThrow('enough');
    const requestId = sent[0]?.id as number;
    expect(sent.slice(1)).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId, reason: 'Error: enough', _meta: { who: 'us' } },
      },
    ]);
    inner.onmessage?.({ jsonrpc: '2.0', id: requestId, result: {} });
    expect(passed).toHaveLength(1);
  });

  test('fails when the connection ends, after the SDK has heard of it', async () => {
    const { lane, inner } = open();
    const heard: string[] = [];
    lane.onclose = () => void heard.push('SDK');
    const asked = lane.request('tools/call', {}, PLAIN).catch((error: unknown) => {
      heard.push('request');
      throw error;
    });
    inner.onclose?.();
    await expect(asked).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
    expect(heard).toEqual(['SDK', 'request']);
  });
});
