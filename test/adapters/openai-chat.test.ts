import { wrapOpenAI } from '@holdfast/core/openai';
import type { MendEvent } from '@holdfast/core/openai';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { chatBody, chatBodyOf, chatEvents, chatStreamOf } from '../support/chat-stream-of.ts';
import { errorAnswer } from '../support/scripted-answer.ts';
import { PLAIN_TEXT, READ_FILE, withServer, WRITTEN_CALL } from './ask.ts';
import { chatTools, connect } from './openai-clients.ts';

const PROMPT = { role: 'user', content: 'Please look.' } as const;
const BODY = { model: 'local', messages: [PROMPT], tools: chatTools([READ_FILE]) };

/** Everything but the id, which is new each time. */
const meaning = ({ choices }: OpenAI.ChatCompletion): unknown =>
  choices.map(({ message: { tool_calls: calls = [], ...message }, finish_reason: finish }) => ({
    ...message,
    finish,
    calls: calls.map((call) => (call.type === 'function' ? call.function : call.type)),
  }));

describe('a wrapped OpenAI client, in Chat Completions', () => {
  it('passes plain text byte for byte, in the chunks it came in', async () => {
    const body = chatStreamOf(PLAIN_TEXT, { cut: 5 });
    const wanted = Array.from({ length: Math.ceil(Array.from(PLAIN_TEXT).length / 5) });

    await withServer({ body }, async ({ origin }) => {
      const stream = await connect(origin).chat.completions.create({ ...BODY, stream: true });
      const texts: string[] = [];
      for await (const { choices } of stream) texts.push(choices[0]?.delta.content ?? '');

      expect(texts.join('')).toBe(PLAIN_TEXT);
      expect(texts.filter((text) => text !== '').length).toBeGreaterThan(wanted.length / 2);
    });
  });

  it('says the same of an answer that is whole and of one that is streamed', async () => {
    const text = `<think>Which file?</think>Let me see. ${WRITTEN_CALL} Done.`;
    await withServer(
      ({ json }) => ({
        body: (json as { stream?: boolean }).stream
          ? chatStreamOf(text, { cut: 3 })
          : chatBodyOf(text),
      }),
      async ({ origin }) => {
        const { completions } = connect(origin).chat;
        const whole = await completions.create(BODY);
        const streamed = await completions.stream(BODY).finalChatCompletion();

        expect(meaning(whole)).toEqual([
          {
            role: 'assistant',
            content: 'Let me see.  Done.',
            reasoning_content: 'Which file?',
            finish: 'tool_calls',
            calls: [{ name: 'read_file', arguments: '{"path": "notes.md"}' }],
          },
        ]);
        // What the SDK itself adds to a message that it puts together.
        const told = (meaning(streamed) as Record<string, unknown>[]).map(
          ({ parsed: _parsed, refusal: _refusal, ...message }) => message,
        );
        expect(told).toMatchObject([
          {
            content: 'Let me see.  Done.',
            finish: 'tool_calls',
            calls: [{ name: 'read_file', arguments: '{"path": "notes.md"}' }],
          },
        ]);
      },
    );
  });

  it('keeps reasoning that the server tells apart, and finds a call in it where it never ends', async () => {
    const reasoning = `I need the notes. ${WRITTEN_CALL}`;
    const body = chatBodyOf('', { reasoning });

    await withServer({ body }, async ({ origin }) => {
      const { choices } = await connect(origin).chat.completions.create(BODY);

      expect(choices[0]).toMatchObject({
        finish_reason: 'tool_calls',
        message: {
          reasoning_content: reasoning,
          tool_calls: [{ function: { name: 'read_file', arguments: '{"path": "notes.md"}' } }],
        },
      });
    });
  });

  it('leaves what a server says of its own calls beside them', async () => {
    const call = {
      id: 'call_signed',
      type: 'function',
      function: { name: 'read_file', arguments: '{ "path": "a.md" }' },
      extra_content: { google: { thought_signature: 'abc' } },
    };
    const body = chatBody({ role: 'assistant', content: null, tool_calls: [call] }, 'tool_calls');

    await withServer({ body }, async ({ origin }) => {
      const { choices } = await connect(origin).chat.completions.create(BODY);

      expect(choices[0]?.message.tool_calls).toEqual([call]);
    });
  });

  it('tells every choice apart', async () => {
    const choice = (index: number, content: string): object => ({
      index,
      message: { role: 'assistant', content },
      finish_reason: 'stop',
    });
    const body = JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: 'local',
      choices: [choice(0, 'No call.'), choice(1, WRITTEN_CALL)],
    });

    await withServer({ body }, async ({ origin }) => {
      const { choices } = await connect(origin).chat.completions.create({ ...BODY, n: 2 });

      expect(choices.map(({ finish_reason: finish }) => finish)).toEqual(['stop', 'tool_calls']);
      expect(choices[0]?.message).toEqual({ role: 'assistant', content: 'No call.' });
    });
  });

  it.each([
    ['no tools are offered', { tools: [] }],
    ['no tool may be called', { tool_choice: 'none' as const }],
  ])('reads nothing where %s', async (_why, change) => {
    await withServer({ body: chatBodyOf(WRITTEN_CALL) }, async ({ origin }) => {
      const { choices } = await connect(origin).chat.completions.create({ ...BODY, ...change });

      expect(choices[0]).toMatchObject({
        finish_reason: 'stop',
        message: { content: WRITTEN_CALL },
      });
    });
  });

  it('leaves a call of a tool that was not offered as text', async () => {
    const text = '<tool_call>{"name": "delete_all", "arguments": {}}</tool_call>';

    await withServer({ body: chatBodyOf(text) }, async ({ origin }) => {
      const { choices } = await connect(origin).chat.completions.create(BODY);

      expect(choices[0]?.message).toEqual({ role: 'assistant', content: text });
    });
  });

  it('leaves errors, retries and the headers of the answer to the SDK', async () => {
    const script = (_: unknown, index: number): ReturnType<typeof errorAnswer> =>
      index === 0
        ? errorAnswer(500, { 'retry-after-ms': '1' })
        : { body: chatBodyOf(WRITTEN_CALL), headers: { 'x-request-id': 'req_7' } };

    await withServer(script, async ({ origin, requests }) => {
      const client = new OpenAI({ baseURL: `${origin}/v1`, apiKey: 'local', maxRetries: 1 });
      const asked = wrapOpenAI(client).chat.completions.create(BODY);
      const { data, response, request_id: id } = await asked.withResponse();

      expect(requests).toHaveLength(2);
      expect(id).toBe('req_7');
      expect(response.headers.get('content-length')).toBeNull();
      expect(data.choices[0]?.finish_reason).toBe('tool_calls');
    });
    await withServer(errorAnswer(429), async ({ origin }) => {
      const asked = connect(origin).chat.completions.create(BODY);
      await expect(asked).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    });
  });

  it('ends quietly where the program gives up, and ends the request', async () => {
    const body = chatStreamOf('One two three four.', { cut: 3 });

    await withServer({ body, stopAt: body.length / 2, then: 'stall' }, async (server) => {
      const stream = await connect(server.origin).chat.completions.create({
        ...BODY,
        stream: true,
      });
      let text = '';
      for await (const { choices } of stream) {
        text += choices[0]?.delta.content ?? '';
        if (text.length > 3) stream.controller.abort();
      }
      await server.requests[0]!.over;

      expect(text).toMatch(/^One /);
      expect(server.requests[0]!.aborted).toBe(true);
    });
  });

  it('says what was mended', async () => {
    const events: MendEvent[] = [];
    const text = `<tool_call>{'name': 'ReadFile', 'arguments': {"path": "a.md", "lines": "3"}}</tool_call>`;

    await withServer({ body: chatBodyOf(text) }, async ({ origin }) => {
      const client = connect(origin, { onEvent: (event) => events.push(event) });
      await client.chat.completions.create(BODY);
    });

    expect(events).toMatchObject([
      {
        type: 'call-read',
        call: {
          name: 'read_file',
          arguments: { path: 'a.md', lines: 3 },
          format: 'qwen',
          repairs: expect.arrayContaining(['single-quotes', 'tool-name']) as unknown,
        },
      },
    ]);
  });

  it('tells a call that does not fit its schema, and what is wrong with it', async () => {
    const events: MendEvent[] = [];
    const text = '<tool_call>{"name": "read_file", "arguments": {"file": 7}}</tool_call>';

    await withServer({ body: chatBodyOf(text) }, async ({ origin }) => {
      const client = connect(origin, { onEvent: (event) => events.push(event) });
      const { choices } = await client.chat.completions.create(BODY);

      expect(choices[0]?.message.tool_calls).toHaveLength(1);
    });
    expect(events[0]).toMatchObject({
      call: { problem: expect.stringContaining('path is missing') as unknown },
    });
  });

  it('reads an answer once, however often the client is wrapped', async () => {
    let times = 0;
    const onEvent = (): void => {
      times++;
    };

    await withServer({ body: chatBodyOf(WRITTEN_CALL) }, async ({ origin }) => {
      const twice = wrapOpenAI(connect(origin, { onEvent }), { onEvent });
      await twice.withOptions({ timeout: 5_000 }).chat.completions.create(BODY);
    });
    expect(times).toBe(1);
  });

  it('passes the words of an upstream that fails in the middle', async () => {
    const body = `${chatEvents([{ content: 'Let me ' }], { finishReason: null, done: false, usage: false })}data: {"error": {"message": "out of memory"}}\n\n`;

    await withServer({ body }, async ({ origin }) => {
      const asked = connect(origin).chat.completions.stream(BODY).finalChatCompletion();
      await expect(asked).rejects.toThrow('out of memory');
    });
  });

  it('refuses options and clients that cannot work', () => {
    const client = new OpenAI({ apiKey: 'local' });

    expect(() => wrapOpenAI(client, { reasoning: 'hidden' as 'text' })).toThrow(
      "wrapOpenAI.reasoning: expected 'separate' or 'text', got \"hidden\"",
    );
    expect(() => wrapOpenAI(client, { advice: { maxMessages: 0 } })).toThrow('maxMessages');
    expect(() => wrapOpenAI({} as OpenAI)).toThrow('a client with `withOptions`');
  });
});
