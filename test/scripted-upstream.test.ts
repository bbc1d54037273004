import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { parseToolCalls } from '@holdfast/core/parse';
import { afterEach, describe, expect, it } from 'vitest';
import { chatBodyOf, chatStreamOf } from './support/chat-stream-of.ts';
import { messagesDefects } from './support/messages-defects.ts';
import { nativeDefect, nativeDefects } from './support/native-defects.ts';
import { responsesDefects } from './support/responses-defects.ts';
import { SAMPLE_TOOLS, sampleCalls } from './support/sample-calls.ts';
import { errorAnswer, htmlAnswer } from './support/scripted-answer.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import type { Script, ScriptedUpstream } from './support/scripted-upstream.ts';

const open: ScriptedUpstream[] = [];

async function start(script: Script): Promise<ScriptedUpstream> {
  const upstream = await startScriptedUpstream(script);
  open.push(upstream);
  return upstream;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((upstream) => upstream.close()));
});

interface Asked {
  readonly response: IncomingMessage;
  /** What has come so far, a byte a character. */
  readonly chunks: readonly string[];
  /** Rejects when the connection breaks in the middle. */
  readonly ended: Promise<unknown>;
}

/** Asks with node:http, which tells the chunks of a response apart to those who listen from the first on. */
async function ask({ url }: ScriptedUpstream): Promise<Asked> {
  const chunks: string[] = [];
  const sent = request(`${url}/chat/completions`, { method: 'POST', agent: false });
  sent.on('error', () => undefined);
  sent.end('{"model": "m"}');
  return new Promise((resolve) => {
    sent.on('response', (response: IncomingMessage) => {
      const ended = once(response, 'end');
      ended.catch(() => undefined);
      response.once('data', () => resolve({ response, chunks, ended }));
      response.on('data', (chunk: Buffer) => chunks.push(chunk.toString('latin1')));
    });
  });
}

describe('the scripted upstream', () => {
  it('answers with the bytes it was given and records the request', async () => {
    const upstream = await start({ body: '{"a": 1}', headers: { 'x-extra': 'yes' } });
    const response = await fetch(`${upstream.url}/chat/completions?beta=true`, {
      method: 'POST',
      headers: { authorization: 'Bearer k' },
      body: '{"model": "m"}',
    });

    expect(await response.text()).toBe('{"a": 1}');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('x-extra')).toBe('yes');
    expect(upstream.requests).toMatchObject([
      {
        method: 'POST',
        path: '/v1/chat/completions?beta=true',
        headers: { authorization: 'Bearer k' },
        json: { model: 'm' },
        aborted: false,
      },
    ]);
  });

  it.each([1, 3])('writes %i bytes at a time, each seen apart', async (cut) => {
    const body = 'data: {"text": "ö"}\n\n';
    const { chunks, ended } = await ask(await start({ body, cut }));
    await ended;

    expect(chunks).toHaveLength(Math.ceil(Buffer.byteLength(body) / cut));
    expect(Buffer.from(chunks.join(''), 'latin1').toString()).toBe(body);
  });

  it.each(['close', 'reset'] as const)('breaks off at a byte: %s', async (then) => {
    const upstream = await start({ body: 'data: {"text": 1}\n\n', stopAt: 8, then });
    const { chunks, ended } = await ask(upstream);

    await expect(ended).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(chunks.join('')).toBe('data: {"');
    expect(upstream.requests[0]?.aborted).toBe(false);
  });

  it('ends early as if that were all', async () => {
    const { chunks, ended } = await ask(await start({ body: 'data: {"text": 1}\n\n', stopAt: 8 }));
    await ended;

    expect(chunks.join('')).toBe('data: {"');
  });

  it('stalls until the client has gone, and tells that it has', async () => {
    const upstream = await start({ body: 'data: 1\n\n', then: 'stall' });
    const { response } = await ask(upstream);
    response.destroy();
    await upstream.requests[0]?.over;

    expect(upstream.requests[0]?.aborted).toBe(true);
  });

  it('compresses, fails and answers with pages', async () => {
    const upstream = await start((_, index) =>
      index === 0
        ? { body: chatBodyOf('hi'), gzip: true }
        : index === 1
          ? errorAnswer(429, { 'retry-after': '7' })
          : htmlAnswer,
    );
    const [packed, limited, page] = [
      await fetch(upstream.url),
      await fetch(upstream.url),
      await fetch(upstream.url),
    ];

    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(await packed.json()).toMatchObject({ choices: [{ message: { content: 'hi' } }] });
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
    expect(page.headers.get('content-type')).toContain('text/html');
  });
});

describe('the scripted answers', () => {
  it('say the same streamed, in pieces and whole', () => {
    const text = 'I read it. ';
    const whole = readText(chatStreamOf(text, { dialect: 'qwen' }));

    expect(readText(chatStreamOf(text, { dialect: 'qwen', cut: 3 }))).toBe(whole);
    expect(JSON.parse(chatBodyOf(text, { dialect: 'qwen' }))).toMatchObject({
      choices: [{ message: { content: whole } }],
    });
    expect(chatStreamOf(text, { cut: 1 }).match(/"content":"[^"]/g)).toHaveLength(text.length);
  });

  it.each(sampleCalls())('mean what they say in $dialect', (sample) => {
    const tools = SAMPLE_TOOLS.map((tool) => tool.function);
    const { calls } = parseToolCalls(sample.text, { tools });

    expect(calls).toMatchObject([
      { name: sample.name, arguments: sample.arguments, format: sample.dialect },
    ]);
  });

  it.each([
    ['Chat Completions', nativeDefects],
    ['Messages', messagesDefects],
    ['Responses', responsesDefects],
  ])('have defects of %s that differ in name and in what is sent', (_, defects) => {
    const names = defects.map(({ name }) => name);
    const sent = defects.map(({ stream, body }) => stream + (body ?? ''));

    expect(new Set(names).size).toBe(names.length);
    expect(new Set(sent).size).toBe(sent.length);
  });

  it('have the defects that their names say', () => {
    expect(nativeDefect('finish-reason-with-the-call').stream).toContain(
      '}}]},"finish_reason":"tool_calls"',
    );
    expect(nativeDefect('no-index').stream).not.toMatch(/"tool_calls":\[\{"index"/);
  });
});

/** What a stream of Chat Completions says. */
function readText(stream: string): string {
  return [...stream.matchAll(/^data: (\{.*\})$/gm)]
    .map(([, json]) => JSON.parse(json ?? '') as { choices: { delta: { content?: string } }[] })
    .map(({ choices }) => choices[0]?.delta.content ?? '')
    .join('');
}
