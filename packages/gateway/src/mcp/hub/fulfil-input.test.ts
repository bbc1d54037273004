import type { JsonObject } from '@holdfast/core';
import { describe, expect, test } from 'vitest';
import type { Exchange, Message } from '../exchange.ts';
import { fulfilInput } from './fulfil-input.ts';

function exchangeOf(ask: (request: Message) => Promise<JsonObject>): Exchange {
  const { signal } = new AbortController();
  const client = {
    key: 'a',
    era: 'legacy',
    capabilities: {},
    info: undefined,
    logLevel: undefined,
  } as const;
  return { client, signal, ask, notify: () => undefined };
}

const ASKING: JsonObject = {
  resultType: 'input_required',
  inputRequests: {
    who: { method: 'elicitation/create', params: { message: 'Who?' } },
    where: { method: 'roots/list' },
  },
  requestState: 'state',
};

describe('a modern server that asks a legacy client', () => {
  test('gets all answers together with its state', async () => {
    const asked: Message[] = [];
    const sent: JsonObject[] = [];
    const exchange = exchangeOf(async (request) => {
      asked.push(request);
      return { said: request.method };
    });
    const reply = await fulfilInput(ASKING, exchange, async (extra) => {
      sent.push(extra);
      return sent.length === 1
        ? { resultType: 'input_required', inputRequests: {} }
        : { content: [] };
    });
    expect(reply).toEqual({ content: [] });
    expect(asked).toEqual([
      { method: 'elicitation/create', params: { message: 'Who?' } },
      { method: 'roots/list' },
    ]);
    expect(sent).toEqual([
      {
        inputResponses: {
          who: { said: 'elicitation/create' },
          where: { said: 'roots/list' },
        },
        requestState: 'state',
      },
      { inputResponses: {} },
    ]);
  });

  test('that is never content is stopped after eight times', async () => {
    let rounds = 0;
    const exchange = exchangeOf(async () => ({}));
    const send = async (): Promise<JsonObject> => {
      rounds++;
      return ASKING;
    };
    await expect(fulfilInput(ASKING, exchange, send)).rejects.toThrow('asked for input 8 times');
    expect(rounds).toBe(8);
  });

  test.each([
    [{ who: 'odd' }, 'without saying what for'],
    [{ who: { method: 'elicitation/create' } }, 'not now'],
  ])('and cannot be answered fails: %j', async (inputRequests, why) => {
    const exchange = exchangeOf(() => Promise.reject(new Error('not now')));
    const asking = { resultType: 'input_required', inputRequests };
    await expect(fulfilInput(asking, exchange, async () => ({}))).rejects.toThrow(why);
  });
});
