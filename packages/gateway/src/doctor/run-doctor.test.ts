import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { chatBodyOf, chatStreamOf } from '../../../../test/support/chat-stream-of.ts';
import { errorAnswer, htmlAnswer } from '../../../../test/support/scripted-answer.ts';
import type { ScriptedAnswer } from '../../../../test/support/scripted-answer.ts';
import { startScriptedUpstream } from '../../../../test/support/scripted-upstream.ts';
import type { RecordedRequest } from '../../../../test/support/scripted-upstream.ts';
import type { DoctorReport } from './doctor-report.ts';
import { runDoctor } from './run-doctor.ts';

const CALL = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>';
const models = (...ids: string[]): string =>
  JSON.stringify({ object: 'list', data: ids.map((id) => ({ id, owned_by: 'vllm' })) });

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

interface Server {
  readonly list?: ScriptedAnswer;
  readonly whole?: ScriptedAnswer;
  readonly streamed?: ScriptedAnswer;
  /** To a request without the field `tools`. */
  readonly prompted?: ScriptedAnswer;
  readonly messages?: ScriptedAnswer;
  readonly responses?: ScriptedAnswer;
}

/** Examines a server that answers by script. */
async function examine(
  server: Server,
  options: { readonly model?: string; readonly apiKey?: string; readonly timeoutMs?: number } = {},
): Promise<{ report: DoctorReport; requests: readonly RecordedRequest[] }> {
  const upstream = await startScriptedUpstream(({ path, body }) => {
    const { list, whole, streamed, prompted } = server;
    if (path.endsWith('/models')) return list ?? { body: models('m') };
    if (path.endsWith('/messages')) return server.messages ?? errorAnswer(404);
    if (path.endsWith('/responses')) return server.responses ?? errorAnswer(404);
    if (prompted !== undefined && !body.includes('"tools":')) return prompted;
    const answer = body.includes('"stream":true') ? streamed : whole;
    return answer ?? errorAnswer(500);
  });
  closing.push(() => upstream.close());
  const report = await runDoctor({ url: upstream.url, timeoutMs: 5_000, ports: [], ...options });
  return { report, requests: upstream.requests };
}

const nativeCall = {
  id: 'call_1',
  type: 'function',
  function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
};
const nativeBody = (finish: string): string =>
  JSON.stringify({
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: null, tool_calls: [nativeCall] },
        finish_reason: finish,
      },
    ],
  });

describe('the doctor', () => {
  test('tells that calls arrive as text, and in which dialect', async () => {
    const { report, requests } = await examine({
      whole: { body: chatBodyOf(CALL) },
      streamed: { body: chatStreamOf(CALL, { cut: 4 }) },
    });

    expect(report).toMatchObject({
      verdict: 'text',
      server: 'vLLM, by the owner of its models',
      model: 'm',
      streamed: {
        readBy: 'holdfast',
        isValid: true,
        calls: [{ name: 'get_weather', format: 'qwen' }],
      },
      whole: { readBy: 'holdfast', isValid: true },
    });
    expect(report.summary).toContain('in the dialect qwen');
    expect(report.whole?.explanation.at(-1)).toMatchObject({ parser: 'qwen', decision: 'call' });
    expect(report.commands[0]).toContain('holdfast proxy --upstream http://127.0.0.1:');
    expect(requests.map(({ path }) => path)).toEqual([
      '/v1/models',
      '/v1/chat/completions',
      '/v1/chat/completions',
      '/v1/messages',
      '/v1/responses',
    ]);
  });

  test('tells that the server reads calls itself', async () => {
    const right: ScriptedAnswer = { body: nativeBody('tool_calls') };

    const { report } = await examine({ whole: right, streamed: right });
    expect(report).toMatchObject({
      verdict: 'native',
      whole: { readBy: 'server', mended: [] },
    });
    expect(report.tried[2]?.outcome).toContain('a whole answer all the same');
  });

  test('tells what the server gets wrong', async () => {
    const wrong: ScriptedAnswer = { body: nativeBody('stop') };

    expect((await examine({ whole: wrong, streamed: wrong })).report).toMatchObject({
      verdict: 'mended',
      whole: { mended: ['finish reason (stop)'] },
    });
  });

  test('tells that a model made no call', async () => {
    const { report } = await examine({
      whole: { body: chatBodyOf('It rains.') },
      streamed: { body: chatStreamOf('It rains.') },
    });

    expect(report).toMatchObject({ verdict: 'no-calls', whole: { text: 'It rains.' } });
  });

  test('tells what a server said that takes no tools', async () => {
    const refusal = errorAnswer(400, {}, 'm does not support tools');

    const { report, requests } = await examine({
      whole: refusal,
      streamed: refusal,
      prompted: { body: chatBodyOf(CALL) },
    });
    expect(report).toMatchObject({
      verdict: 'prompted',
      streamed: undefined,
      prompted: { readBy: 'holdfast', isValid: true, calls: [{ name: 'get_weather' }] },
      protocols: ['chat'],
      hints: [
        'works with prompted tools: --tool-mode prompt; auto, the default, finds out by itself',
      ],
    });
    expect(report.tried[1]).toMatchObject({
      ok: false,
      outcome: 'answered 400: m does not support tools',
    });
    expect(report.tried[3]).toMatchObject({ ok: true });
    expect(report.commands[0]).toMatch(/ --model m --tool-mode prompt$/);
    const asked = requests[3]?.json as { readonly messages: readonly { content: string }[] };
    expect(asked.messages[0]?.content).toContain('get_weather');
  });

  test.each([
    ['makes no call', { body: chatBodyOf('It rains.') }, 'no-calls', 'the model made no call'],
    ['fails', errorAnswer(500), 'refused', 'it did not answer'],
  ])(
    'tells that a server takes no tools, and %s with one in the prompt',
    async (_, prompted, verdict, words) => {
      const refusal = errorAnswer(400, {}, 'm does not support tools');
      const { report } = await examine({ whole: refusal, streamed: refusal, prompted });
      expect(report.verdict).toBe(verdict);
      expect(report.summary).toContain(words);
      expect(report.hints.join('\n')).toContain('--tool-format');
    },
  );

  test('tells that tools are taken in one of the two ways only', async () => {
    const { report } = await examine({
      whole: { body: nativeBody('tool_calls') },
      streamed: errorAnswer(400, {}, 'm does not support tools'),
    });
    expect(report.verdict).toBe('native');
    expect(report.hints).toContain(
      'one of the two ways to ask takes no tools: --tool-mode prompt works in both',
    );
  });

  const right: ScriptedAnswer = { body: nativeBody('tool_calls') };
  const messages: ScriptedAnswer = { body: '{"type":"message","content":[]}' };
  const responses: ScriptedAnswer = { body: '{"object":"response","output":[]}' };

  test.each([
    ['nothing else', {}, ['chat'], ' --model m'],
    ['Messages', { messages }, ['chat', 'messages'], ' --model m --protocol both'],
    [
      'Messages and Responses',
      { messages, responses },
      ['chat', 'messages', 'responses'],
      ' --model m --protocol all',
    ],
    ['Responses', { responses }, ['chat', 'responses'], ' --model m'],
  ])('tells that a server speaks %s beside Chat Completions', async (_, also, spoken, command) => {
    const { report, requests } = await examine(
      { whole: right, streamed: right, ...also },
      { apiKey: 'k-1' },
    );
    expect(report.protocols).toEqual(spoken);
    expect(report.commands[0]?.endsWith(command)).toBe(true);
    expect(requests[3]?.headers['x-api-key']).toBe('k-1');
    const isHalf = spoken.join() === 'chat,responses';
    expect(report.hints.some((hint) => hint.includes('protocols: [chat, responses]'))).toBe(isHalf);
  });

  test('tells that a server speaks no Chat Completions, but something else', async () => {
    const gone = errorAnswer(404);
    const { report } = await examine({ whole: gone, streamed: gone, responses });
    expect(report).toMatchObject({ verdict: 'refused', protocols: ['responses'] });
    expect(report.hints).toContain('it does not answer Chat Completions, but speaks responses');
    expect(report.commands[0]).toMatch(/ --protocol responses$/);
  });

  test('asks in no other protocol where a key is missing', async () => {
    const wanted = errorAnswer(401);
    const { report, requests } = await examine({ whole: wanted, streamed: wanted });
    expect(report).toMatchObject({ verdict: 'refused', protocols: [] });
    expect(requests).toHaveLength(3);
  });

  test('asks the first model that can chat, or the one that was named', async () => {
    const list = { body: models('nomic-embed-text', 'qwen3') };

    expect((await examine({ list })).report.model).toBe('qwen3');
    const { report } = await examine({ list }, { model: 'other' });
    expect(report.model).toBe('other');
    expect(report.hints).toContain(
      'the server does not list other; it lists nomic-embed-text, qwen3',
    );
  });

  test('goes on without a list of models where one was named', async () => {
    const { report } = await examine(
      {
        list: errorAnswer(404),
        whole: { body: chatBodyOf(CALL) },
        streamed: { body: chatStreamOf(CALL) },
      },
      { model: 'm' },
    );

    expect(report.verdict).toBe('text');
  });

  test.each([
    ['a key is missing', errorAnswer(401), 'the server wants a key'],
    ['the path is wrong', errorAnswer(404), 'is the URL complete up to /v1?'],
    ['the model is loading', errorAnswer(503), 'may still be loading'],
  ])('tells that %s', async (_, list, hint) => {
    const { report } = await examine({ list });

    expect(report.verdict).toBe('unreachable');
    expect(report.hints.join('\n')).toContain(hint);
  });

  test('tells a page from an API', async () => {
    const { report } = await examine({ list: htmlAnswer });

    expect(report.tried[0]?.outcome).toBe(
      'answered 200 with an HTML page, titled "Welcome" instead of JSON',
    );
  });

  test('tells that nothing listens, and what answers elsewhere', async () => {
    const other = await startScriptedUpstream({ body: models('m') });
    closing.push(() => other.close());
    const port = await freePort();
    const report = await runDoctor({
      url: `http://127.0.0.1:${port}/v1`,
      apiKey: 'secret-key-1',
      timeoutMs: 1_000,
      ports: [other.port, await freePort()],
    });

    expect(report).toMatchObject({
      verdict: 'unreachable',
      tried: [
        {
          request: `GET http://127.0.0.1:${port}/v1/models`,
          ok: false,
          outcome: 'the connection was refused: nothing listens there',
        },
        { ok: true, outcome: 'answered 200 with a list of models' },
        { ok: false },
      ],
      hints: [`a model server answers at ${other.url}`],
      commands: [`holdfast doctor --upstream ${other.url}`],
    });
    expect(other.requests[0]?.headers.authorization).toBeUndefined();
  });

  test('tells of hosts that do not exist and of TLS where there is none', async () => {
    const port = await freePort();
    const kinds = await Promise.all(
      ['http://no-such-host.invalid/v1', `https://127.0.0.1:${await plainPort()}/v1`].map(
        async (url) => {
          const { tried } = await runDoctor({ url, timeoutMs: 1_000, ports: [port] });
          return tried[0]?.outcome ?? '';
        },
      ),
    );

    expect(kinds[0]).toMatch(/the host name cannot be (?:found|looked up)/);
    expect(kinds[1]).toMatch(/TLS failed/);
  });

  test('waits no longer than it was told', async () => {
    const { report } = await examine(
      {
        whole: { body: 'data: 1\n\n', then: 'stall' },
        streamed: { body: 'data: 1\n\n', then: 'stall' },
      },
      { timeoutMs: 200 },
    );

    expect(report.verdict).toBe('refused');
    expect(report.tried[1]?.outcome).toBe('no whole answer came within 0.2 s');
  });

  test('shows the key to the server, and to nobody else', async () => {
    const { report, requests } = await examine({}, { apiKey: 'secret-key-1' });

    expect(requests[0]?.headers.authorization).toBe('Bearer secret-key-1');
    expect(JSON.stringify(report)).not.toContain('secret-key-1');
  });
});

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A port whose server speaks no TLS. */
async function plainPort(): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n', () => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.close();
    await once(server, 'close');
  });
  return (server.address() as AddressInfo).port;
}
