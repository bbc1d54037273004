import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askGateway, isFailure } from './support/ask-gateway.ts';
import type { ToldTurn } from './support/ask-gateway.ts';
import { chatBody, chatBodyOf, chatEvents, chatStreamOf } from './support/chat-stream-of.ts';
import { eachAtOnce } from './support/each-at-once.ts';
import { messagesBodyOf, messagesEvents, messagesStreamOf } from './support/messages-stream-of.ts';
import {
  callItem,
  messageItem,
  responsesBodyOf,
  responsesEvents,
  responsesStreamOf,
} from './support/responses-stream-of.ts';
import type { ResponsesItem } from './support/responses-stream-of.ts';
import { SAMPLE_TOOLS } from './support/sample-calls.ts';
import type { ScriptedAnswer } from './support/scripted-answer.ts';
import type { Protocol } from './support/scripted-model.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import type { ScriptedUpstream } from './support/scripted-upstream.ts';
import { startGateway } from './support/start-gateway.ts';
import { NEVER_OPENS } from './support/never-opens.ts';
import type { RunningGateway } from './support/start-gateway.ts';

const isFull = process.env['HOLDFAST_FULL'] === '1';
/** Characters in an event. */
const PIECE = isFull ? 4 : 24;
const SAID = 'Ich sehe nach: ';
const CALL = { name: 'read_file', arguments: { path: 'größe 📁.md', lines: 3 } };
const WRITTEN = `${SAID}<tool_call>${JSON.stringify(CALL)}</tool_call>`;
const TOOL_USE = {
  type: 'tool_use',
  id: 'toolu_1',
  name: CALL.name,
  input: CALL.arguments,
} as const;
/** Of which an event is known to be over; a connection that is closed says nothing of what came last. */
const LINE_FEEDS = 2;
const FINISH = { chat: 'tool_calls', messages: 'tool_use', responses: 'completed' };

/** An answer with a text and a call, as an upstream gives it. */
interface Recording {
  readonly stream: string;
  readonly body: string;
  /** In the last event of the call. */
  readonly callWords: string;
  /** In the event after which nothing is missing. */
  readonly endWords: string;
}

/** In the normal run every third byte is cut at. */
const STEP = isFull ? 1 : 3;

const chatCall = (json: string): object => ({
  tool_calls: [
    { index: 0, id: 'call_1', type: 'function', function: { name: CALL.name, arguments: json } },
  ],
});
const ARGUMENTS = JSON.stringify(CALL.arguments);

const chatWords = { callWords: '"finish_reason":null', endWords: '"finish_reason":"' };
const messagesWords = { callWords: '"content_block_delta"', endWords: '"message_delta"' };

const RECORDINGS: Readonly<Record<Protocol, Readonly<Record<'text' | 'native', Recording>>>> = {
  chat: {
    text: {
      stream: chatStreamOf(WRITTEN, { cut: PIECE }),
      body: chatBodyOf(WRITTEN),
      ...chatWords,
    },
    native: {
      stream: chatEvents(
        [
          { role: 'assistant', content: SAID },
          chatCall(''),
          { tool_calls: [{ index: 0, function: { arguments: ARGUMENTS.slice(0, 12) } }] },
          { tool_calls: [{ index: 0, function: { arguments: ARGUMENTS.slice(12) } }] },
        ],
        { finishReason: 'tool_calls' },
      ),
      body: chatBody({ role: 'assistant', content: SAID, ...chatCall(ARGUMENTS) }, 'tool_calls'),
      ...chatWords,
    },
  },
  messages: {
    text: {
      stream: messagesStreamOf(messagesEvents([{ type: 'text', text: WRITTEN }], { cut: PIECE })),
      body: messagesBodyOf([{ type: 'text', text: WRITTEN }]),
      ...messagesWords,
    },
    native: {
      stream: messagesStreamOf(
        messagesEvents([{ type: 'text', text: SAID }, TOOL_USE], {
          stopReason: 'tool_use',
          cut: PIECE,
        }),
      ),
      body: messagesBodyOf([{ type: 'text', text: SAID }, TOOL_USE], 'tool_use'),
      ...messagesWords,
    },
  },
  responses: {
    text: responsesRecording('response.output_text.delta', [messageItem(WRITTEN)]),
    native: responsesRecording('response.output_item.done', [
      messageItem(SAID),
      callItem('call_1', CALL),
    ]),
  },
};

function responsesRecording(callEvent: string, items: readonly ResponsesItem[]): Recording {
  return {
    stream: responsesStreamOf(responsesEvents(items, { cut: PIECE })),
    body: responsesBodyOf(items),
    callWords: `"${callEvent}"`,
    endWords: '"response.completed"',
  };
}

const CASES = (['text', 'native'] as const).flatMap((call) => [
  { client: 'chat', upstream: 'chat', call, then: 'end' } as const,
  { client: 'messages', upstream: 'chat', call, then: 'close' } as const,
  { client: 'messages', upstream: 'messages', call, then: 'end' } as const,
  { client: 'responses', upstream: 'chat', call, then: 'close' } as const,
  { client: 'responses', upstream: 'responses', call, then: 'end' } as const,
]);
const OTHER_ENDINGS = CASES.map((each) => ({
  ...each,
  then: each.then === 'end' ? ('close' as const) : ('end' as const),
}));

describe('an answer that is cut, at every byte of it', { timeout: 180_000 }, () => {
  const answers = new Map<string, ScriptedAnswer>();
  const tools = SAMPLE_TOOLS.map(({ function: tool }) => tool);
  let upstream: ScriptedUpstream;
  let gateway: RunningGateway;

  beforeAll(async () => {
    upstream = await startScriptedUpstream(({ json }) =>
      answers.get((json as { readonly model: string }).model)!,
    );
    const { url } = upstream;
    const circuit = NEVER_OPENS;
    gateway = await startGateway({
      upstreams: [
        { name: 'messages', url, protocols: ['messages'], models: ['messages-*'], circuit },
        { name: 'responses', url, protocols: ['responses'], models: ['responses-*'], circuit },
        { name: 'chat', url, circuit },
      ],
      // Nothing is asked again: each answer is looked at.
      proxy: { retry: { maxAttempts: 1 } },
      log: { level: 'error' },
    });
  }, 60_000);

  afterAll(async () => {
    await Promise.all([upstream.close(), gateway.close()]);
  });

  function ask(
    client: Protocol,
    upstreamProtocol: Protocol,
    answer: ScriptedAnswer,
    stream: boolean,
  ): Promise<ToldTurn> {
    const model = `${upstreamProtocol}-${answers.size}`;
    answers.set(model, answer);
    return askGateway(gateway.url, { protocol: client, model, tools, stream });
  }

  test.for(isFull ? [...CASES, ...OTHER_ENDINGS] : CASES)(
    'tells no call early and no end: a $call call for $client from $upstream, $then',
    async ({ client, upstream: spoken, call, then }) => {
      const { stream: body, callWords, endWords } = RECORDINGS[spoken][call];
      const callEnds = endOfEvent(body, callWords);
      const turnEnds = endOfEvent(body, endWords);
      const wrong: unknown[] = [];
      await eachAtOnce(Math.ceil(Buffer.byteLength(body) / STEP) + 1, async (at) => {
        const stopAt = at * STEP;
        // A thousand failures in a row open any circuit, and behind it nothing would be tried.
        if (at % 200 === 0) await ask(client, spoken, { body }, true);
        const told = await ask(client, spoken, { body, stopAt, then }, true);
        const isRight =
          told.status !== 503 &&
          (stopAt < turnEnds
            ? isFailure(told) && told.calls.length <= (stopAt < callEnds ? 0 : 1)
            : isWhole(client, told) || (stopAt < turnEnds + LINE_FEEDS && isFailure(told)));
        if (!isRight || !isPart(told)) wrong.push({ stopAt, told });
      });
      expect(wrong.slice(0, 3)).toEqual([]);
      expect(isWhole(client, await ask(client, spoken, { body }, true))).toBe(true);
    },
  );

  test.for(CASES)(
    'tells nothing of a whole answer: a $call call for $client from $upstream',
    async ({ client, upstream: spoken, call }) => {
      const { body } = RECORDINGS[spoken][call];
      const wrong: unknown[] = [];
      await eachAtOnce(Math.floor(Buffer.byteLength(body) / STEP), async (at) => {
        const stopAt = at * STEP;
        if (at % 200 === 0) await ask(client, spoken, { body }, false);
        const told = await ask(client, spoken, { body, stopAt }, false);
        if (told.status === 503 || !isFailure(told) || told.calls.length > 0 || told.text !== '')
          wrong.push({ stopAt, told });
      });
      expect(wrong.slice(0, 3)).toEqual([]);
      expect(isWhole(client, await ask(client, spoken, { body }, false))).toBe(true);
    },
  );
});

const isCall = (calls: ToldTurn['calls']): boolean =>
  JSON.stringify(calls) === JSON.stringify([CALL]);

const isWhole = (client: Protocol, { text, calls, finish, isDone, error }: ToldTurn): boolean =>
  text === SAID && isCall(calls) && finish === FINISH[client] && isDone && error === undefined;

/** What is told of a part is part of what was written: a call that has no end is the text it was. */
const isPart = ({ text, calls }: ToldTurn): boolean =>
  calls.length === 0 ? WRITTEN.startsWith(text) : text === SAID && isCall(calls);

/** The byte from which on the last event with these words is complete. */
function endOfEvent(body: string, words: string): number {
  const end = body.indexOf('\n\n', body.lastIndexOf(words));
  return Buffer.byteLength(body.slice(0, end));
}
