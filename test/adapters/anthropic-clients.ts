import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { wrapAnthropic } from '@holdfast/core/anthropic';
import type { WrapAnthropicOptions } from '@holdfast/core/anthropic';
import type { ToolDefinition } from '@holdfast/core';
import { MAX_TURNS } from './conversation.ts';
import type { Conversation, Job } from './conversation.ts';

type Body = Anthropic.MessageCreateParamsNonStreaming;

/** A client whose answers are mended. */
export const connect = (url: string, options: WrapAnthropicOptions = {}): Anthropic =>
  wrapAnthropic(new Anthropic({ baseURL: url, apiKey: 'local', maxRetries: 0 }), options);

const PROMPT = { role: 'user', content: 'Please look.' } as const;
const MAX_TOKENS = 4096;

export const messagesTools = (tools: readonly ToolDefinition[]): Anthropic.Tool[] =>
  tools.map(({ name, description = '', parameters }) => ({
    name,
    description,
    input_schema: { ...parameters, type: 'object' },
  }));

/** The parts of a message that tell how a turn went, with and without beta. */
interface Told {
  readonly content: readonly (
    { readonly type: 'text'; readonly text: string } | { readonly type: 'other' } | object
  )[];
  readonly stop_reason: string | null;
}

function tellTurn(conversation: Conversation, { content, stop_reason: reason }: Told): void {
  const texts = content.flatMap((block) => ('text' in block ? [block.text] : []));
  conversation.turn(texts.join(''), reason);
}

/** A loop as it is written by hand: ask, run the tools, send back what they gave. */
async function loop(
  { url, model, tools }: Job,
  conversation: Conversation,
  ask: (client: Anthropic, body: Body) => Promise<Anthropic.Message>,
): Promise<void> {
  const messages: Anthropic.MessageParam[] = [PROMPT];
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const body = { model, max_tokens: MAX_TOKENS, messages, tools: messagesTools(tools) };
    const message = await ask(connect(url), body);
    tellTurn(conversation, message);
    const calls = message.content.filter((block) => block.type === 'tool_use');
    if (calls.length === 0) return;
    messages.push({ role: 'assistant', content: message.content });
    const content = calls.map(({ id, name, input }) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: conversation.runTool(name, input),
    }));
    messages.push({ role: 'user', content });
  }
}

/** The SDK's own loop. */
async function toolRunner(
  { url, model, tools }: Job,
  conversation: Conversation,
  stream: boolean,
): Promise<void> {
  const { messages } = connect(url).beta;
  const body = {
    model,
    max_tokens: MAX_TOKENS,
    messages: [PROMPT],
    max_iterations: MAX_TURNS,
    tools: tools.map(({ name, description = '', parameters }) =>
      betaTool({
        name,
        description,
        inputSchema: { ...parameters, type: 'object' } as const,
        run: (input) => conversation.runTool(name, input),
      }),
    ),
  };
  if (stream)
    for await (const answer of messages.toolRunner({ ...body, stream: true }))
      tellTurn(conversation, await answer.finalMessage());
  else
    for await (const answer of messages.toolRunner({ ...body, stream: false }))
      tellTurn(conversation, answer);
}

/** What the events alone say, put together by hand. */
async function readEvents(client: Anthropic, body: Body): Promise<Anthropic.Message> {
  let message: Anthropic.Message | undefined;
  let isOver = false;
  const json: string[] = [];
  for await (const event of await client.messages.create({ ...body, stream: true })) {
    if (event.type === 'message_start') message = event.message;
    if (event.type === 'message_stop') isOver = true;
    if (message === undefined) continue;
    if (event.type === 'content_block_start') message.content[event.index] = event.content_block;
    if (event.type === 'message_delta') message.stop_reason = event.delta.stop_reason;
    if (event.type !== 'content_block_delta') continue;
    const block = message.content[event.index]!;
    if (block.type === 'text' && event.delta.type === 'text_delta') block.text += event.delta.text;
    if (block.type !== 'tool_use' || event.delta.type !== 'input_json_delta') continue;
    json[event.index] = (json[event.index] ?? '') + event.delta.partial_json;
    block.input = JSON.parse(json[event.index]!);
  }
  if (message === undefined || !isOver) throw new Anthropic.AnthropicError('no end');
  return message;
}

type Run = (job: Job, conversation: Conversation) => Promise<void>;

export const MESSAGES_CLIENTS: readonly (readonly [name: string, run: Run, streams: boolean])[] = [
  ['create', (job, seen) => loop(job, seen, (client, body) => client.messages.create(body)), false],
  ['create, streamed', (job, seen) => loop(job, seen, readEvents), true],
  [
    'stream',
    (job, seen) => loop(job, seen, (client, body) => client.messages.stream(body).finalMessage()),
    true,
  ],
  ['toolRunner', (job, seen) => toolRunner(job, seen, false), false],
  ['toolRunner, streamed', (job, seen) => toolRunner(job, seen, true), true],
];
