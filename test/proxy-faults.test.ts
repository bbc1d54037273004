import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askGateway, isFailure, sendTo } from './support/ask-gateway.ts';
import type { ToldTurn } from './support/ask-gateway.ts';
import { chatStreamOf } from './support/chat-stream-of.ts';
import { NEVER_OPENS } from './support/never-opens.ts';
import { SAMPLE_TOOLS } from './support/sample-calls.ts';
import { errorAnswer, htmlAnswer } from './support/scripted-answer.ts';
import type { ScriptedAnswer } from './support/scripted-answer.ts';
import type { Protocol } from './support/scripted-model.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import type { RecordedRequest, ScriptedUpstream } from './support/scripted-upstream.ts';
import { startGateway } from './support/start-gateway.ts';
import type { RunningGateway } from './support/start-gateway.ts';

const PROTOCOLS: readonly Protocol[] = ['chat', 'messages', 'responses'];
const WORDS = {
  chat: { calls: 'tool_calls', stop: 'stop' },
  messages: { calls: 'tool_use', stop: 'end_turn' },
  responses: { calls: 'completed', stop: 'completed' },
};
const tools = SAMPLE_TOOLS.map(({ function: tool }) => tool);
const CALL = { name: 'read_file', arguments: { path: 'größe 📁.md', lines: 3 } };
const SAID = 'Ich sehe nach: ';
const WRITTEN = `${SAID}<tool_call>${JSON.stringify(CALL)}</tool_call>`;
/** Short enough for a test, long enough for a busy machine. */
const IDLE_MS = 400;

describe('the proxy in front of an upstream that fails', { timeout: 120_000 }, () => {
  const answers = new Map<string, ScriptedAnswer>();
  const requests = new Map<string, RecordedRequest>();
  let upstream: ScriptedUpstream;
  let gateway: RunningGateway;
  let models = 0;

  beforeAll(async () => {
    upstream = await startScriptedUpstream((request) => {
      const { model } = request.json as { readonly model: string };
      requests.set(model, request);
      return answers.get(model)!;
    });
    const closed = await closedPort();
    const circuit = NEVER_OPENS;
    gateway = await startGateway({
      upstreams: [
        { name: 'nobody', url: `http://127.0.0.1:${closed}/v1`, models: ['nobody'], circuit },
        {
          name: 'impatient',
          url: upstream.url,
          models: ['stalls-*'],
          firstByteTimeoutMs: IDLE_MS,
          idleTimeoutMs: IDLE_MS,
          circuit,
        },
        { name: 'scripted', url: upstream.url, circuit },
      ],
      // Nothing is asked again: each answer is looked at.
      proxy: { retry: { maxAttempts: 1 } },
      log: { level: 'error' },
    });
  }, 60_000);

  afterAll(async () => {
    await Promise.all([upstream.close(), gateway.close()]);
  });

  /** What a client is told when the upstream answers like this. */
  function ask(protocol: Protocol, answer: ScriptedAnswer, stream = true): Promise<ToldTurn> {
    return askGateway(gateway.url, { protocol, model: script(answer), tools, stream });
  }

  function script(answer: ScriptedAnswer, kind = 'model'): string {
    const model = `${kind}-${models++}`;
    answers.set(model, answer);
    return model;
  }

  const isWhole = (protocol: Protocol, { text, calls, finish, isDone, error }: ToldTurn): boolean =>
    text === SAID &&
    JSON.stringify(calls) === JSON.stringify([CALL]) &&
    finish === WORDS[protocol].calls &&
    isDone &&
    error === undefined;

  describe.each(PROTOCOLS)('asked in %s', (protocol) => {
    test.each([
      ['before it says anything', { body: '', silentMs: 30_000 }],
      ['before its first event', { body: ': wait\n\n', then: 'stall' }],
      ['in a text', { body: chatStreamOf(WRITTEN, { cut: 4 }), stopAt: 500, then: 'stall' }],
      ['in a call', { body: chatStreamOf(WRITTEN, { cut: 4 }), stopAt: 2500, then: 'stall' }],
    ] as const)('gives up an upstream that stalls %s', async (_, answer) => {
      const model = script(answer, 'stalls');
      const told = await askGateway(gateway.url, { protocol, model, tools, stream: true });

      expect(told).toSatisfy(isFailure);
      expect(told.calls).toEqual([]);
      expect(told.error?.message).toContain('impatient');
      await requests.get(model)!.over;
    });

    test('says so when the connection is reset', async () => {
      const body = chatStreamOf(WRITTEN, { cut: 4 });
      for (const stopAt of [0, 500, 2500]) {
        const told = await ask(protocol, { body, stopAt, then: 'reset' });
        expect(told).toSatisfy(isFailure);
        expect(told.calls).toEqual([]);
      }
    });

    test('says so when nobody listens there', async () => {
      const told = await askGateway(gateway.url, {
        protocol,
        model: 'nobody',
        tools,
        stream: true,
      });

      expect(told.status).toBe(502);
      expect(told.error?.message).toContain('nobody');
      expect(told.error?.message).toContain('refused');
    });

    test.each([
      ['a page', htmlAnswer],
      ['nothing', { body: '' }],
      ['no JSON', { body: 'data: {"choices": [}\n\n' }],
      ['JSON of another kind', { body: '[1, 2, 3]' }],
      [
        'bytes of no meaning',
        { body: Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 197) % 256)) },
      ],
      [
        'a stream without an end',
        { body: chatStreamOf(SAID, { done: false }).split('\n\n').slice(0, 2).join('\n\n') },
      ],
    ] as const)('makes an error of %s', async (_, answer) => {
      for (const stream of [true, false]) {
        const told = await ask(protocol, answer, stream);
        expect(told).toSatisfy(isFailure);
        expect(told.calls).toEqual([]);
      }
    });

    test.each([
      [429, { 'retry-after': '7' }, '7'],
      [500, {}, null],
      [503, { 'retry-after': '2' }, '2'],
    ] as const)('passes on %i and how long to wait', async (status, headers, wait) => {
      for (const stream of [true, false]) {
        const told = await ask(protocol, errorAnswer(status, headers, 'the reason'), stream);
        expect(told.status).toBe(status);
        expect(told.headers.get('retry-after')).toBe(wait);
        expect(told.error?.message).toContain('the reason');
      }
    });

    test.each([1, 2, 3, 5, 7] as const)(
      'reads characters that are cut apart, %i bytes at a time',
      async (cut) => {
        const told = await ask(protocol, { body: chatStreamOf(WRITTEN), cut });
        expect(told).toSatisfy((each: ToldTurn) => isWhole(protocol, each));
      },
    );

    test('survives bytes that are no characters', async () => {
      const [before, after] = chatStreamOf('Half a character: @.').split('@');
      const body = Buffer.concat([
        Buffer.from(before!),
        Buffer.from([0xe2, 0x82]),
        Buffer.from(after!),
      ]);
      const told = await ask(protocol, { body });

      expect(told.text).toBe('Half a character: \ufffd.');
      expect(told.finish).toBe(WORDS[protocol].stop);
    });

    test('lets the upstream go when the client has gone', async () => {
      const model = script({
        body: chatStreamOf(SAID.repeat(20), { cut: 8 }),
        cut: 64,
        pauseMs: 20,
      });
      const controller = new AbortController();
      const { signal } = controller;
      const response = await sendTo(gateway.url, { protocol, model, tools, stream: true, signal });
      await response.body!.getReader().read();
      controller.abort();
      await requests.get(model)!.over;

      expect(requests.get(model)!.aborted).toBe(true);
    });

    test('holds back an upstream whose client reads slowly', async () => {
      const [start, words] = chatStreamOf('word '.repeat(400)).split('\n\n');
      const body = `${start!}\n\n${`${words!}\n\n`.repeat(50_000)}`;
      const model = script({ body, cut: 1 << 16 });
      const before = residentBytes(gateway.pid);
      const response = await sendTo(gateway.url, { protocol, model, tools, stream: true });
      const reader = response.body!.getReader();
      await reader.read();
      let isOver = false;
      void requests.get(model)!.over.then(() => (isOver = true));
      await sleep(1500);

      expect(isOver).toBe(false);
      expect(residentBytes(gateway.pid) - before).toBeLessThan(64 << 20);
      await reader.cancel();
      await requests.get(model)!.over;
    });

    test('keeps 500 streams apart', async () => {
      const numbers = Array.from({ length: 500 }, (_, number) => number);
      const wrong = await Promise.all(
        numbers.map(async (number) => {
          const call = { name: 'read_file', arguments: { path: `file ${number}`, lines: number } };
          const written = `Number ${number}: <tool_call>${JSON.stringify(call)}</tool_call>`;
          const body = chatStreamOf(written, { cut: (number % 9) + 1 });
          const told = await ask(protocol, { body, cut: 512 });
          const seen = { text: told.text, calls: told.calls, finish: told.finish };
          const wanted = {
            text: `Number ${number}: `,
            calls: [call],
            finish: WORDS[protocol].calls,
          };
          return JSON.stringify(seen) === JSON.stringify(wanted) ? [] : [{ told, wanted }];
        }),
      );
      expect(wrong.flat().slice(0, 3)).toEqual([]);
    });

    test('still answers after all of this', async () => {
      const told = await ask(protocol, { body: chatStreamOf(WRITTEN) });
      expect(told).toSatisfy((each: ToldTurn) => isWhole(protocol, each));
    });
  });
});

/** A port of the loopback address where nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** What a process keeps in memory, where that is told; 0 elsewhere. */
function residentBytes(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const line = status.split('\n').find((each) => each.startsWith('VmRSS:'))!;
  const kilobytes = line.slice('VmRSS:'.length).trim().split(' ')[0];
  return Number(kilobytes) * 1024;
}
