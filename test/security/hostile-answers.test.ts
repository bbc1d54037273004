import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGatewayHere } from '../support/gateway-here.ts';
import type { GatewayHere } from '../support/gateway-here.ts';
import { NEVER_OPENS } from '../support/never-opens.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';

/** Far more than any of these answers takes where each part of it is looked at once. */
const MOST_MS = 5000;

let upstream: ScriptedUpstream;
let gateway: GatewayHere;

beforeAll(async () => {
  upstream = await startScriptedUpstream({ body: '{}' });
  gateway = await startGatewayHere({
    upstreams: [
      {
        name: 'one',
        url: upstream.url,
        protocols: ['chat', 'responses'],
        circuit: NEVER_OPENS,
      },
    ],
    proxy: { retry: { maxAttempts: 1 } },
  });
}, 30_000);

afterAll(async () => {
  await Promise.all([gateway.close(), upstream.close()]);
}, 30_000);

interface Told {
  readonly status: number;
  readonly body: string;
  readonly ms: number;
}

/** Asks for a turn in which a client tells the results of very many calls at once. */
async function tellResults(length: number): Promise<number> {
  const results = Array.from({ length }, (_, index) => ({
    type: 'tool_result',
    tool_use_id: `call_${index}`,
    content: 'x',
  }));
  const answer = await fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'any',
      max_tokens: 5,
      messages: [{ role: 'user', content: results }],
    }),
  });
  await answer.text();
  return answer.status;
}

async function ask(stream: boolean): Promise<Told> {
  const startedAt = performance.now();
  const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'any',
      stream,
      messages: [{ role: 'user', content: 'Look.' }],
      tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
    }),
  });
  const body = await answer.text();
  return { status: answer.status, body, ms: performance.now() - startedAt };
}

const DONE = 'data: [DONE]\n\n';

function chunk(delta: object, reason: string | null = null, index = 0): string {
  const choices = [{ index, delta, finish_reason: reason }];
  const about = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'any' };
  return `data: ${JSON.stringify({ ...about, choices })}\n\n`;
}

const callAt = (index: number, json: string): object => ({
  index,
  id: `call_${index}`,
  type: 'function',
  function: { name: 'look', arguments: json },
});

const callsOf = (length: number, json: string): object[] =>
  Array.from({ length }, (_, index) => callAt(index, json));

const wholeAnswer = (message: object): string =>
  JSON.stringify({
    id: 'c',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
  });

const ANSWERS: Readonly<Record<string, () => string>> = {
  '30,000 calls that do not end, in one piece': () =>
    wholeAnswer({ tool_calls: callsOf(30_000, '{"a":') }),
  '30,000 calls that do not end, in as many': () =>
    callsOf(30_000, '{"a":')
      .map((call) => chunk({ tool_calls: [call] }))
      .join('') +
    chunk({}, 'tool_calls') +
    DONE,
  'a long call that cannot be read, and text behind it': () =>
    chunk({ tool_calls: [callAt(0, `{"a":"${'y'.repeat(1_000_000)}" x}`)] }) +
    chunk({ content: '.' }).repeat(10_000) +
    chunk({}, 'stop') +
    DONE,
  'an end over and over, before the last call has ended': () =>
    chunk({ tool_calls: [...callsOf(15_000, '{}'), callAt(15_000, '{')] }) +
    chunk({}, 'stop').repeat(15_000) +
    DONE,
};

describe('an answer of a model server', { timeout: 120_000 }, () => {
  test.each(Object.entries(ANSWERS))('of %s is read in linear time', async (_, write) => {
    upstream.answerWith({ body: write() });
    for (const stream of [true, false]) {
      const { status, ms } = await ask(stream);
      expect(status).toBe(200);
      expect(ms).toBeLessThan(MOST_MS);
    }
  });

  test('of 70,000 calls is told', async () => {
    upstream.answerWith({ body: wholeAnswer({ tool_calls: callsOf(70_000, '{}') }) });
    const { status, body } = await ask(false);
    expect(status).toBe(200);
    expect(body.split('"function":')).toHaveLength(70_001);
  });

  test.each([true, false])(
    'with more choices than anybody asks for is an error, streamed or not: %s',
    async (stream) => {
      const choices = Array.from({ length: 20_000 }, (_, index) =>
        chunk({ content: 'a' }, null, index),
      );
      upstream.answerWith({ body: choices.join('') + DONE });
      const { body, ms } = await ask(stream);
      expect(body).toContain('more than 1024 choices');
      expect(body.length).toBeLessThan(1_000_000);
      expect(ms).toBeLessThan(MOST_MS);
    },
  );
});

/** A stream of Responses with so many messages, which its last event repeats. */
function itemsOf(length: number): string {
  const about = { id: 'resp_1', object: 'response', created_at: 1, model: 'any' };
  const items = Array.from({ length }, (_, index) => ({
    type: 'message',
    id: `msg_${index}`,
    role: 'assistant',
    content: [{ type: 'output_text', text: `${index}` }],
  }));
  return [
    { type: 'response.created', response: { ...about, output: [] } },
    ...items.map((item) => ({
      type: 'response.output_item.added',
      item: { ...item, content: [] },
    })),
    { type: 'response.completed', response: { ...about, status: 'completed', output: items } },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}

describe('a stream of Responses', () => {
  test('of very many items is read in linear time', async () => {
    upstream.answerWith({ body: itemsOf(15_000) });
    const startedAt = performance.now();
    const answer = await fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'any', input: 'Look.' }),
    });
    expect(await answer.text()).toContain('14999');
    expect(performance.now() - startedAt).toBeLessThan(MOST_MS);
  }, 60_000);
});

describe('a request with very many results', () => {
  test('is passed on', async () => {
    upstream.answerWith({ body: wholeAnswer({ content: 'Thank you.' }) });
    expect(await tellResults(200_000)).toBe(200);
  }, 60_000);
});
