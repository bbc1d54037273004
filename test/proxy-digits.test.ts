import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatBody, chatEvents, chatBodyOf, chatStreamOf } from './support/chat-stream-of.ts';
import { messagesBodyOf, messagesEvents, messagesStreamOf } from './support/messages-stream-of.ts';
import { callItem, responsesBodyOf, responsesEvents } from './support/responses-stream-of.ts';
import { responsesStreamOf } from './support/responses-stream-of.ts';
import type { Protocol } from './support/scripted-model.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import type { ScriptedUpstream } from './support/scripted-upstream.ts';
import { startGateway } from './support/start-gateway.ts';
import type { RunningGateway } from './support/start-gateway.ts';

/** A double rounds it to 1.2345678901234568e+29. */
const DIGITS = '123456789012345678901234567890';
/** Stands for it in what is written with `JSON.stringify`. */
const SAMPLE = 424242;

const PATHS: Readonly<Record<Protocol, string>> = {
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
};
const PROTOCOLS: readonly Protocol[] = ['chat', 'messages', 'responses'];

const args = { to: SAMPLE };
const written = `<tool_call>{"name": "pay", "arguments": {"to": ${DIGITS}}}</tool_call>`;
const toolCall = {
  index: 0,
  id: 'call_abc',
  type: 'function',
  function: { name: 'pay', arguments: JSON.stringify(args) },
};
const block = { type: 'tool_use', id: 'toolu_abc', name: 'pay', input: args } as const;
const item = callItem('call_abc', { name: 'pay', arguments: args });

/** What an upstream says, whole and streamed: the call in its text, or as a call of its own. */
const ANSWERS = {
  text: { body: chatBodyOf(written), stream: chatStreamOf(written, { cut: 3 }) },
  chat: {
    body: chatBody({ role: 'assistant', content: null, tool_calls: [toolCall] }, 'tool_calls'),
    stream: chatEvents([{ tool_calls: [toolCall] }], { finishReason: 'tool_calls' }),
  },
  messages: {
    body: messagesBodyOf([block], 'tool_use'),
    stream: messagesStreamOf(messagesEvents([block], { stopReason: 'tool_use' })),
  },
  responses: {
    body: responsesBodyOf([item]),
    stream: responsesStreamOf(responsesEvents([item])),
  },
};

const CASES = PROTOCOLS.flatMap((client) =>
  (['text', 'chat', client] as const).flatMap((upstream) =>
    [false, true].flatMap((stream) =>
      ['integer', 'string'].map((type) => ({ client, upstream, stream, type })),
    ),
  ),
);

function bodyFor(client: Protocol, model: string, stream: boolean, type: string): object {
  const schema = { type: 'object', properties: { to: { type } }, required: ['to'] };
  const messages = [{ role: 'user', content: 'pay' }];
  if (client === 'messages') {
    const tools = [{ name: 'pay', input_schema: schema }];
    return { model, stream, max_tokens: 100, messages, tools };
  }
  if (client === 'responses') {
    const tools = [{ type: 'function', name: 'pay', parameters: schema }];
    return { model, stream, input: 'pay', tools };
  }
  const tools = [{ type: 'function', function: { name: 'pay', parameters: schema } }];
  return { model, stream, messages, tools };
}

describe('a number with more digits than a double holds', { timeout: 60_000 }, () => {
  let upstream: ScriptedUpstream;
  let gateway: RunningGateway;

  beforeAll(async () => {
    upstream = await startScriptedUpstream(({ json }) => {
      const { model, stream } = json as { model: keyof typeof ANSWERS; stream?: boolean };
      const { body, stream: events } = ANSWERS[model];
      return { body: (stream === true ? events : body).replaceAll(String(SAMPLE), DIGITS) };
    });
    const { url } = upstream;
    gateway = await startGateway({
      upstreams: [
        { name: 'own', url, models: ['messages', 'responses'], protocols: PROTOCOLS },
        { name: 'chat', url },
      ],
      log: { level: 'error' },
    });
  }, 60_000);

  afterAll(() => Promise.all([upstream.close(), gateway.close()]));

  test.each(CASES)(
    'reaches a $client client from $upstream, for a parameter of type $type (stream: $stream)',
    async ({ client, upstream: model, stream, type }) => {
      const response = await fetch(gateway.url + PATHS[client], {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(bodyFor(client, model, stream, type)),
      });
      const said = (await response.text()).replaceAll('\\', '');
      expect(response.status).toBe(200);
      expect(said).not.toContain('e+29');
      expect(said).toMatch(type === 'string' ? `"to":"${DIGITS}"` : new RegExp(`"to": ?${DIGITS}`));
    },
  );
});
