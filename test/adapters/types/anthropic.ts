// Compiled, not run: a wrapped client has the types of the client, and so have guarded tools.
import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { guardTools, wrapAnthropic } from '@holdfast/core/anthropic';
import { checkToolCall } from '@holdfast/core/check';
import { parseToolCalls } from '@holdfast/core/parse';

const client: Anthropic = wrapAnthropic(new Anthropic());
const body = { model: 'local', max_tokens: 10, messages: [] };

const message: Anthropic.Message = await client.messages.create(body);
const names: string[] = message.content.flatMap((block) =>
  block.type === 'tool_use' ? [block.name] : [],
);
for await (const event of await client.messages.create({ ...body, stream: true }))
  if (event.type === 'content_block_delta' && event.delta.type === 'text_delta')
    use(event.delta.text satisfies string);
const streamed: Anthropic.Message = await client.messages.stream(body).finalMessage();

const tools = guardTools([
  betaTool({
    name: 'read_file',
    description: 'Reads a file.',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    run: ({ path }) => path.toUpperCase(),
  }),
]);
const last = await client.beta.messages.toolRunner({ ...body, tools });

// Tools as the SDK has them are taken as they are.
const offered: Anthropic.Tool[] = [{ name: 'read_file', input_schema: { type: 'object' } }];
const withHosted: Anthropic.ToolUnion[] = [
  ...offered,
  { type: 'web_search_20250305', name: 'web_search' },
];
for (const call of parseToolCalls('', { tools: withHosted }).calls)
  use(checkToolCall(call, offered));

// @ts-expect-error no such option
wrapAnthropic(client, { eager: true });

use(names, streamed, last.id satisfies string);

function use(..._values: readonly unknown[]): void {}
