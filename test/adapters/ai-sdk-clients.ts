import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { guardTools, repairToolCall, toolCallMiddleware } from '@holdfast/core/ai-sdk';
import type { ToolCallMiddlewareOptions } from '@holdfast/core/ai-sdk';
import { generateText, jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai';
import type { LanguageModel, ToolSet } from 'ai';
import { MAX_TURNS } from './conversation.ts';
import type { Conversation, Job } from './conversation.ts';

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

/** A model whose answers are mended. */
export const connect = (
  url: string,
  model: string,
  options: ToolCallMiddlewareOptions<'v3'> = {},
): LanguageModel =>
  wrapLanguageModel({
    model: createOpenAICompatible({ name: 'local', baseURL: `${url}/v1` }).chatModel(model),
    middleware: toolCallMiddleware(options),
  });

function settings({ url, model, tools }: Job, conversation: Conversation) {
  const toolSet: ToolSet = Object.fromEntries(
    tools.map(({ name, description = '', parameters = {} }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema(parameters),
        execute: (input) => conversation.runTool(name, input),
      }),
    ]),
  );
  return {
    model: connect(url, model),
    prompt: 'Please look.',
    tools: guardTools(toolSet),
    experimental_repairToolCall: repairToolCall,
    stopWhen: stepCountIs(MAX_TURNS),
    maxRetries: 0,
    onStepFinish: ({ text, finishReason }: { text: string; finishReason: string }) =>
      conversation.turn(text, finishReason),
  };
}

type Run = (job: Job, conversation: Conversation) => Promise<void>;

export const AI_SDK_CLIENTS: readonly (readonly [name: string, run: Run, streams: boolean])[] = [
  [
    'generateText',
    async (job, seen) => {
      await generateText(settings(job, seen));
    },
    false,
  ],
  [
    'streamText',
    async (job, seen) => {
      const onError = ({ error }: { error: unknown }): void => seen.fail(error);
      await streamText({ ...settings(job, seen), onError }).consumeStream();
    },
    true,
  ],
];
