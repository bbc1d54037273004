import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eachAtOnce } from '../support/each-at-once.ts';
import { sampleCases } from '../support/model-cases.ts';
import { SAMPLE_TOOLS } from '../support/sample-calls.ts';
import { textAnswer } from '../support/scripted-model.ts';
import type { Protocol } from '../support/scripted-model.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { ScriptedUpstream } from '../support/scripted-upstream.ts';
import { differs } from './adapter-suite.case.ts';
import { AI_SDK_CLIENTS } from './ai-sdk-clients.ts';
import { MESSAGES_CLIENTS } from './anthropic-clients.ts';
import { Conversation } from './conversation.ts';
import type { Seen } from './conversation.ts';
import {
  LANGCHAIN_ANTHROPIC_CLIENTS,
  LANGCHAIN_CLIENTS,
  LANGCHAIN_RESPONSES_CLIENTS,
} from './langchain-clients.ts';
import { CHAT_CLIENTS, RESPONSES_CLIENTS } from './openai-clients.ts';

const isFull = process.env['HOLDFAST_FULL'] === '1';
const tools = SAMPLE_TOOLS.map(({ function: tool }) => tool);

const SDKS: readonly {
  readonly sdk: string;
  readonly protocol: Protocol;
  readonly clients: typeof CHAT_CLIENTS;
}[] = [
  { sdk: 'OpenAI', protocol: 'chat', clients: CHAT_CLIENTS },
  { sdk: 'OpenAI, in Responses', protocol: 'responses', clients: RESPONSES_CLIENTS },
  { sdk: 'Anthropic', protocol: 'messages', clients: MESSAGES_CLIENTS },
  { sdk: 'the AI SDK', protocol: 'chat', clients: AI_SDK_CLIENTS },
  { sdk: 'LangChain', protocol: 'chat', clients: LANGCHAIN_CLIENTS },
  { sdk: 'LangChain, in Responses', protocol: 'responses', clients: LANGCHAIN_RESPONSES_CLIENTS },
  { sdk: 'LangChain, in Messages', protocol: 'messages', clients: LANGCHAIN_ANTHROPIC_CLIENTS },
];

const streamed = SDKS.flatMap(({ clients, ...sdk }) =>
  clients
    .filter(([, , streams]) => streams)
    .map(([name, run]) => ({ ...sdk, name, run }))
    .slice(0, isFull ? undefined : 1),
);

const DIALECTS = isFull ? ['qwen', 'qwen3-coder', 'deepseek-v3.1', 'pythonic'] : ['qwen3-coder'];

describe.each(DIALECTS)('an answer in %s that is cut', (dialect) => {
  const { written, calls: meant } = sampleCases().find(({ name }) => name === `sample ${dialect}`)!;
  let upstream: ScriptedUpstream;

  beforeAll(async () => {
    upstream = await startScriptedUpstream({ body: '' });
  });

  afterAll(() => upstream.close());

  /** A conversation whose first answer ends after so many bytes; the model says no more than that. */
  test.for(streamed)('at any byte, runs no half call ($sdk, $name)', async (client) => {
    const { protocol, run } = client;
    const whole = textAnswer(protocol, written, isFull ? 4 : 12).stream;
    const over = textAnswer(protocol, 'I see.').stream;
    const cuts = Array.from({ length: whole.length }, (_, at) => at).filter(
      (at) => isFull || at % 41 === 0,
    );
    upstream.answerWith((request) => {
      const { model } = request.json as { readonly model: string };
      const isFirst = !request.body.includes('result 1 of') && !request.body.includes('Invalid');
      const stopAt = Number(model.split(' ').at(-1));
      const headers = { connection: 'close' };
      return isFirst ? { body: whole, stopAt, headers } : { body: over, headers };
    });
    const wrong: unknown[] = [];

    await eachAtOnce(cuts.length, async (index) => {
      const conversation = new Conversation();
      const model = `cut at ${cuts[index]!}`;
      try {
        await run({ url: upstream.origin, model, tools }, conversation);
      } catch (error) {
        conversation.fail(error);
      }
      if (!isHonest(conversation.seen, meant, client.sdk))
        wrong.push({ model, seen: conversation.seen });
    });

    expect(wrong).toEqual([]);
  });
});

/**
 * Only the call as it was meant ran, or none, which is no success then. The AI SDK makes no error of that, and
 * LangChain none of a text that has no end, as long as no call has begun in it.
 */
function isHonest({ turns, calls, error }: Seen, meant: Seen['calls'], sdk: string): boolean {
  if (calls.length > 0) return !differs(calls, meant);
  if (sdk.startsWith('LangChain') && turns.length > 0)
    return turns.every(({ text }) => !text.includes('read_file'));
  if (sdk !== 'the AI SDK') return error !== undefined;
  return turns.every(({ finish }) => finish !== 'tool-calls' && finish !== 'stop');
}
