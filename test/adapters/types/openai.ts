// Compiled, not run: a wrapped client has the types of the client, and so have guarded tools.
import { guardTools, wrapOpenAI } from '@holdfast/core/openai';
import { checkToolCall } from '@holdfast/core/check';
import { parseToolCalls } from '@holdfast/core/parse';
import OpenAI from 'openai';

const client: OpenAI = wrapOpenAI(new OpenAI());

const whole: OpenAI.ChatCompletion = await client.chat.completions.create({
  model: 'local',
  messages: [],
});
const name: string | undefined = whole.choices[0]?.message.tool_calls?.[0]?.id;

for await (const chunk of await client.chat.completions.create({
  model: 'local',
  messages: [],
  stream: true,
})) {
  const text: string | null | undefined = chunk.choices[0]?.delta.content;
  use(text);
}

const response: OpenAI.Responses.Response = await client.responses.create({ model: 'local' });
for await (const event of await client.responses.create({ model: 'local', stream: true }))
  if (event.type === 'response.output_text.delta') use(event.delta);

const tools = guardTools([
  {
    type: 'function',
    function: {
      name: 'read_file',
      description: 'Reads a file.',
      parameters: { type: 'object' },
      parse: (text: string): { path: string } => ({ path: text }),
      function: ({ path }: { path: string }) => path.length,
    },
  },
] as const);
const length: number = tools[0].function.function({ path: 'a.md' });
const runner = client.chat.completions.runTools({
  model: 'local',
  messages: [],
  tools: [...tools],
});
const final: string | null = await runner.finalContent();

// Tools as the SDK has them are taken as they are.
const chatTools: OpenAI.ChatCompletionTool[] = [
  {
    type: 'function',
    function: { name: 'read_file', parameters: { type: 'object' }, strict: true },
  },
];
const responsesTools: OpenAI.Responses.Tool[] = [
  { type: 'function', name: 'read_file', parameters: { type: 'object' }, strict: null },
  { type: 'web_search' },
];
const { calls } = parseToolCalls('', { tools: chatTools });
for (const call of [...calls, ...parseToolCalls('', { tools: responsesTools }).calls])
  use(checkToolCall(call, chatTools), checkToolCall(call, responsesTools));

// @ts-expect-error a client without `withOptions` cannot be wrapped
wrapOpenAI({ chat: client.chat });
// @ts-expect-error no such option
wrapOpenAI(client, { formats: ['qwen'] });

use(name, response.output_text, length, final);

function use(..._values: readonly unknown[]): void {}
