import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { askGateway, isFailure } from './support/ask-gateway.ts';
import type { ToldTurn } from './support/ask-gateway.ts';
import { chatBodyOf, chatStreamOf } from './support/chat-stream-of.ts';
import { startGatewayHere } from './support/gateway-here.ts';
import { messagesEvents, messagesStreamOf } from './support/messages-stream-of.ts';
import { messageItem, responsesEvents, responsesStreamOf } from './support/responses-stream-of.ts';
import type { Protocol } from './support/scripted-model.ts';

const MINUTE = 60_000;
const COMMENTS = [': OPENROUTER PROCESSING\n\n', '\n', '\n\n', ':\n'];

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const named = (type: string, fields: object): string =>
  `event: ${type}\n${event({ type, ...fields })}`;
const chatDelta = (delta: object): string =>
  event({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta }] });
const messagesDelta = (delta: object): string => named('content_block_delta', { index: 0, delta });
const responsesDelta = (delta: string): string =>
  named('response.output_text.delta', {
    item_id: 'msg_1',
    output_index: 0,
    content_index: 0,
    delta,
  });

/** What servers send while there is nothing to say, and an answer of each protocol. */
const SAYS: Readonly<
  Record<Protocol, { readonly idle: readonly string[]; readonly answer: string }>
> = {
  chat: {
    idle: [
      chatDelta({}),
      chatDelta({ role: 'assistant', content: '' }),
      chatDelta({ content: ' ' }),
      chatDelta({ reasoning_content: '\n' }),
      chatDelta({ refusal: '' }),
      event({ id: 'c', object: 'chat.completion.chunk', choices: [] }),
    ],
    answer: chatStreamOf('Here it is.'),
  },
  messages: {
    idle: [
      named('ping', {}),
      messagesDelta({ type: 'text_delta', text: '' }),
      messagesDelta({ type: 'text_delta', text: '\n' }),
      messagesDelta({ type: 'thinking_delta', thinking: '' }),
      messagesDelta({ type: 'signature_delta', signature: '' }),
    ],
    answer: messagesStreamOf(messagesEvents([{ type: 'text', text: 'Here it is.' }])),
  },
  responses: {
    idle: [
      event({ type: 'keepalive', sequence_number: 3 }),
      named('ping', {}),
      responsesDelta(''),
      responsesDelta('\n'),
    ],
    answer: responsesStreamOf(responsesEvents([messageItem('Here it is.')])),
  },
};
const PROTOCOLS = Object.keys(SAYS) as Protocol[];

/** An upstream whose response is written by hand, and a client that waits for it. */
class Scene {
  readonly clock = new ManualClock();
  ended: ToldTurn | undefined;
  #response: ServerResponse | undefined;
  #isGone = false;

  static async of(
    protocol: Protocol,
    { stream = true, type = 'text/event-stream' } = {},
  ): Promise<Scene> {
    const scene = new Scene();
    const upstream = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': type });
      response.flushHeaders();
      response.on('close', () => (scene.#isGone = true));
      scene.#response = response;
    });
    upstream.listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
    const gateway = await startGatewayHere(
      {
        upstreams: [{ name: 'idle', url, protocols: [protocol] }],
        proxy: { retry: { maxAttempts: 1 } },
      },
      { clock: scene.clock },
    );
    onTestFinished(async () => {
      upstream.closeAllConnections();
      upstream.close();
      await gateway.close();
    });
    void askGateway(gateway.url, { protocol, model: 'm', tools: [], stream }).then(
      (told) => (scene.ended = told),
    );
    await scene.until(() => scene.#response !== undefined);
    return scene;
  }

  /** Sends what a server sends while it has nothing to say, and lets the gateway read it. */
  async idle(texts: readonly string[]): Promise<void> {
    await this.send([...COMMENTS, ...texts].join(''));
  }

  async send(text: string): Promise<void> {
    this.#response?.write(text);
    for (let turn = 0; turn < 20; turn++) await nextTurn();
  }

  /** So many minutes, with a sign of life in each. */
  async minutes(count: number, texts: readonly string[]): Promise<void> {
    for (let minute = 0; minute < count; minute++) {
      await this.idle(texts);
      await this.clock.advance(MINUTE);
    }
  }

  async finish(answer: string): Promise<ToldTurn> {
    this.#response?.end(answer);
    return this.end();
  }

  async end(): Promise<ToldTurn> {
    await this.until(() => this.ended !== undefined);
    return this.ended!;
  }

  async upstreamIsFree(): Promise<void> {
    await this.until(() => this.#isGone);
  }

  async until(isSo: () => boolean): Promise<void> {
    for (const started = Date.now(); !isSo();) {
      if (Date.now() - started > 5000) throw new Error('it did not come to that within 5 s');
      await nextTurn();
      await this.clock.advance(0);
    }
  }
}

describe.each(PROTOCOLS)('a stream of keep-alives from an upstream of %s', (protocol) => {
  const { idle, answer } = SAYS[protocol];

  async function expectEndInOneMinute(scene: Scene, message: string): Promise<void> {
    await scene.idle(idle);
    await scene.clock.advance(MINUTE - 1);
    expect(scene.ended).toBeUndefined();
    await scene.clock.advance(1);
    const turn = await scene.end();

    expect(turn).toSatisfy(isFailure);
    expect(turn.error?.message).toContain(message);
    await scene.upstreamIsFree();
  }

  test('of 9 minutes before the first token succeeds', async () => {
    const scene = await Scene.of(protocol);
    await scene.minutes(9, idle);
    const told = await scene.finish(answer);

    expect([told.error, told.text.trim(), told.isDone]).toEqual([undefined, 'Here it is.', true]);
  });

  test('ends after 10 minutes without content', async () => {
    const scene = await Scene.of(protocol);
    await scene.minutes(9, idle);
    await expectEndInOneMinute(scene, 'sent no content in time (600000 ms)');
  });

  test('ends 5 minutes after the last content', async () => {
    const scene = await Scene.of(protocol);
    const half = answer.slice(0, answer.indexOf('Here it is.') + 'Here it is.'.length);
    await scene.send(answer.slice(0, answer.indexOf('\n\n', half.length) + 2));
    await scene.minutes(4, idle);
    await expectEndInOneMinute(scene, 'sent no more content (300000 ms)');
  });

  test('ends after 10 minutes for a client that does not stream', async () => {
    const scene = await Scene.of(protocol, { stream: false });
    await scene.minutes(10, idle);
    const told = await scene.end();

    expect(told).toSatisfy(isFailure);
    expect(told.error?.message).toContain('sent no content in time (600000 ms)');
  });
});

describe.each([
  ['chat', 'text', chatDelta({ content: 'word ' })],
  ['chat', 'reasoning', chatDelta({ reasoning_content: 'hm ' })],
  [
    'chat',
    'a call fragment',
    chatDelta({ tool_calls: [{ index: 0, function: { name: 'f', arguments: '{' } }] }),
  ],
  ['chat', 'usage', event({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } })],
  [
    'chat',
    'the progress of a prompt',
    event({ choices: [], prompt_progress: { total: 9, processed: 3 } }),
  ],
  ['messages', 'thinking', messagesDelta({ type: 'thinking_delta', thinking: 'hm' })],
  ['messages', 'a call fragment', messagesDelta({ type: 'input_json_delta', partial_json: '{' })],
  [
    'messages',
    'a search of the provider',
    named('content_block_start', {
      index: 0,
      content_block: { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
    }),
  ],
  [
    'responses',
    'a response in progress',
    named('response.in_progress', { response: { id: 'r', status: 'in_progress' } }),
  ],
  [
    'responses',
    'reasoning',
    named('response.reasoning_summary_text.delta', {
      item_id: 'rs',
      output_index: 0,
      summary_index: 0,
      delta: 'hm',
    }),
  ],
] as const)('in %s, %s', (protocol, _, content) => {
  test('is content: 5 minutes begin again', async () => {
    const scene = await Scene.of(protocol);
    // Fifteen minutes with something to say in each fourth.
    for (let times = 0; times < 4; times++) {
      await scene.send(content);
      await scene.minutes(4, COMMENTS);
    }
    expect(scene.ended).toBeUndefined();
    await scene.minutes(1, COMMENTS);

    expect((await scene.end()).error?.message).toContain('sent no more content (300000 ms)');
  });
});

describe('a response that is no stream', () => {
  const type = 'application/json';

  const blankLines = async (scene: Scene, minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute++) {
      await scene.send(' \r\n');
      await scene.clock.advance(MINUTE);
    }
  };

  test('is complete after 9 minutes of blank lines', async () => {
    const scene = await Scene.of('chat', { stream: false, type });
    await blankLines(scene, 9);
    const told = await scene.finish(chatBodyOf('Here it is.'));

    expect([told.status, told.text]).toEqual([200, 'Here it is.']);
  });

  test('ends after 10 minutes of blank lines', async () => {
    const scene = await Scene.of('chat', { stream: false, type });
    await blankLines(scene, 10);

    expect((await scene.end()).error?.message).toContain('sent no content in time (600000 ms)');
  });
});
