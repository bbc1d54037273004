import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { askGateway, isFailure } from './support/ask-gateway.ts';
import type { ToldTurn } from './support/ask-gateway.ts';
import { chatBodyOf, chatStreamOf } from './support/chat-stream-of.ts';
import { errorAnswer } from './support/scripted-answer.ts';
import type { ScriptedAnswer } from './support/scripted-answer.ts';
import type { Protocol } from './support/scripted-model.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import type { ScriptedUpstream } from './support/scripted-upstream.ts';
import { startGateway } from './support/start-gateway.ts';
import type { RunningGateway } from './support/start-gateway.ts';

const PROTOCOLS: readonly Protocol[] = ['chat', 'messages', 'responses'];
const OPEN_MS = 600;
const fine = (stream: boolean): ScriptedAnswer => ({
  body: stream ? chatStreamOf('All is well.', { cut: 4 }) : chatBodyOf('All is well.'),
});
const busy = errorAnswer(503);

interface Status {
  readonly proxy: {
    readonly circuits: readonly { readonly name: string; readonly state: string }[];
    readonly counts: Readonly<Record<string, number>>;
  };
}

describe('a gateway with two upstreams', { timeout: 60_000 }, () => {
  let first: ScriptedUpstream;
  let second: ScriptedUpstream;
  let gateway: RunningGateway;
  let models = 0;
  let model = '';

  beforeAll(async () => {
    first = await startScriptedUpstream(busy);
    second = await startScriptedUpstream(fine(true));
    const circuit = { openForMs: OPEN_MS };
    gateway = await startGateway({
      upstreams: [
        { name: 'first', url: first.url, models: ['m-*', 'only-*'], circuit },
        { name: 'second', url: second.url, models: ['m-*', 'other-*'], circuit },
      ],
      proxy: { retry: { baseDelayMs: 10 } },
      log: { level: 'error' },
    });
  }, 60_000);

  afterAll(async () => {
    await Promise.all([first.close(), second.close(), gateway.close()]);
  });

  beforeEach(() => void (model = `m-${models++}`));

  const ask = (protocol: Protocol, stream = true, asked = model): Promise<ToldTurn> =>
    askGateway(gateway.url, { protocol, model: asked, tools: [], stream });

  const asked = (upstream: ScriptedUpstream): number =>
    upstream.requests.filter(
      ({ json }) => (json as { model?: string } | undefined)?.model === model,
    ).length;

  const status = async (): Promise<Status> =>
    (await (await fetch(`${gateway.url}/api/v1/status`)).json()) as Status;

  test.each(
    PROTOCOLS.flatMap((protocol) => [[protocol, true] as const, [protocol, false] as const]),
  )(
    'answers a client of %s (stream: %s) from the second where the first fails',
    async (protocol, stream) => {
      first.answerWith(busy);
      second.answerWith(fine(stream));
      const told = await ask(protocol, stream);
      expect([told.text, told.error]).toEqual(['All is well.', undefined]);
      expect(told.headers.get('x-holdfast-upstream')).toBe('second');
      expect(told.headers.get('x-holdfast-attempts')).toBe('2');
      expect([asked(first), asked(second)]).toEqual([1, 1]);
    },
  );

  test('asks nobody again once the first byte was there', async () => {
    first.answerWith({
      body: chatStreamOf('All is well.', { cut: 4 }),
      stopAt: 400,
      then: 'reset',
    });
    second.answerWith(fine(true));
    for (const protocol of PROTOCOLS) expect(await ask(protocol)).toSatisfy(isFailure);
    expect([asked(first), asked(second)]).toEqual([3, 0]);
  });

  test('leaves a model alone that keeps failing, tells when to ask again, and finds out when it is well', async () => {
    model = `only-${models++}`;
    first.answerWith(busy);
    const told: ToldTurn[] = [];
    for (let turn = 0; turn < 6; turn++) told.push(await ask('chat', false));
    // Three attempts a turn; the first of the fifth turn opens the circuit.
    expect(told.map((turn) => turn.status)).toEqual([503, 503, 503, 503, 503, 503]);
    expect(asked(first)).toBe(13);
    expect(told[0]?.headers.get('x-holdfast-upstream')).toBe('first');
    expect(told[0]?.headers.get('x-holdfast-attempts')).toBe('3');
    expect(told[5]?.headers.get('retry-after')).toBe('1');
    expect(told[5]?.error?.message).toContain('keeps failing');
    const { proxy } = await status();
    const { state } = proxy.circuits.find(({ name }) => name === `first ${model}`)!;
    expect(state).toBe('open');

    first.answerWith(fine(false));
    await sleep(OPEN_MS + 50);
    expect((await ask('chat', false)).text).toBe('All is well.');
  });

  test('tells the client of a Retry-After that it does not wait for itself', async () => {
    model = `only-${models++}`;
    first.answerWith(errorAnswer(429, { 'retry-after': '77' }));
    for (const protocol of PROTOCOLS) {
      const told = await ask(protocol);
      expect([told.status, told.headers.get('retry-after')]).toEqual([429, '77']);
    }
    expect(asked(first)).toBe(3);
  });

  test('waits for a short one, and then asks again', async () => {
    model = `only-${models++}`;
    let tries = 0;
    first.answerWith(() => (tries++ === 0 ? errorAnswer(429, { 'retry-after': '1' }) : fine(true)));
    const started = performance.now();
    expect((await ask('messages')).text).toBe('All is well.');
    expect(performance.now() - started).toBeGreaterThan(990);
  });

  test('chooses by the name of the model, and refuses one that nobody has', async () => {
    second.answerWith(fine(true));
    const told = await ask('responses', true, 'other-1');
    expect(told.headers.get('x-holdfast-upstream')).toBe('second');
    const unknown = await ask('chat', true, 'x');
    expect(unknown.status).toBe(404);
    expect(unknown.error?.message).toContain('m-*, only-*');
  });

  test('counts what it did', async () => {
    const before = (await status()).proxy.counts;
    first.answerWith(busy);
    second.answerWith(fine(true));
    await ask('chat');
    const { counts } = (await status()).proxy;
    expect(counts['turns']).toBe((before['turns'] ?? 0) + 1);
    expect(counts['failovers']).toBe((before['failovers'] ?? 0) + 1);
    expect(counts['retries']).toBe((before['retries'] ?? 0) + 1);
  });
});
