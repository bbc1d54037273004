import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askGateway } from './support/ask-gateway.ts';
import { chatBody, chatEvents } from './support/chat-stream-of.ts';
import { startGatewayHere } from './support/gateway-here.ts';
import type { GatewayHere } from './support/gateway-here.ts';
import { messagesBodyOf, messagesEvents, messagesStreamOf } from './support/messages-stream-of.ts';
import {
  callItem,
  messageItem,
  responsesBodyOf,
  responsesEvents,
  responsesStreamOf,
} from './support/responses-stream-of.ts';
import { protocolOf, textAnswer } from './support/scripted-model.ts';
import type { ModelAnswer, Protocol } from './support/scripted-model.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import type { ScriptedUpstream } from './support/scripted-upstream.ts';

const tools = [{ name: 'now', parameters: { type: 'object', properties: {} } }];
const CALL = '<tool_call>{"name": "now", "arguments": {}}</tool_call>';
const PROTOCOLS: readonly Protocol[] = ['chat', 'messages', 'responses'];
const CASES = PROTOCOLS.flatMap((protocol) =>
  (['own', 'chat'] as const).flatMap((target) =>
    [true, false].map((stream) => ({ protocol, target, stream })),
  ),
);

/** Native calls with blank text before, between and after them. */
function nativeAnswer(protocol: Protocol): ModelAnswer {
  const blank = '\n\n';
  if (protocol === 'messages') {
    const text = { type: 'text', text: blank } as const;
    const call = (id: string) => ({ type: 'tool_use', id, name: 'now', input: {} }) as const;
    const blocks = [text, call('toolu_1'), text, call('toolu_2'), text];
    const stream = messagesStreamOf(messagesEvents(blocks, { stopReason: 'tool_use' }));
    return { body: messagesBodyOf(blocks, 'tool_use'), stream };
  }
  if (protocol === 'responses') {
    const call = (id: string): ReturnType<typeof callItem> =>
      callItem(id, { name: 'now', arguments: {} });
    const items = [
      messageItem(blank, 'msg_1'),
      call('call_1'),
      messageItem(blank, 'msg_2'),
      call('call_2'),
      messageItem(blank, 'msg_3'),
    ];
    return {
      body: responsesBodyOf(items),
      stream: responsesStreamOf(responsesEvents(items)),
    };
  }
  const call = (index: number): object => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name: 'now', arguments: '{}' },
  });
  const parts = [{ content: blank }, { tool_calls: [call(0)] }, { content: blank }];
  const deltas = [...parts, { tool_calls: [call(1)] }, { content: blank }];
  const message = { role: 'assistant', content: blank, tool_calls: [call(0), call(1)] };
  return {
    body: chatBody(message, 'tool_calls'),
    stream: chatEvents(deltas, { finishReason: 'tool_calls' }),
  };
}

describe.each(CASES)('blank text sent to $protocol from $target (stream $stream)', (one) => {
  let upstream: ScriptedUpstream;
  let gateway: GatewayHere;
  let answer: (protocol: Protocol) => ModelAnswer;

  beforeAll(async () => {
    upstream = await startScriptedUpstream(({ path, json }) => {
      const { stream } = json as { readonly stream?: boolean };
      const said = answer(protocolOf(path));
      return { body: stream === true ? said.stream : said.body };
    });
    gateway = await startGatewayHere({
      upstreams: [
        { name: 'own', url: upstream.url, models: ['own'], protocols: PROTOCOLS },
        { name: 'chat', url: upstream.url },
      ],
    });
  });

  afterAll(() => Promise.all([upstream.close(), gateway.close()]));

  async function ask(said: typeof answer): Promise<{ text: string; calls: number }> {
    answer = said;
    const { protocol, target: model, stream } = one;
    const { text, calls } = await askGateway(gateway.url, { protocol, model, tools, stream });
    return { text, calls: calls.length };
  }
  const write =
    (text: string): typeof answer =>
    (protocol) =>
      textAnswer(protocol, text, 3);

  test('beside calls in text is dropped', async () => {
    expect(await ask(write(`\n${CALL}\n\n${CALL} \n`))).toEqual({ text: '', calls: 2 });
  });

  test('beside native calls is dropped', async () => {
    expect(await ask(nativeAnswer)).toEqual({ text: '', calls: 2 });
  });

  test('stays when other text follows or precedes it', async () => {
    const told = await ask(write(`\n\nLook:\n\n${CALL}\n ${CALL}\n\nDone.\n`));
    expect(told).toEqual({ text: '\n\nLook:\n\n\n\nDone.\n', calls: 2 });
  });

  test('stays when the turn has no call', async () => {
    expect(await ask(write(' \n'))).toEqual({ text: ' \n', calls: 0 });
  });
});
