import type { JsonObject } from '@holdfast/core';
import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, test } from 'vitest';
import { textOf } from '../../proxy/json/json-fields.ts';
import type { ClientView, Exchange, Message } from '../exchange.ts';
import { isOurState, ModernExchange } from './modern-exchange.ts';
import type { Leg, WaitingExchanges } from './modern-exchange.ts';

const CLIENT: ClientView = {
  key: 'a',
  era: 'modern',
  capabilities: { elicitation: {} },
  info: undefined,
  logLevel: undefined,
};
const ELICIT: Message = { method: 'elicitation/create', params: { message: 'Your name?' } };
const NEVER = new AbortController().signal;

function begin(): {
  readonly exchange: ModernExchange;
  readonly waiting: WaitingExchanges;
  readonly clock: ManualClock;
} {
  const waiting: WaitingExchanges = new Map();
  const clock = new ManualClock();
  return { exchange: new ModernExchange(CLIENT, waiting, clock), waiting, clock };
}

function leg(more: Partial<Leg> = {}): Leg & { readonly told: Message[] } {
  const told: Message[] = [];
  return { signal: NEVER, notify: (message) => void told.push(message), told, ...more };
}

/** The state that a client comes back with. */
function stateOf(reply: JsonObject): string {
  expect(reply['resultType']).toBe('input_required');
  return textOf(reply['requestState']);
}

const askTwice = async (exchange: Exchange): Promise<JsonObject> => {
  const answers = await Promise.all([exchange.ask(ELICIT, NEVER), exchange.ask(ELICIT, NEVER)]);
  return { answers };
};

describe('a request of a modern client', () => {
  test('that needs nothing is answered', async () => {
    const { exchange, waiting } = begin();
    expect(await exchange.run(leg(), async () => ({ fine: true }))).toEqual({ fine: true });
    expect(waiting.size).toBe(0);
  });

  test('is answered with all questions there are, and goes on with the answers', async () => {
    const { exchange, waiting, clock } = begin();
    const reply = await exchange.run(leg(), askTwice);
    const question = { method: 'elicitation/create', params: { message: 'Your name?' } };
    expect(reply['inputRequests']).toEqual({ 'ask-1': question, 'ask-2': question });
    const state = stateOf(reply);
    expect(isOurState(state)).toBe(true);
    expect(waiting.get(state)).toBe(exchange);
    const answered = await exchange.resume(leg(), { 'ask-1': { a: 1 }, 'ask-2': { a: 2 } });
    expect(answered).toEqual({ answers: [{ a: 1 }, { a: 2 }] });
    expect(waiting.size).toBe(0);
    expect(clock.pendingTimers).toBe(0);
  });

  test('that comes back with some answers is asked for the others', async () => {
    const { exchange, waiting } = begin();
    const first = await exchange.run(leg(), askTwice);
    const second = await exchange.resume(leg(), { 'ask-2': { a: 2 } });
    expect(Object.keys(second['inputRequests'] as JsonObject)).toEqual(['ask-1']);
    expect(stateOf(second)).not.toBe(stateOf(first));
    expect([...waiting.keys()]).toEqual([stateOf(second)]);
    const answered = await exchange.resume(leg(), { 'ask-1': 'odd' });
    expect(answered).toEqual({ answers: [{}, { a: 2 }] });
  });

  test('to which nobody comes back for ten minutes is cancelled', async () => {
    const { exchange, waiting, clock } = begin();
    const ask = (running: Exchange): Promise<JsonObject> => running.ask(ELICIT, running.signal);
    await exchange.run(leg(), ask);
    await clock.advance(599_999);
    expect(exchange.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(exchange.signal.aborted).toBe(true);
    expect(waiting.size).toBe(0);
  });

  test('is not kept for ever where its work is over before the client comes back', async () => {
    const { exchange, waiting, clock } = begin();
    const patience = new AbortController();
    const reply = await exchange.run(leg(), async (running) => {
      await running.ask(ELICIT, patience.signal).catch(() => undefined);
      return { without: 'answer' };
    });
    patience.abort();
    await clock.advance(1000);
    expect(waiting.has(stateOf(reply))).toBe(true);
    await clock.advance(600_000);
    expect(waiting.size).toBe(0);
  });

  test('gets what became of it meanwhile when it comes back late', async () => {
    const { exchange } = begin();
    const patience = new AbortController();
    await exchange.run(leg(), async (running) => {
      await running.ask(ELICIT, patience.signal);
      return {};
    });
    patience.abort(new Error('the server waits no longer'));
    await expect(exchange.resume(leg(), { 'ask-1': {} })).rejects.toThrow('waits no longer');
  });

  test('is taken back by whichever of its legs is open, and not by one that was answered', async () => {
    const { exchange } = begin();
    const [first, second] = [new AbortController(), new AbortController()];
    const ask = (running: Exchange): Promise<JsonObject> => running.ask(ELICIT, NEVER);
    await exchange.run(leg({ signal: first.signal }), async (running) => {
      await ask(running);
      return new Promise(() => undefined);
    });
    first.abort();
    expect(exchange.signal.aborted).toBe(false);
    void exchange.resume(leg({ signal: second.signal }), { 'ask-1': {} });
    second.abort(new Error('enough'));
    expect(exchange.signal.reason).toMatchObject({ message: 'enough' });
  });

  test('hears of progress by the token of the leg that is open', async () => {
    const { exchange } = begin();
    const progress = (n: number): Message => ({
      method: 'notifications/progress',
      params: { progressToken: 'one', progress: n },
    });
    const [one, two, three] = [leg({ progressToken: 'one' }), leg({ progressToken: 2 }), leg()];
    await exchange.run(one, async (running) => {
      running.notify(progress(1));
      await running.ask(ELICIT, NEVER);
      running.notify(progress(2));
      await running.ask(ELICIT, NEVER);
      running.notify(progress(3));
      return {};
    });
    exchange.notify({ method: 'notifications/message' });
    await exchange.resume(two, { 'ask-1': {} });
    await exchange.resume(three, { 'ask-2': {} });
    expect(one.told.map(({ params }) => params)).toEqual([{ progressToken: 'one', progress: 1 }]);
    expect(two.told.map(({ params }) => params)).toEqual([{ progressToken: 2, progress: 2 }]);
    expect(three.told).toEqual([]);
  });

  test('is not asked what its client cannot answer, nor what nobody waits for', async () => {
    const { exchange } = begin();
    const sampling = { method: 'sampling/createMessage' };
    const ask = async (running: Exchange): Promise<JsonObject> => running.ask(sampling, NEVER);
    await expect(exchange.run(leg(), ask)).rejects.toThrow('the client does not support sampling');
    const gone = AbortSignal.abort(new Error('too late'));
    await expect(exchange.run(leg(), (running) => running.ask(ELICIT, gone))).rejects.toThrow(
      'too late',
    );
  });
});
