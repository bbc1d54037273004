// Compiled, not run: the middleware fits the SDK of any version, and guarded tools are the tools they were.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { guardTools, repairToolCall, toolCallMiddleware } from '@holdfast/core/ai-sdk';
import { checkToolCall } from '@holdfast/core/check';
import { parseToolCalls } from '@holdfast/core/parse';
import { generateText, jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai';
import type { ToolSet } from 'ai';
import { z } from 'zod';

const model = wrapLanguageModel({
  model: createOpenAICompatible({ name: 'local', baseURL: 'http://127.0.0.1' }).chatModel('local'),
  middleware: [toolCallMiddleware(), toolCallMiddleware({ format: 'qwen' })],
});

const tools = guardTools(
  {
    read_file: tool({
      description: 'Reads a file.',
      inputSchema: jsonSchema<{ path: string }>({ type: 'object' }),
      execute: ({ path }) => ({ size: path.length }),
    }),
    ask: tool({
      description: 'Asks the user.',
      inputSchema: jsonSchema<{ question: string }>({ type: 'object' }),
      execute: ({ question }) => `${question} Yes.`,
    }),
  },
  { toolSettings: { read_file: { annotations: { readOnlyHint: true } } } },
);

const settings = {
  model,
  prompt: 'Please look.',
  tools,
  stopWhen: stepCountIs(3),
  experimental_repairToolCall: repairToolCall,
};
const { toolResults } = await generateText(settings);
for (const result of toolResults)
  if (result.toolName === 'read_file' && result.dynamic !== true)
    use(result.output.size satisfies number, result.input.path);
for (const call of await streamText(settings).toolCalls)
  if (call.toolName === 'ask' && call.dynamic !== true) use(call.input.question satisfies string);

// A tool set is taken as it is, with schemas of any kind.
const toolSet: ToolSet = { ...tools, now: tool({ inputSchema: z.object({ zone: z.string() }) }) };
for (const call of parseToolCalls('', { tools: toolSet }).calls) use(checkToolCall(call, tools));

guardTools(tools, {
  // @ts-expect-error no such tool
  toolSettings: { write_file: {} },
});
// @ts-expect-error no such version
toolCallMiddleware({ specificationVersion: 'v1' });

function use(..._values: readonly unknown[]): void {}
