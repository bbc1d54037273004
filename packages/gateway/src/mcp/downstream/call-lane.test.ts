import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import type { JsonObject } from '@holdfast/core';
import { describe, expect, test } from 'vitest';
import { INVALID_PARAMS, ProtocolFault } from '../protocol-fault.ts';
import { CallLane } from './call-lane.ts';
import type { AnswerCall, LaneCall } from './call-lane.ts';

interface Wire extends Transport {
  readonly sent: JSONRPCMessage[];
  /** What the SDK's server heard. */
  readonly passed: JSONRPCMessage[];
  readonly odd: Error[];
}

function lane(answer: AnswerCall, send = (): Promise<void> => Promise.resolve()): Wire {
  const passed: JSONRPCMessage[] = [];
  const sent: JSONRPCMessage[] = [];
  const odd: Error[] = [];
  const wire: Wire = {
    sent,
    passed,
    odd,
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: (message) => {
      sent.push(message);
      return send();
    },
    onmessage: (message) => void passed.push(message),
    onerror: (error) => void odd.push(error),
    onclose: () => undefined,
  };
  new CallLane(wire, answer);
  return wire;
}

const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

const call = (id: number | string, params: unknown = { name: 'echo' }): JSONRPCMessage =>
  ({ jsonrpc: '2.0', id, method: 'tools/call', params }) as JSONRPCMessage;

const takeBack = (requestId: number, reason: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId, reason },
});

/** Calls that are answered by hand. */
function calls(): {
  readonly answer: AnswerCall;
  readonly all: (LaneCall & { resolve: (result: JsonObject) => void })[];
} {
  const all: (LaneCall & { resolve: (result: JsonObject) => void })[] = [];
  return {
    all,
    answer: (made) => new Promise((resolve) => void all.push({ ...made, resolve })),
  };
}

describe('a tool call', () => {
  test('is answered without the SDK', async () => {
    const wire = lane(({ params }) => Promise.resolve({ said: params['name'] ?? '' }));
    wire.onmessage?.(call('a'));
    await settled();
    expect(wire.passed).toEqual([]);
    expect(wire.sent).toEqual([{ jsonrpc: '2.0', id: 'a', result: { said: 'echo' } }]);
  });

  test('that fails is answered with its error', async () => {
    const fault = new ProtocolFault(INVALID_PARAMS, 'Unknown tool: x', { near: ['y'] });
    const wire = lane(({ id }) =>
      Promise.reject(
        id === 1
          ? fault
          : id === 2
            ? new Error('broke')
            : Object.assign(new Error('not there'), { code: -32_002 }),
      ),
    );
    for (const id of [1, 2, 3]) wire.onmessage?.(call(id));
    await settled();
    expect(wire.sent.map((message) => 'error' in message && message.error)).toEqual([
      { code: INVALID_PARAMS, message: 'Unknown tool: x', data: { near: ['y'] } },
      { code: -32_603, message: 'broke' },
      { code: INVALID_PARAMS, message: 'not there' },
    ]);
  });

  test('is left to the SDK where nobody answers it, as is all that is none', () => {
    const wire = lane(() => undefined);
    const others: JSONRPCMessage[] = [
      call(1),
      call(2, ['echo']),
      { jsonrpc: '2.0', method: 'tools/call', params: { name: 'echo' } },
      { jsonrpc: '2.0', id: 3, method: 'tools/list' },
      { jsonrpc: '2.0', id: 4, result: {} },
      takeBack(1, 'of the SDK'),
    ];
    for (const message of others) wire.onmessage?.(message);
    expect(wire.passed).toEqual(others);
    expect(wire.sent).toEqual([]);
  });

  test('that is taken back is aborted and not answered', async () => {
    const { answer, all } = calls();
    const wire = lane(answer);
    wire.onmessage?.(call(7));
    wire.onmessage?.(call(8));
    wire.onmessage?.(takeBack(7, 'changed my mind'));
    for (const { id, resolve } of all) resolve({ id });
    await settled();
    expect(all.map(({ signal }) => signal.reason)).toEqual(['changed my mind', undefined]);
    expect(wire.sent).toEqual([{ jsonrpc: '2.0', id: 8, result: { id: 8 } }]);
    expect(wire.passed).toEqual([]);
    // It is over: whoever takes it back now speaks of something else.
    wire.onmessage?.(takeBack(8, 'too late'));
    expect(wire.passed).toHaveLength(1);
  });

  test('is aborted when the client goes away', () => {
    const { answer, all } = calls();
    const wire = lane(answer);
    wire.onmessage?.(call(1));
    wire.onclose?.();
    expect(all[0]?.signal.reason).toMatchObject({ message: 'Connection closed' });
  });

  test('whose answer cannot be sent is told as an oddity', async () => {
    const wire = lane(
      () => Promise.resolve({}),
      () => Promise.reject(new Error('gone')),
    );
    wire.onmessage?.(call(1));
    await settled();
    expect(wire.odd.map(({ message }) => message)).toEqual(['gone']);
  });
});
