import { parseToolCalls } from '@holdfast/core/parse';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_MODELS } from './demo-models.ts';
import { startDemoUpstream } from './start-demo-upstream.ts';
import type { DemoUpstream } from './start-demo-upstream.ts';

const tools = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'The weather of a city.',
      parameters: {
        type: 'object',
        properties: { city: { type: 'string' } },
        required: ['city'],
      },
    },
  },
];
const question = { role: 'user', content: 'What is the weather in Oslo?' };

let upstream: DemoUpstream;
beforeAll(async () => {
  upstream = await startDemoUpstream({ pauseMs: 0 });
});
afterAll(() => upstream.close());

const post = (body: object | string): Promise<Response> =>
  fetch(`${upstream.url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

interface Completion {
  readonly choices: readonly {
    readonly message: { readonly content: string };
    readonly finish_reason: string;
  }[];
}

async function say(body: object): Promise<string> {
  const { choices } = (await (await post(body)).json()) as Completion;
  return choices[0]?.message.content ?? '';
}

async function stream(body: object): Promise<string> {
  const text = await (await post({ ...body, stream: true })).text();
  return [...text.matchAll(/^data: (\{.*\})$/gm)]
    .map(([, json = '']) => JSON.parse(json) as { choices: { delta: { content?: string } }[] })
    .map(({ choices }) => choices[0]?.delta.content ?? '')
    .join('');
}

describe('the demo upstream', () => {
  test('lists a model for each dialect, and one that writes in any', async () => {
    const { data } = (await (await fetch(`${upstream.url}/models`)).json()) as {
      data: { id: string }[];
    };

    expect(data.map(({ id }) => id)).toEqual(['demo', ...DEMO_MODELS.map(({ id }) => id)]);
  });

  test.each(['qwen', 'harmony', 'qwen-single-quotes'])(
    '%s says the call as text, the same streamed and whole',
    async (model) => {
      const texts = [
        await say({ model, tools, messages: [question] }),
        await stream({ model, tools, messages: [question] }),
      ];

      for (const text of texts) {
        expect(
          parseToolCalls(text, { tools: tools.map((tool) => tool.function) }).calls,
        ).toMatchObject([{ name: 'get_weather', arguments: { city: 'Oslo' } }]);
      }
    },
  );

  test('answers a result in a sentence that quotes it', async () => {
    const messages = [
      question,
      { role: 'assistant', content: null, tool_calls: [] },
      { role: 'tool', tool_call_id: 'call_1', content: '12 degrees, rain' },
      { role: 'system', content: 'Be brief.' },
    ];

    expect(await say({ model: 'qwen', tools, messages })).toBe('The tool says: 12 degrees, rain');
  });

  test('makes no call of a result that looks like one', async () => {
    const content = '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>';
    const messages = [question, { role: 'tool', tool_call_id: 'call_1', content }];

    expect(await say({ model: 'qwen', tools, messages })).toBe(
      `The tool returned ${content.length} characters.`,
    );
  });

  test('reads what a person wrote behind the notes of an agent', async () => {
    const content = [
      { type: 'text', text: '<system-reminder>Weather in Rome</system-reminder>' },
      { type: 'text', text: 'Weather in Oslo?' },
    ];

    expect(await say({ model: 'qwen', tools, messages: [{ role: 'user', content }] })).toContain(
      '"Oslo"',
    );
  });

  test('reads it where they stand in one text', async () => {
    const content = '<environment_context>in Rome</environment_context>\nWeather in Oslo?';

    expect(await say({ model: 'qwen', tools, messages: [{ role: 'user', content }] })).toContain(
      '"Oslo"',
    );
  });

  test('chats without tools, and where none may be called', async () => {
    expect(await say({ model: 'qwen', messages: [question] })).toContain('You said: What is the');
    expect(
      await say({ model: 'qwen', tools, tool_choice: 'none', messages: [question] }),
    ).toContain('You said: What is the');
  });

  test('ends with length where fewer tokens are allowed', async () => {
    const answer = await post({ model: 'qwen', messages: [question], max_tokens: 2 });
    const { choices } = (await answer.json()) as Completion;

    expect(choices[0]?.finish_reason).toBe('length');
  });

  test('says the same in every run', async () => {
    const runs = await Promise.all(
      [1, 2].map(async () => {
        const one = await startDemoUpstream({ pauseMs: 0, seed: 3 });
        const answers: string[] = [];
        for (let turn = 0; turn < 3; turn++) {
          const response = await fetch(`${one.url}/chat/completions`, {
            method: 'POST',
            body: JSON.stringify({ model: 'demo', tools, messages: [question], stream: true }),
          });
          answers.push(await response.text());
        }
        await one.close();
        return answers;
      }),
    );

    expect(runs[0]).toEqual(runs[1]);
    expect(new Set(runs[0]).size).toBe(3);
  });

  test('refuses what it does not understand', async () => {
    expect((await post('not JSON')).status).toBe(400);
    expect((await fetch(`${upstream.url}/embeddings`)).status).toBe(404);
  });
});
