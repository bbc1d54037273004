import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { memoryIo } from '../packages/gateway/src/cli/memory-io.case.ts';
import { run } from '../packages/gateway/src/cli/run.ts';
import { DEMO_MODELS } from '../packages/gateway/src/demo-upstream/demo-models.ts';
import { startDemoUpstream } from '../packages/gateway/src/demo-upstream/start-demo-upstream.ts';
import type { DemoUpstream } from '../packages/gateway/src/demo-upstream/start-demo-upstream.ts';

const parameters = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city', 'days'],
};
const question = { role: 'user', content: 'What is the weather in Oslo for 3 days?' };
const description = 'The weather of a city.';

describe('the demo model behind the gateway', { timeout: 30_000 }, () => {
  const io = memoryIo();
  let upstream: DemoUpstream;
  let ended: Promise<number>;
  let url = '';
  beforeAll(async () => {
    upstream = await startDemoUpstream({ pauseMs: 0 });
    const args = ['--upstream', upstream.url, '--port', '0', '--log', 'silent'];
    ended = run(['proxy', ...args], io);
    await vi.waitFor(() => expect(io.out()).toContain('OpenAI clients'), 20_000);
    url = /Anthropic clients +(\S+)/.exec(io.out())?.[1] ?? '';
  }, 30_000);
  afterAll(async () => {
    io.signal('SIGINT');
    await ended;
    await upstream.close();
  });

  const post = (path: string, body: object): Promise<Response> =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it.each(DEMO_MODELS)('calls a tool as $id, for clients of every protocol', async ({ id }) => {
    const chat = await post('/v1/chat/completions', {
      model: id,
      stream: true,
      messages: [question],
      tools: [{ type: 'function', function: { name: 'get_weather', description, parameters } }],
    });
    const messages = await post('/v1/messages', {
      model: id,
      max_tokens: 1000,
      messages: [question],
      tools: [{ name: 'get_weather', description, input_schema: parameters }],
    });
    const responses = await post('/v1/responses', {
      model: id,
      input: question.content,
      tools: [{ type: 'function', name: 'get_weather', description, parameters, strict: false }],
    });
    const stream = await chat.text();

    expect(stream).toContain('"name":"get_weather"');
    expect(JSON.parse(argumentsIn(stream))).toEqual({ city: 'Oslo', days: 3 });
    expect(stream).toContain('"finish_reason":"tool_calls"');
    expect(await messages.json()).toMatchObject({
      stop_reason: 'tool_use',
      content: expect.arrayContaining([
        expect.objectContaining({
          type: 'tool_use',
          name: 'get_weather',
          input: { city: 'Oslo', days: 3 },
        }),
      ]) as unknown,
    });
    expect(await responses.json()).toMatchObject({
      status: 'completed',
      output: expect.arrayContaining([
        expect.objectContaining({
          type: 'function_call',
          name: 'get_weather',
          arguments: expect.stringMatching(/^\{"city": ?"Oslo", ?"days": ?3\}$/) as string,
        }),
      ]) as unknown,
    });
  });
});

/** The arguments that the chunks of a stream of Chat Completions put together. */
function argumentsIn(stream: string): string {
  const lines = stream.split('\n').filter((line) => line.startsWith('data: {'));
  return lines
    .map((line) => JSON.parse(line.slice('data: '.length)) as StreamedChunk)
    .flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
    .map((call) => call.function.arguments ?? '')
    .join('');
}

interface StreamedChunk {
  readonly choices: readonly {
    readonly delta: {
      readonly tool_calls?: readonly { readonly function: { readonly arguments?: string } }[];
    };
  }[];
}
