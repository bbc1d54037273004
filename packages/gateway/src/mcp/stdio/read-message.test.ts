import { describe, expect, test } from 'vitest';
import { MAX_DEPTH } from '../../proxy/json/json-meter.ts';
import { readMessage } from './read-message.ts';
import type { ReadMessage } from './read-message.ts';

const read = (line: string): ReadMessage => readMessage(line, 10_000_000);

const nested = (levels: number): string =>
  `{"jsonrpc":"2.0","method":"m","params":${'['.repeat(levels)}${']'.repeat(levels)}}`;

describe('a line', () => {
  test.each([
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":"a","result":{}}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"no"}}',
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}',
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{}}\r',
    '\uFEFF{"jsonrpc":"2.0","method":"m"}',
  ])('is a message: %s', (line) => {
    const expected: unknown = JSON.parse(line.replace('\uFEFF', ''));
    expect(read(line)).toEqual({ message: expected });
  });

  test.each([
    ['Server running on stdio', 'not JSON'],
    ['{"jsonrpc":"2.0","id":1,"resu', 'not JSON'],
    ['null', 'no message of JSON-RPC 2.0'],
    ['42', 'no message of JSON-RPC 2.0'],
    ['[{"jsonrpc":"2.0","method":"m"}]', 'no message of JSON-RPC 2.0'],
    ['{"level":"info","msg":"started"}', 'no message of JSON-RPC 2.0'],
    ['{"jsonrpc":"1.0","method":"m"}', 'no message of JSON-RPC 2.0'],
    ['{"jsonrpc":"2.0","Method":"m"}', 'no message of JSON-RPC 2.0'],
    ['{"jsonrpc":"2.0","method":7}', 'no message of JSON-RPC 2.0'],
    ['{"jsonrpc":"2.0","id":{},"method":"m"}', 'no message of JSON-RPC 2.0'],
    ['{"jsonrpc":"2.0","id":1}', 'no message of JSON-RPC 2.0'],
    ['{"jsonrpc":"2.0","id":{},"result":{}}', 'no message of JSON-RPC 2.0'],
    ['{"jsonrpc":"2.0","error":"no"}', 'no message of JSON-RPC 2.0'],
  ])('is no message: %s', (line, problem) => {
    expect(read(line)).toEqual({ problem });
  });

  test.each([
    ['{"jsonrpc":"2.0","id":1,"result":"fine"}', 'a result has to be an object'],
    ['{"jsonrpc":"2.0","id":"a","result":null}', 'a result has to be an object'],
    ['{"jsonrpc":"2.0","id":1,"error":"no"}', 'an error needs a whole number'],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":-32000}}', 'an error needs a whole number'],
    [
      '{"jsonrpc":"2.0","id":1,"error":{"code":"E","message":"no"}}',
      'an error needs a whole number',
    ],
  ])('that answers in a form nobody can read fails what was asked: %s', (line, why) => {
    const { id } = JSON.parse(line) as { id: unknown };
    expect(read(line)).toMatchObject({
      message: { id, error: { code: -32_603, message: expect.stringContaining(why) as string } },
    });
  });

  test('may be nested as deep as the limit', () => {
    expect(read(nested(MAX_DEPTH - 1)).problem).toBeUndefined();
    expect(read(nested(MAX_DEPTH)).problem).toBe('nested deeper than 1000 levels');
  });

  test('nested a million levels deep costs no stack', () => {
    expect(read(nested(1_000_000)).problem).toBe('nested deeper than 1000 levels');
  });

  test.each([
    ['before its result', (deep: string) => `{"jsonrpc":"2.0","id":7,"result":{"a":${deep}}}`, 7],
    ['behind it', (deep: string) => `{"result":{"a":${deep}},"jsonrpc":"2.0","id":"x"}`, 'x'],
    ['in an error', (deep: string) => `{"jsonrpc":"2.0","id":7,"error":{"data":${deep}}}`, 7],
  ])('that is too deep is told to whoever waits for it, by the id %s', (_, write, id) => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    expect(read(write(deep))).toEqual({
      message: {
        jsonrpc: '2.0',
        id,
        error: {
          code: -32_603,
          message: 'The answer cannot be read: it is nested deeper than 1000 levels',
        },
      },
    });
    expect(read(`{"jsonrpc":"2.0","id":7,"method":"x","params":${deep}}`)).toEqual({
      problem: 'nested deeper than 1000 levels',
    });
  });

  test('with a key named __proto__ changes no prototype', () => {
    const { message } = read('{"jsonrpc":"2.0","method":"m","__proto__":{"id":1}}') as {
      message: object;
    };
    expect(Object.getPrototypeOf(message)).toBe(Object.prototype);
  });
});
