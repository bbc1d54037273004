import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { nothingHeard, testAnswers, testCapabilities } from './mcp-test-client.ts';
import type { McpAddress, McpTestClient } from './mcp-test-client.ts';

/** Connects a client of SDK v2, in the era of `initialize` or in that of 2026-07-28. */
export async function connectSdkV2(
  address: McpAddress,
  era: 'legacy' | 'modern' = 'legacy',
): Promise<McpTestClient> {
  const heard = nothingHeard();
  const client = new Client(
    { name: 'test-v2', version: '1.0.0' },
    {
      capabilities: testCapabilities,
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
    },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => {
    heard.asked.push(params.message);
    return testAnswers.elicitation;
  });
  client.setRequestHandler('sampling/createMessage', ({ params }) => {
    heard.asked.push(JSON.stringify(params.messages));
    return testAnswers.sampling;
  });
  client.setRequestHandler('roots/list', () => testAnswers.roots);
  client.setNotificationHandler('notifications/message', ({ params }) => {
    heard.logged.push(params.data);
  });
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    heard.toolChanges += 1;
  });
  await client.connect(
    'url' in address
      ? new StreamableHTTPClientTransport(new URL(address.url))
      : new StdioClientTransport({
          command: process.execPath,
          args: [...address.start],
          stderr: 'ignore',
        }),
  );
  const onprogress = ({ progress }: { readonly progress: number }): void =>
    void heard.progress.push(progress);
  return {
    revision: client.getNegotiatedProtocolVersion(),
    heard,
    listTools: async () => (await client.listTools()).tools,
    callTool: (name, args = {}, signal, timeout) =>
      client.callTool(
        { name, arguments: args },
        { onprogress, ...(signal && { signal }), ...(timeout && { timeout }) },
      ),
    readResource: async (uri) => (await client.readResource({ uri })).contents,
    getPrompt: async (name, args = {}) =>
      (await client.getPrompt({ name, arguments: args })).messages,
    complete: async (prompt, argument, value) => {
      const ref = { type: 'ref/prompt' as const, name: prompt };
      const { completion } = await client.complete({ ref, argument: { name: argument, value } });
      return completion.values;
    },
    watchTools: async () => {
      if (era === 'modern') await client.listen({ toolsListChanged: true });
    },
    close: () => client.close(),
  };
}
