import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { repairToolCall, toolCallMiddleware } from '@holdfast/core/ai-sdk';
import type { ToolCallMiddlewareOptions } from '@holdfast/core/ai-sdk';
import { generateText, jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import { chatBody, chatBodyOf, chatEvents, chatStreamOf } from '../support/chat-stream-of.ts';
import type { RecordedRequest } from '../support/scripted-upstream.ts';
import { connect } from './ai-sdk-clients.ts';
import { PLAIN_TEXT, READ_FILE, withServer, WRITTEN_CALL } from './ask.ts';
import { peerVersion } from './peer-version.ts';

/** Tools that are told to the model and run by nobody. */
const tools = {
  read_file: tool({
    description: 'Reads a file.',
    inputSchema: jsonSchema<{ path: string }>(READ_FILE.parameters!),
    execute: ({ path }) => `read ${path}`,
  }),
};

const settings = (url: string, options: ToolCallMiddlewareOptions<'v3'> = {}) => ({
  model: connect(url, 'local', options),
  prompt: 'Please look.',
  tools,
  maxRetries: 0,
});

const isStream = ({ json }: RecordedRequest): boolean =>
  (json as { readonly stream?: boolean }).stream === true;

describe('the middleware of the AI SDK', () => {
  it('makes a model of the version that the SDK is of', () => {
    const wrapped = wrapLanguageModel({
      model: createOpenAICompatible({ name: 'local', baseURL: 'http://127.0.0.1' })('local'),
      middleware: toolCallMiddleware(),
    });
    const major = Number(peerVersion('ai').split('.')[0]);

    expect(wrapped.specificationVersion).toBe(`v${major - 3}`);
  });

  it('passes plain text byte for byte', async () => {
    const script = (request: RecordedRequest): { readonly body: string } => ({
      body: isStream(request) ? chatStreamOf(PLAIN_TEXT, { cut: 3 }) : chatBodyOf(PLAIN_TEXT),
    });

    await withServer(script, async ({ origin }) => {
      const { text } = await generateText(settings(origin));
      const streamed = streamText(settings(origin));

      expect(text).toBe(PLAIN_TEXT);
      expect(await streamed.text).toBe(PLAIN_TEXT);
      expect(await streamed.finishReason).toBe('stop');
    });
  });

  it('says the same of an answer that is whole and of one that is streamed', async () => {
    const text = `<think>Which file?</think>Let me see. ${WRITTEN_CALL} Done.`;
    const script = (request: RecordedRequest): { readonly body: string } => ({
      body: isStream(request) ? chatStreamOf(text, { cut: 4 }) : chatBodyOf(text),
    });

    await withServer(script, async ({ origin }) => {
      const whole = await generateText(settings(origin));
      const streamed = streamText(settings(origin));
      const parts = (content: readonly object[]): readonly unknown[] =>
        content.map((part) => ('text' in part ? part.text : 'input' in part ? part.input : part));

      expect(parts(whole.content)).toEqual([
        'Which file?',
        'Let me see. ',
        { path: 'notes.md' },
        ' Done.',
        // The result has the input of its call.
        { path: 'notes.md' },
      ]);
      expect(parts(await streamed.content)).toEqual(parts(whole.content));
      expect(whole.finishReason).toBe('tool-calls');
      expect(await streamed.finishReason).toBe('tool-calls');
    });
  });

  it('tells a call in the parts that a stream of the SDK has for it', async () => {
    await withServer({ body: chatStreamOf(`See. ${WRITTEN_CALL}`, { cut: 5 }) }, async (server) => {
      const told: string[] = [];
      for await (const part of streamText(settings(server.origin)).fullStream)
        if (/^(?:text|tool)/.test(part.type)) told.push(part.type);

      expect(told.filter((type, at) => type !== told[at - 1])).toEqual([
        'text-start',
        'text-delta',
        'text-end',
        'tool-input-start',
        'tool-input-delta',
        'tool-input-end',
        'tool-call',
        'tool-result',
      ]);
    });
  });

  it('mends the arguments and the name of a call that the server told, streamed and whole', async () => {
    const call = {
      index: 0,
      id: 'call_broken',
      type: 'function',
      function: { name: 'ReadFile', arguments: "{'path': 'notes.md',}" },
    };
    const script = (request: RecordedRequest): { readonly body: string } => ({
      body: isStream(request)
        ? chatEvents([{ tool_calls: [call] }], { finishReason: 'tool_calls' })
        : chatBody({ role: 'assistant', content: null, tool_calls: [call] }, 'tool_calls'),
    });
    const wanted = [{ toolCallId: 'call_broken', toolName: 'read_file', output: 'read notes.md' }];

    await withServer(script, async ({ origin }) => {
      expect((await generateText(settings(origin))).toolResults).toMatchObject(wanted);
      expect(await streamText(settings(origin)).toolResults).toMatchObject(wanted);
    });
  });

  it('leaves an answer that the model did not end without a call', async () => {
    const cut = '<tool_call>{"name": "read_file", "arguments": {"path": "notes.md"}}';
    const script = (request: RecordedRequest): { readonly body: string } => ({
      body: isStream(request)
        ? chatStreamOf(cut, { cut: 6, finishReason: 'length' })
        : chatBodyOf(cut, { finishReason: 'length' }),
    });

    await withServer(script, async ({ origin }) => {
      const whole = await generateText(settings(origin));
      const streamed = streamText(settings(origin));

      expect(whole).toMatchObject({ text: cut, toolCalls: [], finishReason: 'length' });
      expect(await streamed.text).toBe(cut);
      expect(await streamed.toolCalls).toEqual([]);
    });
  });

  it('adds advice to the failing result in the prompt, and nowhere else', async () => {
    const failing = {
      read_file: tool({
        inputSchema: jsonSchema<{ path: string }>(READ_FILE.parameters!),
        execute: (): string => {
          throw new Error('ENOENT: no such file or directory');
        },
      }),
    };
    const asked: string[] = [];
    const ask = async (origin: string, advice?: false): Promise<void> => {
      asked.length = 0;
      await generateText({
        ...settings(origin, advice === undefined ? {} : { advice }),
        tools: failing,
        stopWhen: stepCountIs(3),
      });
    };

    await withServer(
      ({ body }) => {
        asked.push(body);
        return { body: chatBodyOf(WRITTEN_CALL) };
      },
      async ({ origin }) => {
        await ask(origin);
        expect(asked.map((body) => body.includes('Tool guidance: '))).toEqual([false, false, true]);
        expect(asked[2]).toContain('The same read_file call failed 2 times');
        expect(asked[2]!.split('Tool guidance: ')).toHaveLength(2);

        await ask(origin, false);
        expect(asked.some((body) => body.includes('Tool guidance: '))).toBe(false);
      },
    );
  });

  it('reads nothing where no tools are offered, or none may be called', async () => {
    await withServer({ body: chatBodyOf(WRITTEN_CALL) }, async ({ origin }) => {
      const { tools: _tools, ...without } = settings(origin);
      const none = { ...settings(origin), toolChoice: 'none' as const };

      expect((await generateText(without)).text).toBe(WRITTEN_CALL);
      expect((await generateText(none)).text).toBe(WRITTEN_CALL);
    });
  });

  it('refuses options that cannot work', () => {
    expect(() => toolCallMiddleware({ specificationVersion: 'v9' as 'v3' })).toThrow(
      "toolCallMiddleware.specificationVersion: expected 'v2' or 'v3' or 'v4', got \"v9\"",
    );
  });
});

describe('repairToolCall', () => {
  const broken = (input: string, name = 'read_file'): object => ({
    index: 0,
    id: 'call_broken',
    type: 'function',
    function: { name, arguments: input },
  });

  it.each([
    ['broken JSON', broken("{'path': 'a.md'}")],
    ['a name in another spelling', broken('{"path": "a.md"}', 'readFile')],
    ['a value of another kind', broken('{"path": "a.md", "lines": "3"}')],
  ])('mends %s without the middleware', async (_what, call) => {
    const strict = {
      read_file: tool({
        inputSchema: jsonSchema<{ path: string }>(READ_FILE.parameters!, {
          validate: (value) =>
            typeof (value as { lines?: unknown }).lines === 'string'
              ? { success: false, error: new Error('lines is no number') }
              : { success: true, value: value as { path: string } },
        }),
        execute: ({ path }) => `read ${path}`,
      }),
    };
    const body = chatBody({ role: 'assistant', content: null, tool_calls: [call] }, 'tool_calls');

    await withServer({ body }, async ({ origin }) => {
      const provider = createOpenAICompatible({ name: 'local', baseURL: `${origin}/v1` });
      const { toolResults } = await generateText({
        model: provider('local'),
        prompt: 'Please look.',
        tools: strict,
        experimental_repairToolCall: repairToolCall,
      });

      expect(toolResults).toMatchObject([{ toolName: 'read_file', output: 'read a.md' }]);
    });
  });

  it('leaves what can only be guessed to the SDK', async () => {
    const toolCall = { toolName: 'read_file', input: '{"path": "a' };
    const inputSchema = (): unknown => READ_FILE.parameters;

    expect(await repairToolCall({ toolCall, tools, inputSchema })).toBeNull();
    expect(
      await repairToolCall({ toolCall: { ...toolCall, input: '{"file": 1}' }, tools, inputSchema }),
    ).toBeNull();
  });
});
