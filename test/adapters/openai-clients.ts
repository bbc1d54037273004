import { wrapOpenAI } from '@holdfast/core/openai';
import type { WrapOpenAIOptions } from '@holdfast/core/openai';
import OpenAI from 'openai';
import type { ToolDefinition } from '@holdfast/core';
import { MAX_TURNS } from './conversation.ts';
import type { Conversation, Job } from './conversation.ts';

type Body = Pick<OpenAI.ChatCompletionCreateParamsNonStreaming, 'model' | 'messages'> & {
  readonly tools: OpenAI.ChatCompletionFunctionTool[];
};
interface ResponsesBody {
  readonly model: string;
  readonly input: OpenAI.Responses.ResponseInputItem[];
  readonly tools: OpenAI.Responses.FunctionTool[];
  readonly store: boolean;
}

/** A client whose answers are mended. */
export const connect = (url: string, options: WrapOpenAIOptions = {}): OpenAI =>
  wrapOpenAI(new OpenAI({ baseURL: `${url}/v1`, apiKey: 'local', maxRetries: 0 }), options);

const PROMPT = { role: 'user', content: 'Please look.' } as const;

export const chatTools = (tools: readonly ToolDefinition[]): OpenAI.ChatCompletionFunctionTool[] =>
  tools.map(({ name, description = '', parameters = {} }) => ({
    type: 'function',
    function: { name, description, parameters },
  }));

export const responsesTools = (tools: readonly ToolDefinition[]): OpenAI.Responses.FunctionTool[] =>
  tools.map(({ name, description = '', parameters = {} }) => ({
    type: 'function',
    name,
    description,
    parameters,
    strict: false,
  }));

/** A loop as it is written by hand: ask, run the tools, send back what they gave. */
async function chatLoop(
  { url, model, tools }: Job,
  conversation: Conversation,
  ask: (client: OpenAI, body: Body) => Promise<OpenAI.ChatCompletion>,
): Promise<void> {
  const messages: OpenAI.ChatCompletionMessageParam[] = [PROMPT];
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const completion = await ask(connect(url), { model, messages, tools: chatTools(tools) });
    const { message, finish_reason: finish } = completion.choices[0]!;
    conversation.turn(message.content, finish);
    const { tool_calls: calls = [] } = message;
    if (calls.length === 0) return;
    messages.push({ role: 'assistant', content: message.content, tool_calls: calls });
    for (const call of calls) {
      if (call.type !== 'function') continue;
      const content = conversation.runTool(call.function.name, JSON.parse(call.function.arguments));
      messages.push({ role: 'tool', tool_call_id: call.id, content });
    }
  }
}

/** The SDK's own loop. */
async function runTools(
  { url, model, tools }: Job,
  conversation: Conversation,
  stream: boolean,
): Promise<void> {
  const body = {
    model,
    messages: [PROMPT],
    tools: tools.map(({ name, description = '', parameters = {} }) => ({
      type: 'function' as const,
      function: {
        name,
        description,
        parameters,
        parse: JSON.parse as (text: string) => object,
        function: (input: object) => conversation.runTool(name, input),
      },
    })),
  };
  const { completions } = connect(url).chat;
  const options = { maxChatCompletions: MAX_TURNS };
  const told = ({ choices: [choice] }: OpenAI.ChatCompletion): void =>
    conversation.turn(choice?.message.content, choice?.finish_reason);
  if (stream) {
    const runner = completions.runTools({ ...body, stream: true }, options);
    await runner.on('chatCompletion', told).done();
  } else {
    const runner = completions.runTools({ ...body, stream: false }, options);
    await runner.on('chatCompletion', told).done();
  }
}

/** What the chunks alone say, put together by hand. */
async function readChunks(client: OpenAI, body: Body): Promise<OpenAI.ChatCompletion> {
  const stream = await client.chat.completions.create({ ...body, stream: true });
  const calls: OpenAI.ChatCompletionMessageFunctionToolCall[] = [];
  let content = '';
  let finish: OpenAI.ChatCompletion.Choice['finish_reason'] | null = null;
  for await (const chunk of stream) {
    const [choice] = chunk.choices;
    if (choice === undefined) continue;
    content += choice.delta.content ?? '';
    finish = choice.finish_reason ?? finish;
    for (const { index, id = '', function: called } of choice.delta.tool_calls ?? []) {
      calls[index] ??= { id, type: 'function', function: { name: '', arguments: '' } };
      calls[index].function.name += called?.name ?? '';
      calls[index].function.arguments += called?.arguments ?? '';
    }
  }
  const message = { role: 'assistant', content, refusal: null, tool_calls: calls } as const;
  const choice = { index: 0, message, finish_reason: finish ?? 'stop', logprobs: null };
  return { id: '', object: 'chat.completion', created: 0, model: '', choices: [choice] };
}

async function responsesLoop(
  { url, model, tools }: Job,
  conversation: Conversation,
  ask: (client: OpenAI, body: ResponsesBody) => Promise<OpenAI.Responses.Response>,
): Promise<void> {
  const input: OpenAI.Responses.ResponseInputItem[] = [PROMPT];
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const body = { model, input, tools: responsesTools(tools), store: false };
    const response = await ask(connect(url), body);
    const { output, output_text: text, status = '' } = response;
    if (status === 'failed') throw new OpenAI.OpenAIError(response.error?.message ?? '');
    conversation.turn(text, status);
    const calls = output.filter((item) => item.type === 'function_call');
    // An answer that was cut short has no calls that may run.
    if (calls.length === 0 || status !== 'completed') return;
    input.push(...(output as OpenAI.Responses.ResponseInputItem[]));
    for (const { call_id: id, name, arguments: args } of calls) {
      const given = conversation.runTool(name, JSON.parse(args));
      input.push({ type: 'function_call_output', call_id: id, output: given });
    }
  }
}

/** What the events alone say: each item as it was when it was done, and how the response ended. */
async function readEvents(client: OpenAI, body: ResponsesBody): Promise<OpenAI.Responses.Response> {
  const output: OpenAI.Responses.ResponseOutputItem[] = [];
  let text = '';
  for await (const event of await client.responses.create({ ...body, stream: true })) {
    if (event.type === 'response.output_text.delta') text += event.delta;
    if (event.type === 'response.output_item.done') output[event.output_index] = event.item;
    if (event.type === 'response.completed' || event.type === 'response.incomplete')
      return { ...event.response, output, output_text: text };
    if (event.type === 'response.failed') return event.response;
  }
  throw new OpenAI.OpenAIError('the stream has no end');
}

type Run = (job: Job, conversation: Conversation) => Promise<void>;

export const CHAT_CLIENTS: readonly (readonly [name: string, run: Run, streams: boolean])[] = [
  [
    'create',
    (job, seen) => chatLoop(job, seen, (client, body) => client.chat.completions.create(body)),
    false,
  ],
  ['create, streamed', (job, seen) => chatLoop(job, seen, readChunks), true],
  [
    'stream',
    (job, seen) =>
      chatLoop(job, seen, (client, body) =>
        client.chat.completions.stream(body).finalChatCompletion(),
      ),
    true,
  ],
  ['runTools', (job, seen) => runTools(job, seen, false), false],
  ['runTools, streamed', (job, seen) => runTools(job, seen, true), true],
];

export const RESPONSES_CLIENTS: typeof CHAT_CLIENTS = [
  [
    'responses create',
    (job, seen) => responsesLoop(job, seen, (client, body) => client.responses.create(body)),
    false,
  ],
  ['responses create, streamed', (job, seen) => responsesLoop(job, seen, readEvents), true],
  [
    'responses stream',
    (job, seen) =>
      responsesLoop(job, seen, (client, body) => client.responses.stream(body).finalResponse()),
    true,
  ],
];
