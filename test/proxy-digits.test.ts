import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatBody, chatEvents, chatBodyOf, chatStreamOf } from './support/chat-stream-of.ts';
import { messagesBodyOf, messagesEvents, messagesStreamOf } from './support/messages-stream-of.ts';
import {
  callItem,
  responseOf,
  responsesBodyOf,
  responsesEvents,
} from './support/responses-stream-of.ts';
import { responsesStreamOf } from './support/responses-stream-of.ts';
import type { Protocol } from './support/scripted-model.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import type { ScriptedUpstream } from './support/scripted-upstream.ts';
import { startGateway } from './support/start-gateway.ts';
import type { RunningGateway } from './support/start-gateway.ts';

/** A double rounds it to 1.2345678901234568e+29. */
const DIGITS = '123456789012345678901234567890';
/** How an upstream begins arguments that it sends as an object. */
const WRITTEN = '{ "to" : ';
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

/** Arguments that an upstream sends as an object, not as text. */
const objectCall = { ...toolCall, function: { name: 'pay', arguments: args } };
const objectItem = { ...item, arguments: args };

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
  'chat-objects': {
    body: chatBody({ role: 'assistant', content: null, tool_calls: [objectCall] }, 'tool_calls'),
    stream: chatEvents([{ tool_calls: [objectCall] }], { finishReason: 'tool_calls' }),
  },
  'responses-objects': {
    body: responsesBodyOf([objectItem]),
    stream: responsesStreamOf([
      ['response.output_item.added', { output_index: 0, item: { ...item, arguments: '' } }],
      ['response.output_item.done', { output_index: 0, item: objectItem }],
      ['response.completed', { response: responseOf([objectItem]) }],
    ]),
  },
};

const UPSTREAMS: Readonly<Record<Protocol, readonly (keyof typeof ANSWERS)[]>> = {
  chat: ['text', 'chat', 'chat-objects'],
  messages: ['text', 'chat', 'messages', 'chat-objects'],
  responses: ['text', 'chat', 'responses', 'chat-objects', 'responses-objects'],
};

const CASES = PROTOCOLS.flatMap((client) =>
  UPSTREAMS[client].flatMap((upstream) =>
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

/** Dialects that write JSON, Python, tags and text of their own. */
const FORMATS = ['qwen', 'pythonic', 'qwen3-coder', 'gemma4', 'openai'] as const;

const HISTORIES = PROTOCOLS.flatMap((client) =>
  ['text', `renamed/${client}`, ...FORMATS.map((format) => `${format}/text`)].map((model) => ({
    client,
    model,
  })),
);

/** A conversation in which a call was made with the number, as an object wherever the protocol has one. */
function historyFor(client: Protocol, model: string): object {
  const body = bodyFor(client, model, false, 'integer');
  const user = { role: 'user', content: 'pay' };
  if (client === 'messages') {
    const result = { type: 'tool_result', tool_use_id: 'toolu_abc', content: 'paid' };
    const answered = { role: 'user', content: [result] };
    return { ...body, messages: [user, { role: 'assistant', content: [block] }, answered] };
  }
  if (client === 'responses') {
    const output = { type: 'function_call_output', call_id: 'call_abc', output: 'paid' };
    return { ...body, input: [user, objectItem, output] };
  }
  const result = { role: 'tool', tool_call_id: 'call_abc', content: 'paid' };
  const asked = { role: 'assistant', content: null, tool_calls: [objectCall] };
  return { ...body, messages: [user, asked, result] };
}

describe('a number with more digits than a double holds', { timeout: 60_000 }, () => {
  let upstream: ScriptedUpstream;
  let gateway: RunningGateway;

  beforeAll(async () => {
    upstream = await startScriptedUpstream(({ json }) => {
      const { model, stream } = json as { model: keyof typeof ANSWERS; stream?: boolean };
      const { body, stream: events } = ANSWERS[Object.hasOwn(ANSWERS, model) ? model : 'text'];
      const said = (stream === true ? events : body).replaceAll(String(SAMPLE), DIGITS);
      return { body: said.replaceAll('{"to":', WRITTEN) };
    });
    const { url } = upstream;
    gateway = await startGateway({
      upstreams: [
        {
          name: 'own',
          url,
          models: ['messages', 'responses', 'responses-objects'],
          protocols: PROTOCOLS,
        },
        {
          name: 'renamed',
          url,
          models: ['renamed/*'],
          modelMap: Object.fromEntries(PROTOCOLS.map((name) => [`renamed/${name}`, name])),
          protocols: PROTOCOLS,
        },
        ...FORMATS.map((toolFormat) => ({
          name: toolFormat,
          url,
          models: [`${toolFormat}/*`],
          toolMode: 'prompt',
          toolFormat,
        })),
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
      if (type === 'string') expect(said).toContain(`"to":"${DIGITS}"`);
      else if (model.endsWith('objects')) expect(said).toContain(`${WRITTEN}${DIGITS}}`);
      else expect(said).toMatch(new RegExp(`"to" ?: ?${DIGITS}`));
    },
  );

  test.each(HISTORIES)(
    'reaches the upstream of $model from an earlier call of a $client client',
    async ({ client, model }) => {
      const earlier = JSON.stringify(historyFor(client, model)).replaceAll(String(SAMPLE), DIGITS);
      const response = await fetch(gateway.url + PATHS[client], {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: earlier,
      });
      expect(response.status).toBe(200);
      const asked = (upstream.requests.at(-1)?.body ?? '').replaceAll('\\', '');
      expect(asked).not.toContain('e+29');
      expect(asked.split(DIGITS)).toHaveLength(2);
    },
  );
});
