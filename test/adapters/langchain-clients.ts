import type { ToolDefinition } from '@holdfast/core';
import { guardTools, wrapChatModel } from '@holdfast/core/langchain';
import type { MendOptions } from '@holdfast/core/langchain';
import { ChatAnthropic } from '@langchain/anthropic';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk, HumanMessage } from '@langchain/core/messages';
import type { BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { createReactAgent, ToolNode } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { MAX_TURNS } from './conversation.ts';
import type { Conversation, Job } from './conversation.ts';

/** A model of LangChain's, as it is. */
export type Connect = (url: string, model: string) => BaseChatModel;

const openAI =
  (useResponsesApi: boolean): Connect =>
  (url, model) =>
    new ChatOpenAI({
      model,
      apiKey: 'local',
      maxRetries: 0,
      configuration: { baseURL: `${url}/v1` },
      useResponsesApi,
    });

export const connectChat = openAI(false);
const connectResponses = openAI(true);
const anthropic =
  (streaming: boolean): Connect =>
  (url, model) =>
    new ChatAnthropic({
      model,
      apiKey: 'local',
      maxRetries: 0,
      maxTokens: 4096,
      anthropicApiUrl: url,
      ...(streaming && { streaming }),
    });
export const connectAnthropic = anthropic(false);

/** A model whose answers are mended. */
export const connect = (url: string, options: MendOptions = {}, model = 'local'): BaseChatModel =>
  wrapChatModel(connectChat(url, model), options);

export const PROMPT = new HumanMessage('Please look.');

/** Tools as `tool()` makes them of JSON Schemas. */
export const lcTools = (
  tools: readonly ToolDefinition[],
  run: (name: string, input: unknown) => unknown,
): StructuredToolInterface[] =>
  tools.map(({ name, description = '', parameters = {} }) =>
    tool((input: unknown) => run(name, input), {
      name,
      description,
      schema: { type: 'object', ...parameters },
    }),
  );

const toolsOf = ({ tools }: Job, conversation: Conversation): StructuredToolInterface[] => [
  ...guardTools(lcTools(tools, (name, input) => conversation.runTool(name, input))),
];

/** A provider's words for an answer that ended in calls, and for one that ended by itself. */
interface Words {
  readonly calls: string;
  readonly stop: string;
}
const CHAT: Words = { calls: 'tool_calls', stop: 'stop' };
const RESPONSES: Words = { calls: 'completed', stop: 'completed' };
const ANTHROPIC: Words = { calls: 'tool_use', stop: 'end_turn' };

/** How an answer ended, in the provider's words; where a server does not say it, LangChain goes by the calls. */
function tellTurn(
  conversation: Conversation,
  message: AIMessage | AIMessageChunk,
  words = CHAT,
): void {
  const told: Readonly<Record<string, unknown>> = {
    ...message.additional_kwargs,
    ...message.response_metadata,
  };
  const said = told['finish_reason'] ?? told['stop_reason'] ?? told['status'];
  const meant = (message.tool_calls ?? []).length > 0 ? words.calls : words.stop;
  conversation.turn(message.text, typeof said === 'string' ? said : meant);
}

type Ask = (model: BaseChatModel, messages: BaseMessage[]) => Promise<AIMessage | AIMessageChunk>;

/** A loop as it is written by hand: ask, have LangGraph run the tools, send back what they gave. */
async function loop(
  job: Job,
  conversation: Conversation,
  connectTo: Connect,
  ask: Ask,
  words = CHAT,
): Promise<void> {
  const tools = toolsOf(job, conversation);
  const model = wrapChatModel(connectTo(job.url, job.model)).bindTools!(tools) as BaseChatModel;
  const node = new ToolNode(tools);
  const messages: BaseMessage[] = [PROMPT];
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const answer = await ask(model, messages);
    tellTurn(conversation, answer, words);
    if ((answer.tool_calls ?? []).length === 0) return;
    messages.push(answer);
    messages.push(...((await node.invoke(messages)) as BaseMessage[]));
  }
}

const invoke: Ask = (model, messages) => model.invoke(messages);

const batch: Ask = async (model, messages) => (await model.batch([messages]))[0]!;

const stream: Ask = async (model, messages) => {
  let answer: AIMessageChunk | undefined;
  for await (const chunk of await model.stream(messages)) answer = answer?.concat(chunk) ?? chunk;
  return answer!;
};

/** LangGraph's own loop. */
export const reactAgent = (llm: BaseChatModel, tools: StructuredToolInterface[]) =>
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only agent that 0.3 has, and 1 still has it
  createReactAgent({ llm, tools });

/** What is streamed are the messages as they are written. */
async function runAgent(job: Job, conversation: Conversation, streams: boolean): Promise<void> {
  const llm = wrapChatModel(connectChat(job.url, job.model));
  const agent = reactAgent(llm, toolsOf(job, conversation));
  await followGraph(
    conversation,
    (options) => agent.stream({ messages: [PROMPT] }, options),
    streams,
  );
}

/** The options of a graph that is followed. */
export interface FollowOptions {
  readonly recursionLimit: number;
  readonly streamMode: ('messages' | 'updates')[];
}

/** Runs a graph, and tells of the messages that its nodes add. */
export async function followGraph(
  conversation: Conversation,
  run: (options: FollowOptions) => Promise<AsyncIterable<unknown>>,
  streams: boolean,
): Promise<void> {
  const streamMode: FollowOptions['streamMode'] = streams ? ['messages', 'updates'] : ['updates'];
  for await (const told of await run({ recursionLimit: 2 * MAX_TURNS + 1, streamMode })) {
    const [mode, update] = told as [mode: string, update: Readonly<Record<string, Update>>];
    if (mode !== 'updates') continue;
    for (const { messages = [] } of Object.values(update))
      for (const message of messages)
        if (message instanceof AIMessage || message instanceof AIMessageChunk)
          tellTurn(conversation, message);
  }
}

interface Update {
  readonly messages?: readonly BaseMessage[];
}

type Run = (job: Job, conversation: Conversation) => Promise<void>;
type Clients = readonly (readonly [name: string, run: Run, streams: boolean])[];

export const LANGCHAIN_CLIENTS: Clients = [
  ['invoke', (job, seen) => loop(job, seen, connectChat, invoke), false],
  ['stream', (job, seen) => loop(job, seen, connectChat, stream), true],
  ['batch', (job, seen) => loop(job, seen, connectChat, batch), false],
  ['createReactAgent', (job, seen) => runAgent(job, seen, false), false],
  ['createReactAgent, streamed', (job, seen) => runAgent(job, seen, true), true],
];

export const LANGCHAIN_RESPONSES_CLIENTS: Clients = [
  ['responses invoke', (job, seen) => loop(job, seen, connectResponses, invoke, RESPONSES), false],
  ['responses stream', (job, seen) => loop(job, seen, connectResponses, stream, RESPONSES), true],
];

export const LANGCHAIN_ANTHROPIC_CLIENTS: Clients = [
  ['anthropic invoke', (job, seen) => loop(job, seen, connectAnthropic, invoke, ANTHROPIC), false],
  ['anthropic stream', (job, seen) => loop(job, seen, connectAnthropic, stream, ANTHROPIC), true],
];

/** What is streamed is put together by the integration, before anybody sees it. */
export const LANGCHAIN_STREAMED_INSIDE: Clients = [
  [
    'anthropic invoke, streamed inside',
    (job, seen) => loop(job, seen, anthropic(true), invoke, ANTHROPIC),
    true,
  ],
];
