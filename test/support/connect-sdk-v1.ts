import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { nothingHeard, testAnswers, testCapabilities } from './mcp-test-client.ts';
import type { CalledTool, McpAddress, McpTestClient } from './mcp-test-client.ts';

/** Connects a client of SDK v1, which most clients are built on. */
export async function connectSdkV1(address: McpAddress): Promise<McpTestClient> {
  const heard = nothingHeard();
  const client = new Client(
    { name: 'test-v1', version: '1.0.0' },
    { capabilities: testCapabilities },
  );
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    heard.asked.push(params.message);
    return testAnswers.elicitation;
  });
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
    heard.asked.push(JSON.stringify(params.messages));
    return testAnswers.sampling;
  });
  client.setRequestHandler(ListRootsRequestSchema, () => testAnswers.roots);
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    heard.logged.push(params.data);
  });
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    heard.toolChanges += 1;
  });
  const transport =
    'url' in address
      ? new StreamableHTTPClientTransport(new URL(address.url))
      : new StdioClientTransport({
          command: process.execPath,
          args: [...address.start],
          stderr: 'ignore',
        });
  await client.connect(transport);
  const onprogress = ({ progress }: { readonly progress: number }): void =>
    void heard.progress.push(progress);
  return {
    revision:
      'url' in address ? (transport as StreamableHTTPClientTransport).protocolVersion : undefined,
    heard,
    listTools: async () => (await client.listTools()).tools,
    callTool: async (name, args = {}, signal, timeout) => {
      const options = { onprogress, ...(signal && { signal }), ...(timeout && { timeout }) };
      const result = await client.callTool({ name, arguments: args }, undefined, options);
      return result as CalledTool;
    },
    readResource: async (uri) => (await client.readResource({ uri })).contents,
    getPrompt: async (name, args = {}) =>
      (await client.getPrompt({ name, arguments: args })).messages,
    complete: async (prompt, argument, value) => {
      const ref = { type: 'ref/prompt' as const, name: prompt };
      const { completion } = await client.complete({ ref, argument: { name: argument, value } });
      return completion.values;
    },
    watchTools: async () => undefined,
    close: () => client.close(),
  };
}
