import { wrapAnthropic } from '@holdfast/core/anthropic';
import { wrapOpenAI } from '@holdfast/core/openai';
import type { Fetch } from '@holdfast/core/openai';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problemsOf } from '../packages/gateway/src/proxy/chat/check-chat-stream.case.ts';
import { seeStream } from '../packages/gateway/src/proxy/messages/messages-stream.case.ts';
import { checkResponsesStream } from '../packages/gateway/src/proxy/responses/check-responses-stream.case.ts';
import { SAMPLE_TOOLS, sampleCalls } from './support/sample-calls.ts';
import { textAnswer } from './support/scripted-model.ts';
import type { Protocol } from './support/scripted-model.ts';

/** As much of a client as is wrapped. */
interface Client {
  readonly fetch: Fetch;
  withOptions(options: { readonly fetch: Fetch }): Client;
}

const clientOf = (fetch: Fetch): Client => ({
  fetch,
  withOptions: (options) => clientOf(options.fetch),
});

const functions = SAMPLE_TOOLS.map(({ function: tool }) => tool);
const PROTOCOLS: Readonly<Record<Protocol, { path: string; tools: readonly object[] }>> = {
  chat: { path: '/v1/chat/completions', tools: SAMPLE_TOOLS },
  responses: {
    path: '/v1/responses',
    tools: functions.map((tool) => ({ type: 'function', ...tool })),
  },
  messages: {
    path: '/v1/messages',
    tools: functions.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
  },
};

/** What a client reads where a server sends `body` in pieces of so many bytes. */
async function mended(protocol: Protocol, body: string, bytes: number): Promise<string> {
  const wrap = protocol === 'messages' ? wrapAnthropic : wrapOpenAI;
  const type = body.startsWith('{') ? 'application/json' : 'text/event-stream';
  const server: Fetch = () =>
    Promise.resolve(new Response(inPieces(body, bytes), { headers: { 'content-type': type } }));
  const { path, tools } = PROTOCOLS[protocol];
  const asked = { method: 'POST', body: JSON.stringify({ model: 'local', tools }) };
  const answer = await wrap(clientOf(server)).fetch(`http://localhost${path}`, asked);
  return answer.text();
}

function inPieces(body: string, size: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(body);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

/** What an answer says, whichever way it was sent: texts and reasoning put together, calls without their ids. */
interface Said {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly string[];
  readonly end: unknown;
}

interface Parsed {
  readonly choices?: readonly {
    readonly delta?: Message;
    readonly message?: Message;
    readonly finish_reason?: string | null;
  }[];
}

interface Message {
  readonly content?: string | null;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly { function: { name: string; arguments: string } }[];
}

function chatSays(answer: string): Said {
  const chunks = answer.startsWith('{')
    ? [answer]
    : answer.split('\n\n').flatMap((line) => (line.startsWith('data: {') ? [line.slice(6)] : []));
  const choices = chunks.flatMap((chunk) => (JSON.parse(chunk) as Parsed).choices ?? []);
  const messages = choices.map(({ delta, message }) => delta ?? message ?? {});
  return {
    text: messages.map(({ content }) => content ?? '').join(''),
    reasoning: messages.map(({ reasoning_content: text }) => text ?? '').join(''),
    calls: messages.flatMap(({ tool_calls: calls = [] }) =>
      calls.map(({ function: { name, arguments: args } }) => `${name} ${args}`),
    ),
    end: choices.findLast(({ finish_reason: finish }) => typeof finish === 'string')?.finish_reason,
  };
}

interface Item {
  readonly type?: unknown;
  readonly name?: unknown;
  readonly arguments?: unknown;
  readonly content?: readonly { readonly text?: string }[];
  readonly summary?: readonly { readonly text?: string }[];
}

function responseSays(answer: string): Said {
  const response = answer.startsWith('{')
    ? (JSON.parse(answer) as Record<string, unknown>)
    : checkResponsesStream(answer).response;
  const output = response['output'] as readonly Item[];
  const texts = (items: Item['content'] = []): string =>
    items.map(({ text = '' }) => text).join('');
  return {
    text: output.map(({ type, content }) => (type === 'message' ? texts(content) : '')).join(''),
    reasoning: output.map(({ summary }) => texts(summary)).join(''),
    calls: output.flatMap(({ type, name, arguments: args }) =>
      type === 'function_call' ? [`${String(name)} ${String(args)}`] : [],
    ),
    end: response['status'],
  };
}

interface Block {
  readonly type?: unknown;
  readonly text?: string;
  readonly thinking?: string;
  readonly name?: unknown;
  readonly input?: unknown;
}

function messageSays(answer: string): Said {
  const streamed = answer.startsWith('{') ? undefined : seeStream(answer);
  const whole = streamed ?? (JSON.parse(answer) as { content: object[]; stop_reason: string });
  const content = whole.content as readonly Block[];
  return {
    text: content.map(({ text = '' }) => text).join(''),
    reasoning: content.map(({ thinking = '' }) => thinking).join(''),
    calls: content.flatMap(({ type, name, input }) =>
      type === 'tool_use' ? [`${String(name)} ${JSON.stringify(input)}`] : [],
    ),
    end: 'stop_reason' in whole ? whole.stop_reason : whole.stopReason,
  };
}

const READERS: Readonly<
  Record<Protocol, { says: (answer: string) => Said; problems: (s: string) => readonly string[] }>
> = {
  chat: { says: chatSays, problems: problemsOf },
  responses: { says: responseSays, problems: (stream) => checkResponsesStream(stream).problems },
  messages: { says: messageSays, problems: (stream) => seeStream(stream).problems },
};

const samples = sampleCalls().map(({ text }) => text);
const piece = fc.oneof(
  fc.constantFrom(...samples),
  fc.constantFrom('<think>Hm.</think>', '<tool_call>', '{"name": "read_file"', '[TOOL_CALL]'),
  fc.constantFrom('Let me see. ', '\n', ' größer 📁 ', '```json\n', '<', '</tool_call>'),
  fc.string({ maxLength: 12 }),
);
const answers = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''));

describe.each(['chat', 'responses', 'messages'] as const)('an answer in %s', (protocol) => {
  const { says, problems } = READERS[protocol];

  it('is a well-formed stream, and says the same however it was cut, and whole', async () => {
    await fc.assert(
      fc.asyncProperty(
        answers,
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(1, 3, 64, 100_000),
        async (text, characters, bytes) => {
          const { stream, body } = textAnswer(protocol, text, characters);
          const streamed = await mended(protocol, stream, bytes);

          expect(problems(streamed)).toEqual([]);
          expect(says(streamed)).toEqual(says(await mended(protocol, body, bytes)));
        },
      ),
    );
  });

  it('comes back to the byte where it is whole and has no call', async () => {
    const { body } = textAnswer(protocol, 'Grüße 日本 <tool_call> {"a": 1}\n');

    expect(await mended(protocol, body, 7)).toBe(body);
  });
});

it('a stream of Chat Completions without a call comes back to the byte', async () => {
  const { stream } = textAnswer('chat', 'Grüße 日本, all is well {"a": 1}\n', 100);

  expect(await mended('chat', stream, 7)).toBe(stream);
});
