import type { JsonObject } from '@holdfast/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askGateway } from './support/ask-gateway.ts';
import type { ToldTurn } from './support/ask-gateway.ts';
import { chatBody, chatEvents } from './support/chat-stream-of.ts';
import { startGatewayHere } from './support/gateway-here.ts';
import type { GatewayHere } from './support/gateway-here.ts';
import { messagesBodyOf, messagesEvents, messagesStreamOf } from './support/messages-stream-of.ts';
import {
  callItem,
  responseOf,
  responsesBodyOf,
  responsesEvents,
} from './support/responses-stream-of.ts';
import { event, responsesStreamOf } from './support/responses-stream-of.ts';
import { protocolOf } from './support/scripted-model.ts';
import type { ModelAnswer, Protocol } from './support/scripted-model.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import type { ScriptedUpstream } from './support/scripted-upstream.ts';

const tools = [
  {
    name: 'read_file',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
];
const args = { path: 'a.ts' };

const PROTOCOLS: readonly Protocol[] = ['chat', 'messages', 'responses'];
const CASES = PROTOCOLS.flatMap((protocol) =>
  (['own', 'chat'] as const).flatMap((target) =>
    [true, false].flatMap((stream) =>
      [false, stream].map((eager) => ({ protocol, target, stream, eager })),
    ),
  ),
).filter((one, at, all) => all.findIndex((other) => isSame(one, other)) === at);

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The words of each protocol for a turn that ends in text, and for one that ends in calls. */
const ENDS = {
  chat: { text: 'stop', calls: 'tool_calls' },
  messages: { text: 'end_turn', calls: 'tool_use' },
  responses: { text: 'completed', calls: 'completed' },
} as const;

/** An answer that makes native calls of these tools. */
function callsOf(protocol: Protocol, names: readonly string[]): ModelAnswer {
  const ids = names.map((name, at) => ({ name, id: `call_abc_${at}` }));
  if (protocol === 'chat') {
    const calls = ids.map(({ name, id }, index) => ({
      index,
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }));
    const message = { role: 'assistant', content: null, tool_calls: calls };
    const deltas = calls.map((call) => ({ tool_calls: [call] }));
    return {
      body: chatBody(message, 'tool_calls'),
      stream: chatEvents(deltas, { finishReason: 'tool_calls' }),
    };
  }
  if (protocol === 'responses') {
    const items = ids.map(({ name, id }) => callItem(id, { name, arguments: args }));
    const stream = responsesStreamOf(responsesEvents(items, { cut: 4 }));
    return { body: responsesBodyOf(items), stream };
  }
  const blocks = ids.map(({ name, id }) => ({ type: 'tool_use', id, name, input: args }) as const);
  const stream = messagesStreamOf(messagesEvents(blocks, { stopReason: 'tool_use', cut: 4 }));
  return { body: messagesBodyOf(blocks, 'tool_use'), stream };
}

const itemEvent = (type: string, item: object): ReturnType<typeof event> =>
  event(type, { output_index: 0, item });

describe('a native call', () => {
  let upstream: ScriptedUpstream;
  let gateway: GatewayHere;
  let eager: GatewayHere;
  let answer: (protocol: Protocol) => ModelAnswer;

  beforeAll(async () => {
    upstream = await startScriptedUpstream(({ path, json }) => {
      const { stream } = json as { readonly stream?: boolean };
      const said = answer(protocolOf(path));
      return { body: stream === true ? said.stream : said.body };
    });
    const upstreams = [
      { name: 'own', url: upstream.url, models: ['own'], protocols: PROTOCOLS },
      { name: 'chat', url: upstream.url },
    ];
    [gateway, eager] = await Promise.all([
      startGatewayHere({ upstreams }),
      startGatewayHere({ upstreams, proxy: { eager: true } }),
    ]);
  });

  afterAll(() => Promise.all([upstream.close(), gateway.close(), eager.close()]));

  function ask(
    one: (typeof CASES)[number],
    names: readonly string[],
    fields: JsonObject = {},
  ): Promise<ToldTurn> {
    answer = (protocol) => callsOf(protocol, names);
    const { protocol, target: model, stream } = one;
    const { url } = one.eager ? eager : gateway;
    return askGateway(url, { protocol, model, tools, stream, fields });
  }

  const asText = (name: string): string =>
    `{"name": "${name}", "arguments": ${JSON.stringify(args)}}`;

  describe.each(CASES)('sent to $protocol from $target (stream $stream, eager $eager)', (one) => {
    const ends = ENDS[one.protocol];

    test.each(['delete_all', '__proto__', 'constructor'])(
      'of %s becomes text when the tool was not offered',
      async (name) => {
        const { text, calls, finish } = await ask(one, [name]);
        expect({ text, calls, finish }).toEqual({
          text: asText(name),
          calls: [],
          finish: ends.text,
        });
      },
    );

    test('becomes text when no tool was offered', async () => {
      const { text, calls } = await ask(one, ['read_file'], { tools: [] });
      expect({ text, calls }).toEqual({ text: asText('read_file'), calls: [] });
    });

    test('keeps the offered call beside one that was not offered', async () => {
      const { text, calls, finish } = await ask(one, ['delete_all', 'read_file']);
      expect({ text, calls, finish }).toEqual({
        text: asText('delete_all'),
        calls: [{ name: 'read_file', arguments: args }],
        finish: ends.calls,
      });
    });

    test.each(['ReadFile', 'functions.read_file'])(
      'of %s resolves to the offered tool',
      async (name) => {
        const { calls, text } = await ask(one, [name]);
        expect({ calls, text }).toEqual({
          calls: [{ name: 'read_file', arguments: args }],
          text: '',
        });
      },
    );

    test.each(OFFERED[one.protocol])(
      'of %s is forwarded when the request offers it otherwise',
      async (name, fields, told = name) => {
        const { calls, text } = await ask(one, [name], fields);
        expect({ calls: calls.map((call) => call.name), text }).toEqual({
          calls: [told],
          text: '',
        });
      },
    );
  });

  test.each([true, false])('of a custom tool needs an offered one (stream %s)', async (stream) => {
    const call = {
      index: 0,
      id: 'call_abc_0',
      type: 'custom',
      custom: { name: 'shell', input: 'rm -rf' },
    };
    const message = { role: 'assistant', content: null, tool_calls: [call] };
    const deltas = [
      { tool_calls: [{ ...call, custom: { name: 'shell', input: 'rm' } }] },
      { tool_calls: [{ index: 0, custom: { input: ' -rf' } }] },
    ];
    answer = () => ({
      body: chatBody(message, 'tool_calls'),
      stream: chatEvents(deltas, { finishReason: 'tool_calls' }),
    });
    const said = async (offered: readonly object[]): Promise<string> =>
      post('/v1/chat/completions', { messages: [], tools: offered, stream });
    const text = await said([]);
    expect(text).not.toContain('tool_calls');
    expect(text).toContain('"finish_reason":"stop"');
    expect(text.match(/"content":"[^"]+"/g)?.join('')).toBe(
      stream ? '"content":"shell: rm""content":" -rf"' : '"content":"shell: rm -rf"',
    );
    const offered = await said([{ type: 'custom', custom: { name: 'shell' } }]);
    expect(offered).toContain('"finish_reason":"tool_calls"');
    expect(offered).toContain('"custom"');
  });

  test.each([true, false])(
    'of a built-in shell needs an offered one (stream %s)',
    async (stream) => {
      const action = { type: 'exec', command: ['rm', '-rf'], env: {} };
      const item = {
        type: 'local_shell_call',
        id: 'lsh_1',
        call_id: 'c1',
        status: 'completed',
        action,
      };
      const output = responsesStreamOf([
        event('response.created', { response: responseOf([], 'in_progress') }),
        itemEvent('response.output_item.added', { ...item, status: 'in_progress' }),
        itemEvent('response.output_item.done', item),
        event('response.completed', { response: responseOf([item]) }),
      ]);
      answer = () => ({ body: responsesBodyOf([item]), stream: output });
      const said = async (offered: readonly object[]): Promise<string> =>
        post('/v1/responses', { input: 'x', tools: offered, stream });
      const text = await said([]);
      expect(text).not.toContain('"type":"local_shell_call"');
      expect(text).toContain('output_text');
      expect(await said([{ type: 'local_shell' }])).toContain('"type":"local_shell_call"');
    },
  );

  async function post(path: string, fields: object): Promise<string> {
    const response = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'own', ...fields }),
    });
    expect(response.status).toBe(200);
    return response.text();
  }

  test('of a tool that was not offered reports an issue', async () => {
    await ask({ protocol: 'chat', target: 'own', stream: false, eager: false }, ['delete_all']);
    const said = gateway.log.entries.filter(({ fields }) => fields['code'] === 'unknown-tool');
    expect(said.at(-1)?.message).toContain('delete_all');
  });
});

/** Tools that are offered in other ways than with a schema. */
const OFFERED: Readonly<
  Record<Protocol, readonly [name: string, fields: JsonObject, told?: string][]>
> = {
  chat: [
    ['web_search', { tools: [{ type: 'web_search' }] }],
    ['$web_search', { tools: [{ type: 'builtin_function', function: { name: '$web_search' } }] }],
  ],
  messages: [
    ['bash', { tools: [{ type: 'bash_20250124', name: 'bash' }] }],
    ['web_search', { tools: [{ type: 'web_search_20250305' }] }],
    ['read_file', { tools: [{ name: 'read_file', input_schema: {}, defer_loading: true }] }],
    [
      'found_later',
      {
        messages: [
          { role: 'user', content: 'x' },
          {
            role: 'assistant',
            content: [{ type: 'tool_use', id: 'toolu_1', name: 'ToolSearch', input: {} }],
          },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: 'toolu_1',
                content: [{ type: 'tool_reference', tool_name: 'found_later' }],
              },
            ],
          },
        ],
      },
    ],
  ],
  responses: [
    ['web_search', { tools: [{ type: 'web_search' }] }],
    ['read_file', { tools: [{ type: 'function', name: 'read_file', defer_loading: true }] }],
    [
      'files__read',
      {
        tools: [{ type: 'namespace', name: 'files', tools: [{ type: 'function', name: 'read' }] }],
      },
      'read',
    ],
  ],
};
