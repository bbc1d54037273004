// Compiled, not run: a wrapped model has the types of the model, and so have guarded tools.
import { guardTools, wrapChatModel } from '@holdfast/core/langchain';
import type { AIMessageChunk } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { StateGraph, MessagesAnnotation } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';

const model: ChatOpenAI = wrapChatModel(new ChatOpenAI({ model: 'local' }), { format: 'qwen' });

// LangChain 0.3 has no type for the input that a JSON Schema asks for.
const readFile = tool((input: unknown) => JSON.stringify(input).length, {
  name: 'read_file',
  description: 'Reads a file.',
  schema: { type: 'object', properties: { path: { type: 'string' } } },
});
const [guarded] = guardTools([readFile], {
  timeoutMs: 5_000,
  toolSettings: { read_file: { annotations: { readOnlyHint: true } } },
});
const same: typeof readFile = guarded;

const bound = model.bindTools([guarded]);
const answer: AIMessageChunk = await bound.invoke('Please look.');
for (const call of answer.tool_calls ?? []) use(call.name satisfies string, call.args);
for await (const chunk of await bound.stream('Please look.')) use(chunk satisfies AIMessageChunk);

const graph = new StateGraph(MessagesAnnotation)
  .addNode('model', async ({ messages }) => ({ messages: [await bound.invoke(messages)] }))
  .addNode('tools', new ToolNode([guarded]))
  .addEdge('__start__', 'model')
  .compile();
const { messages } = await graph.invoke({ messages: 'Please look.' });

// @ts-expect-error a tool is no model
wrapChatModel(readFile);
// @ts-expect-error no such option
wrapChatModel(model, { formats: ['qwen'] });
// @ts-expect-error a model is no tool
guardTools([model]);

use(same, messages.length satisfies number);

function use(..._values: readonly unknown[]): void {}
