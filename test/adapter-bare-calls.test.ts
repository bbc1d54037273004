import type { JsonObject } from '@holdfast/core';
import { toolCallMiddleware } from '@holdfast/core/ai-sdk';
import type { ToolCallMiddlewareOptions } from '@holdfast/core/ai-sdk';
import { wrapAnthropic } from '@holdfast/core/anthropic';
import { wrapOpenAI } from '@holdfast/core/openai';
import type { Fetch, WrapOpenAIOptions } from '@holdfast/core/openai';
import { describe, expect, it } from 'vitest';
import {
  BARE,
  CALLS,
  IN_JSON,
  IN_TEXT,
  MARKED,
  TOOLS,
  WITHOUT_CALLS,
} from './support/bare-requests.ts';
import { readToldBody, readToldStream } from './support/read-told.ts';
import { textAnswer } from './support/scripted-model.ts';
import type { Protocol } from './support/scripted-model.ts';

interface Said {
  readonly text: string;
  readonly calls: readonly object[];
}

/** How a client asks for an answer, and what it reads. */
type Ask<Fields, Options> = (
  written: string,
  stream: boolean,
  fields: Fields,
  options?: Options,
) => Promise<Said>;

const READ: Said = { text: '', calls: CALLS };
const left = (text: string): Said => ({ text, calls: [] });

const PATHS = { chat: '/chat/completions', responses: '/responses', messages: '/messages' };

/** As much of a client as is wrapped. */
interface Client {
  readonly fetch: Fetch;
  withOptions(options: { readonly fetch: Fetch }): Client;
}

const clientOf = (fetch: Fetch): Client => ({
  fetch,
  withOptions: (options) => clientOf(options.fetch),
});

function offered(protocol: Protocol): readonly object[] {
  if (protocol === 'chat') return TOOLS.map((tool) => ({ type: 'function', function: tool }));
  if (protocol === 'responses') return TOOLS.map((tool) => ({ type: 'function', ...tool }));
  return TOOLS.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters }));
}

const askWire =
  (protocol: Protocol): Ask<JsonObject, WrapOpenAIOptions> =>
  async (written, stream, fields, options = {}) => {
    const wrap = protocol === 'messages' ? wrapAnthropic : wrapOpenAI;
    const answer = textAnswer(protocol, written, 4);
    const headers = { 'content-type': stream ? 'text/event-stream' : 'application/json' };
    const server: Fetch = () =>
      Promise.resolve(new Response(stream ? answer.stream : answer.body, { headers }));
    const body = JSON.stringify({ model: 'm', stream, tools: offered(protocol), ...fields });
    const url = `http://localhost/v1${PATHS[protocol]}`;
    const mended = await wrap(clientOf(server), options).fetch(url, { method: 'POST', body });
    const read = stream ? readToldStream : readToldBody;
    const { text, calls } = read(protocol, await mended.text());
    return { text, calls };
  };

const askMiddleware: Ask<object, ToolCallMiddlewareOptions<'v3'>> = async (
  written,
  stream,
  fields,
  options = {},
) => {
  const { wrapGenerate, wrapStream } = toolCallMiddleware(options);
  const tools = TOOLS.map(({ parameters, ...tool }) => ({
    ...tool,
    type: 'function',
    inputSchema: parameters,
  }));
  const call = { params: { prompt: [], tools, ...fields }, model: { modelId: 'm' } };
  const finishReason = { unified: 'stop', raw: 'stop' };
  const parts = stream ? [] : [{ type: 'text', text: written }];
  if (!stream) {
    const doGenerate = (): Promise<Generated> => Promise.resolve({ content: parts, finishReason });
    return saidIn((await wrapGenerate({ ...call, doGenerate })).content);
  }
  const deltas = Array.from(written, (delta) => ({ type: 'text-delta', id: '0', delta }));
  const source = [
    { type: 'text-start', id: '0' },
    ...deltas,
    { type: 'text-end', id: '0' },
    { type: 'finish', finishReason },
  ];
  const doStream = (): Promise<{ readonly stream: ReadableStream<Part> }> =>
    Promise.resolve({ stream: streamOf<Part>(source) });
  const told: Part[] = [];
  for await (const part of (await wrapStream({ ...call, doStream })).stream) told.push(part);
  return saidIn(told);
};

function streamOf<Each>(parts: readonly Each[]): ReadableStream<Each> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly delta?: string;
  readonly toolName?: string;
  readonly input?: string;
}

interface Generated {
  readonly content: readonly Part[];
  readonly finishReason: unknown;
}

function saidIn(parts: readonly Part[]): Said {
  const isText = ({ type }: Part): boolean => type === 'text' || type === 'text-delta';
  return {
    text: parts
      .filter(isText)
      .map(({ text, delta }) => text ?? delta ?? '')
      .join(''),
    calls: parts
      .filter(({ type }) => type === 'tool-call')
      .map(({ toolName: name, input = '{}' }) => ({
        name,
        arguments: JSON.parse(input) as object,
      })),
  };
}

const CLIENTS = [
  ...(['chat', 'responses', 'messages'] as const).map((protocol) => ({
    name: `a wrapped client of ${protocol}`,
    ask: askWire(protocol),
    withoutCalls: WITHOUT_CALLS[protocol],
    inJson: IN_JSON[protocol],
    inText: IN_TEXT[protocol],
  })),
  {
    name: 'the middleware of the AI SDK',
    ask: askMiddleware,
    withoutCalls: [{ toolChoice: { type: 'none' } }],
    inJson: [
      { responseFormat: { type: 'json' } },
      { responseFormat: { type: 'json', schema: { type: 'object' } } },
    ],
    inText: [{}, { responseFormat: { type: 'text' } }],
  },
];

describe.each(CLIENTS)('text that an offered tool proves to be a call, for $name', (client) => {
  const { ask, withoutCalls, inJson, inText } = client;

  describe.each([true, false])('stream %s', (stream) => {
    it('is a call by default', async () => {
      for (const fields of inText) expect(await ask(BARE, stream, fields)).toEqual(READ);
    });

    it('stays text where the request allows no call', async () => {
      for (const fields of withoutCalls)
        for (const text of [BARE, MARKED])
          expect(await ask(text, stream, fields)).toEqual(left(text));
    });

    it('stays text where the request wants JSON, and markup is a call', async () => {
      for (const fields of inJson) {
        expect(await ask(BARE, stream, fields), JSON.stringify(fields)).toEqual(left(BARE));
        expect(await ask(MARKED, stream, fields)).toEqual(READ);
      }
    });

    it('stays text where bareCalls is off, and markup is a call', async () => {
      expect(await ask(BARE, stream, {}, { bareCalls: false })).toEqual(left(BARE));
      expect(await ask(MARKED, stream, {}, { bareCalls: false })).toEqual(READ);
    });
  });

  it('is a call again with bareCalls true', async () => {
    expect(await ask(BARE, false, {}, { bareCalls: true })).toEqual(READ);
    await expect(ask(BARE, false, {}, { bareCalls: 'no' as never })).rejects.toThrow('bareCalls');
  });
});
