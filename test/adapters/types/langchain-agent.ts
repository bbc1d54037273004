// Compiled, not run: `createMiddleware` takes the hooks, and `createAgent` what it makes of them; guarded tools keep
// the type of their input.
import { guardTools, toolCallMiddleware } from '@holdfast/core/langchain';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, createMiddleware, tool } from 'langchain';
import type { AgentMiddleware } from 'langchain';

const holdfast: AgentMiddleware = createMiddleware(
  toolCallMiddleware({ format: 'qwen', guard: { timeoutMs: 5_000 } }),
);

const readFile = tool(({ path }: { path: string }) => path.length, {
  name: 'read_file',
  description: 'Reads a file.',
  schema: { type: 'object', properties: { path: { type: 'string' } } },
});
const [guarded] = guardTools([readFile], { timeoutMs: 5_000 });
const same: typeof readFile = guarded;

const agent = createAgent({
  model: new ChatOpenAI({ model: 'local' }),
  tools: [readFile, guarded],
  middleware: [holdfast, createMiddleware(toolCallMiddleware({ guard: false }))],
});
const { messages } = await agent.invoke({ messages: 'Please look.' });

// @ts-expect-error no such option
toolCallMiddleware({ guards: {} });

use(same, messages.length satisfies number);

function use(..._values: readonly unknown[]): void {}
