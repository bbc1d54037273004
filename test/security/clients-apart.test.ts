import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGatewayHere } from '../support/gateway-here.ts';
import type { GatewayHere } from '../support/gateway-here.ts';
import { answerRemote } from '../support/remote-server.ts';
import type { RemoteRequest } from '../support/remote-server.ts';
import type { ScriptedAnswer } from '../support/scripted-answer.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { RecordedRequest, ScriptedUpstream } from '../support/scripted-upstream.ts';

const TOKEN = 'CANARY-token-of-the-gateway';
const LEGACY = '2025-11-25';
const MODERN = '2026-07-28';
const isFull = process.env['HOLDFAST_FULL'] === '1';
const CLIENTS = isFull ? 200 : 40;
const IDS = Array.from({ length: isFull ? 50 : 5 }, (_, at) => at + 1);
/** Long enough for others to interfere. */
const SLOW_MS = 300;

let server: ScriptedUpstream;
let gateway: GatewayHere;

/** Says what it is told, in another order than it is asked. */
function echo(request: RecordedRequest, index: number): ScriptedAnswer {
  const { id, method, params } = (request.json ?? {}) as RemoteRequest;
  if (method !== 'tools/call') return answerRemote(request);
  const { word } = (params as { readonly arguments: { readonly word: string } }).arguments;
  const result = { content: [{ type: 'text', text: word }], isError: word.startsWith('ENOENT') };
  return {
    headers: { 'content-type': 'application/json' },
    silentMs: word.startsWith('slow') ? SLOW_MS : (index * 7919) % 60,
    body: JSON.stringify({ jsonrpc: '2.0', id, result }),
  };
}

beforeAll(async () => {
  server = await startScriptedUpstream(echo);
  const mcp = { servers: { far: { url: `${server.origin}/mcp` } } };
  gateway = await startGatewayHere({ token: TOKEN, mcp });
}, 30_000);

afterAll(async () => {
  await gateway.close();
  await server.close();
}, 30_000);

interface Sent {
  readonly session?: string;
  readonly method?: string;
  readonly token?: string;
  readonly headers?: Record<string, string>;
}

function send(body: object | undefined, { session, method, token, headers }: Sent = {}) {
  return fetch(`${gateway.url}/mcp`, {
    method: method ?? 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token ?? TOKEN}`,
      ...(session !== undefined && { 'mcp-session-id': session }),
      ...headers,
    },
    ...(body && { body: JSON.stringify({ jsonrpc: '2.0', ...body }) }),
  });
}

/** Begins a session; resolves to its id. */
async function begin(): Promise<string> {
  const clientInfo = { name: 'same-for-all', version: '1' };
  const params = { protocolVersion: LEGACY, capabilities: {}, clientInfo };
  const answer = await send({ id: 0, method: 'initialize', params });
  await answer.text();
  const session = answer.headers.get('mcp-session-id') ?? '';
  await (await send({ method: 'notifications/initialized' }, { session })).text();
  return session;
}

const call = (id: number, word: string, meta?: object): object => ({
  id,
  method: 'tools/call',
  params: { name: 'look_far', arguments: { word }, ...(meta && { _meta: meta }) },
});

function callAsModern(id: number, word: string, traceparent?: string): Promise<Response> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'same-for-all', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
    ...(traceparent && { traceparent }),
  };
  const headers = {
    'mcp-protocol-version': MODERN,
    'mcp-method': 'tools/call',
    'mcp-name': 'look_far',
  };
  return send(call(id, word, meta), { headers });
}

interface ReadAnswer {
  readonly id: number;
  readonly text: string;
  /** What the gateway added for the model. */
  readonly advice: readonly string[];
}

/** The only result in an answer, be it JSON or events. */
async function readAll(answer: Response): Promise<ReadAnswer> {
  const body = await answer.text();
  const found = body.split('\n').filter((line) => line.includes('"result"'));
  expect(found, body).toHaveLength(1);
  const { id, result } = JSON.parse(found[0]!.replace(/^data: /, '')) as {
    readonly id: number;
    readonly result: { readonly content: readonly { readonly text: string }[] };
  };
  const [text = '', ...advice] = result.content.map((block) => block.text);
  return { id, text, advice };
}

async function read(answer: Response): Promise<Omit<ReadAnswer, 'advice'>> {
  const { id, text } = await readAll(answer);
  return { id, text };
}

describe('clients of one gateway that number their requests alike', () => {
  test('each get their own answers, with sessions and without', async () => {
    const sessions = await Promise.all(Array.from({ length: CLIENTS }, begin));
    expect(new Set(sessions).size).toBe(CLIENTS);

    let answers = 0;
    for (const id of IDS) {
      const asked = sessions.flatMap((session, at) => [
        { word: `session ${at} ${id}`, ask: (word: string) => send(call(id, word), { session }) },
        { word: `modern ${at} ${id}`, ask: (word: string) => callAsModern(id, word) },
      ]);
      const got = await Promise.all(asked.map(async ({ word, ask }) => read(await ask(word))));

      expect(got).toEqual(asked.map(({ word }) => ({ id, text: word })));
      answers += got.length;
    }
    expect(answers).toBe(2 * CLIENTS * IDS.length);
  }, 300_000);

  test('cannot take back the calls of each other', async () => {
    const [one, other] = await Promise.all([begin(), begin()]);
    const asked = send(call(1, 'slow one'), { session: one });
    await expect
      .poll(() => server.requests.some(({ body }) => body.includes('slow one')))
      .toBe(true);
    const params = { requestId: 1, reason: 'not mine' };
    await (await send({ method: 'notifications/cancelled', params }, { session: other })).text();

    expect(await read(await asked)).toEqual({ id: 1, text: 'slow one' });
  });
});

describe('advice about calls that failed', () => {
  const FAILED = 'ENOENT: no such file, open secret-of-another';
  const adviceOf = async (answer: Promise<Response>): Promise<readonly string[]> =>
    (await readAll(await answer)).advice;
  /** Calls of one trace, as an agent that is instrumented makes them. */
  const traced = (digit: string) => `00-${digit.repeat(32)}-00f067aa0ba902b7-01`;

  test('reaches no other client of the same name and token, without sessions', async () => {
    for (let id = 0; id < 6; id++) expect(await adviceOf(callAsModern(id, FAILED))).toEqual([]);
  });

  test('reaches the client whose requests are of one trace, and no other', async () => {
    for (const id of [1, 2]) await readAll(await callAsModern(id, FAILED, traced('1')));
    expect(await adviceOf(callAsModern(3, FAILED, traced('1')))).toHaveLength(1);
    expect(await adviceOf(callAsModern(1, FAILED, traced('2')))).toEqual([]);
  });

  test('reaches the session that made the calls, and no other', async () => {
    const [one, other] = await Promise.all([begin(), begin()]);
    for (const id of [1, 2]) await readAll(await send(call(id, FAILED), { session: one }));
    expect(await adviceOf(send(call(3, FAILED), { session: one }))).toHaveLength(1);
    expect(await adviceOf(send(call(1, FAILED), { session: other }))).toEqual([]);
  });
});

describe('the session of a client', () => {
  test('has an id that nobody guesses, and no other leads to it', async () => {
    const session = await begin();
    expect(session).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    const last = session.endsWith('0') ? '1' : '0';
    const others = [
      session.slice(0, -1) + last,
      session.toUpperCase().replace(/\d/g, '0'),
      `${session}x`,
      '__proto__',
      'constructor',
      '*',
    ];
    for (const each of others) {
      const answer = await send(call(1, 'stolen'), { session: each });
      expect([each, answer.status]).toEqual([each, 404]);
      await answer.text();
    }
    expect(server.requests.some(({ body }) => body.includes('stolen'))).toBe(false);
  });

  test('needs the token of the gateway, too', async () => {
    const session = await begin();
    const answer = await send(call(1, 'without'), {
      session,
      token: 'CANARY-token-of-the-gatewax',
    });

    expect(answer.status).toBe(401);
    expect(server.requests.some(({ body }) => body.includes('without'))).toBe(false);
  });

  test('is over once it is ended', async () => {
    const session = await begin();
    expect((await send(undefined, { session, method: 'DELETE' })).status).toBe(200);
    expect((await send(call(1, 'late'), { session })).status).toBe(404);
  });
});

describe('the token of a client', () => {
  test('goes to no MCP server', () => {
    expect(server.requests.length).toBeGreaterThan(0);
    for (const { headers, body } of server.requests)
      expect(JSON.stringify(headers) + body).not.toContain(TOKEN);
  });
});
