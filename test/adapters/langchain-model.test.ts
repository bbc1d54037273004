import { wrapChatModel } from '@holdfast/core/langchain';
import type { MendEvent } from '@holdfast/core/langchain';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { AIMessageChunk, BaseMessage } from '@langchain/core/messages';
import { initChatModel } from 'langchain/chat_models/universal';
import { describe, expect, it } from 'vitest';
import { chatBody, chatBodyOf, chatEvents, chatStreamOf } from '../support/chat-stream-of.ts';
import type { RecordedRequest } from '../support/scripted-upstream.ts';
import { PLAIN_TEXT, READ_FILE, withServer, WRITTEN_CALL } from './ask.ts';
import { connect, connectChat, lcTools, PROMPT } from './langchain-clients.ts';

const tools = lcTools([READ_FILE], () => 'read');
const CALL = { name: 'read_file', args: { path: 'notes.md' }, type: 'tool_call' };

/** The answer, streamed or whole as it is asked for. */
const says =
  (text: string, finishReason = 'stop') =>
  ({ json }: RecordedRequest): { readonly body: string } => ({
    body:
      (json as { readonly stream?: boolean }).stream === true
        ? chatStreamOf(text, { cut: 4, finishReason })
        : chatBodyOf(text, { finishReason }),
  });

async function joined(chunks: Promise<AsyncIterable<AIMessageChunk>>): Promise<AIMessageChunk> {
  let all: AIMessageChunk | undefined;
  for await (const chunk of await chunks) all = all?.concat(chunk) ?? chunk;
  return all!;
}

describe('a wrapped chat model of LangChain', () => {
  it('passes plain text byte for byte, and an answer to a question without tools as it is', async () => {
    await withServer(says(PLAIN_TEXT), async ({ origin }) => {
      const model = connect(origin).bindTools!(tools);

      expect((await model.invoke([PROMPT])).content).toBe(PLAIN_TEXT);
      expect((await joined(model.stream([PROMPT]))).content).toBe(PLAIN_TEXT);
    });
    await withServer(says(WRITTEN_CALL), async ({ origin }) => {
      const model = connect(origin);

      expect((await model.invoke([PROMPT])).content).toBe(WRITTEN_CALL);
      expect((await joined(model.stream([PROMPT]))).content).toBe(WRITTEN_CALL);
    });
  });

  it('says the same of an answer that is whole and of one that is streamed', async () => {
    const text = `<think>Which file?</think>Let me see. ${WRITTEN_CALL} Done.`;

    await withServer(says(text), async ({ origin }) => {
      const model = connect(origin).bindTools!(tools);
      const [whole, streamed] = [
        await model.invoke([PROMPT]),
        await joined(model.stream([PROMPT])),
      ];

      for (const answer of [whole, streamed]) {
        expect(answer.content).toBe('Let me see.  Done.');
        expect(answer.tool_calls).toMatchObject([CALL]);
        expect(answer.additional_kwargs['reasoning_content']).toBe('Which file?');
        expect(answer.response_metadata['finish_reason']).toBe('tool_calls');
      }
      expect(whole.usage_metadata).toMatchObject({ input_tokens: 11, output_tokens: 7 });
      expect(streamed.usage_metadata).toMatchObject({ input_tokens: 11, output_tokens: 7 });
    });
  });

  it('leaves text without markup alone where a call is not wanted, or the answer is JSON', async () => {
    const bare = 'read_file(path="notes.md")';
    const schema = { type: 'object', properties: { path: { type: 'string' } } };
    const structured = (method: string): object => ({
      ls_structured_output_format: { kwargs: { method }, schema },
    });
    const cases: readonly (readonly [boolean, object])[] = [
      [true, {}],
      [true, { response_format: { type: 'text' } }],
      [true, structured('function_calling')],
      [false, { tool_choice: 'none' }],
      [false, { response_format: { type: 'json_object' } }],
      [false, { outputConfig: { format: { type: 'json_schema', schema } } }],
      [false, structured('json_schema')],
      [false, structured('jsonMode')],
    ];

    await withServer(says(bare), async ({ origin }) => {
      const strict = connect(origin, { bareCalls: false }).bindTools!(tools);
      expect((await strict.invoke([PROMPT])).content).toBe(bare);

      for (const [isCall, options] of cases) {
        const bound = connect(origin).bindTools!(tools, options);
        for (const answer of [await bound.invoke([PROMPT]), await joined(bound.stream([PROMPT]))]) {
          expect(answer.content, JSON.stringify(options)).toBe(isCall ? '' : bare);
          expect(answer.tool_calls).toMatchObject(isCall ? [CALL] : []);
        }
      }
    });
  });

  it('tells a call that the server streams when all of it is there', async () => {
    const head = { index: 0, id: 'call_broken', function: { name: 'ReadFile', arguments: '' } };
    const rest = ["{'path': ", "'notes.md',}"].map((text) => ({
      tool_calls: [{ index: 0, function: { arguments: text } }],
    }));
    const deltas = [{ role: 'assistant', content: '' }, { tool_calls: [head] }, ...rest];

    await withServer(
      { body: chatEvents(deltas, { finishReason: 'tool_calls' }) },
      async (server) => {
        const told: unknown[] = [];
        for await (const chunk of await connect(server.origin).bindTools!(tools).stream([PROMPT]))
          if ((chunk.tool_calls ?? []).length > 0) told.push(chunk.tool_calls);

        expect(told).toEqual([[{ ...CALL, id: 'call_broken' }]]);
      },
    );
  });

  it('leaves an answer that the model did not end without a call', async () => {
    const cut = '<tool_call>{"name": "read_file", "arguments": {"path": "notes.md"}}';

    await withServer(says(cut, 'length'), async ({ origin }) => {
      const model = connect(origin).bindTools!(tools);
      const [whole, streamed] = [
        await model.invoke([PROMPT]),
        await joined(model.stream([PROMPT])),
      ];

      for (const answer of [whole, streamed]) {
        expect(answer.content).toBe(cut);
        expect(answer.tool_calls).toEqual([]);
      }
    });
  });

  it('says so where the answer ends inside a call', async () => {
    const call = {
      index: 0,
      id: 'call_a',
      function: { name: 'read_file', arguments: '{"path": ' },
    };
    const body = chatEvents([{ role: 'assistant', tool_calls: [call] }], {
      finishReason: null,
      done: false,
    });

    await withServer({ body }, async ({ origin }) => {
      const model = connect(origin).bindTools!(tools);

      await expect(joined(model.stream([PROMPT]))).rejects.toMatchObject({
        code: 'answer-broke-off',
        retryable: true,
      });
    });
  });

  it('tells callbacks of tokens and events of what is mended', async () => {
    const events: MendEvent[] = [];

    await withServer(says(`See. ${WRITTEN_CALL}`), async ({ origin }) => {
      const model = connect(origin, { onEvent: (event) => events.push(event) });
      const tokens: string[] = [];
      const callbacks = [{ handleLLMNewToken: (token: string): void => void tokens.push(token) }];
      await joined(model.bindTools!(tools).stream([PROMPT], { callbacks }));

      expect(tokens.join('')).toBe('See. ');
    });
    expect(events).toMatchObject([{ type: 'call-read', call: { name: 'read_file' } }]);
  });

  it('streams the same as events', async () => {
    await withServer(says(`See. ${WRITTEN_CALL}`), async ({ origin }) => {
      const model = connect(origin).bindTools!(tools);
      const texts: unknown[] = [];
      let last: AIMessageChunk | undefined;
      for await (const { event, data } of model.streamEvents([PROMPT], { version: 'v2' })) {
        const { chunk, output } = data as { chunk?: AIMessageChunk; output?: AIMessageChunk };
        if (event === 'on_chat_model_stream') texts.push(chunk!.content);
        if (event === 'on_chat_model_end') last = output;
      }

      expect(texts.join('')).toBe('See. ');
      expect(last!.tool_calls).toMatchObject([CALL]);
    });
  });

  it('stays wrapped by whatever is bound to it', async () => {
    await withServer(says(WRITTEN_CALL), async ({ origin }) => {
      const bound = connect(origin).bindTools!(tools);
      const models = [
        bound,
        bound.withConfig({ tags: ['a'] }),
        bound.withRetry({ stopAfterAttempt: 1 }),
        bound.withFallbacks([bound]),
      ];
      for (const model of models)
        expect(await model.invoke([PROMPT])).toMatchObject({ content: '', tool_calls: [CALL] });
      const structured = connect(origin).withStructuredOutput(READ_FILE.parameters!, {
        name: 'read_file',
        method: 'functionCalling',
      });

      expect(await structured.invoke([PROMPT])).toEqual({ path: 'notes.md' });
    });
  });

  it('may be one that is chosen when it is asked', async () => {
    await withServer(says(WRITTEN_CALL), async ({ origin }) => {
      const chosen = await initChatModel('local', {
        modelProvider: 'openai',
        apiKey: 'local',
        maxRetries: 0,
        configuration: { baseURL: `${origin}/v1` },
      });
      const model = wrapChatModel(chosen).bindTools(tools);

      expect(await model.invoke([PROMPT])).toMatchObject({ tool_calls: [CALL] });
      expect(await joined(model.stream([PROMPT]))).toMatchObject({ tool_calls: [CALL] });
      expect(await model.withConfig({ tags: ['a'] }).invoke([PROMPT])).toMatchObject({
        tool_calls: [CALL],
      });
    });
  });

  it('may be one that cannot stream', async () => {
    const model = wrapChatModel(new FakeListChatModel({ responses: ['Hello.'] }));

    expect((await model.invoke([PROMPT])).content).toBe('Hello.');
    expect((await joined(model.stream([PROMPT]))).content).toBe('Hello.');
  });

  it('is told what to do about calls that keep failing, on the last result and nowhere else', async () => {
    const failed = 'cat: gone.md: No such file or directory';
    const conversation: BaseMessage[] = ['call_first', 'call_second'].flatMap((id) => [
      new AIMessage({ content: '', tool_calls: [{ ...CALL, type: 'tool_call', id }] }),
      new ToolMessage({ content: failed, tool_call_id: id, status: 'error' }),
    ]);
    const messages = [new HumanMessage('Please look.'), ...conversation];

    await withServer(says('I see.'), async ({ origin, requests }) => {
      await connect(origin).bindTools!(tools).invoke(messages);
      await connect(origin, { advice: false }).bindTools!(tools).invoke(messages);

      const [advised, quiet] = requests.map(
        ({ json }) => (json as { readonly messages: readonly { content: string }[] }).messages,
      );
      expect(advised!.slice(0, -1)).toEqual(quiet!.slice(0, -1));
      expect(advised!.at(-1)!.content).toContain(
        `${failed}\n\n⚠️ Tool guidance: The same read_file call failed 2 times`,
      );
      expect(quiet!.at(-1)!.content).toBe(failed);
      expect(messages.at(-1)!.content).toBe(failed);
    });
  });

  it('keeps an answer that needs nothing as the very message that it was', async () => {
    const call = {
      id: 'call_right',
      type: 'function',
      function: { name: 'read_file', arguments: '{"path": "notes.md"}' },
    };
    const body = chatBody({ role: 'assistant', content: 'Hm.', tool_calls: [call] }, 'tool_calls');

    await withServer({ body }, async ({ origin }) => {
      const plain = await connectChat(origin, 'local').bindTools!(tools).invoke([PROMPT]);
      const mended = await connect(origin).bindTools!(tools).invoke([PROMPT]);

      expect(mended.toDict()).toEqual(plain.toDict());
      expect(mended.additional_kwargs).toHaveProperty('tool_calls');
    });
  });

  it('is wrapped once, and is a model before anything is bound', () => {
    const model = connect('http://127.0.0.1');
    const bound = connectChat('http://127.0.0.1', 'local').withRetry();

    expect(wrapChatModel(model)).toBe(model);
    expect(() => wrapChatModel(bound as never)).toThrow(
      'wrapChatModel: expected a chat model, before anything is bound to it, got an object',
    );
    expect(() => wrapChatModel(model, { formats: ['qwen'] } as never)).toThrow(
      'wrapChatModel.formats: expected an option that exists',
    );
  });
});
