import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { connectSdkV1 } from './support/connect-sdk-v1.ts';
import { connectSdkV2 } from './support/connect-sdk-v2.ts';
import { fixtureCommand } from './support/mcp-fixture/fixture-command.ts';
import type { McpAddress, McpTestClient } from './support/mcp-test-client.ts';
import { startMcpGateway, wrapServer } from './support/start-mcp-gateway.ts';
import type { Serving } from './support/start-serving.ts';

type Connect = (address: McpAddress) => Promise<McpTestClient>;

const clients: readonly (readonly [name: string, connect: Connect])[] = [
  ['SDK v1', connectSdkV1],
  ['SDK v2, 2025-11-25', (address) => connectSdkV2(address, 'legacy')],
  ['SDK v2, 2026-07-28', (address) => connectSdkV2(address, 'modern')],
];

const isFull = process.env['HOLDFAST_FULL'] === '1';

/**
 * The server behind the gateway is asked in its own era, whatever the client speaks. The short run asks the one
 * that eras have to be translated for; the other is held against the conformance suite too.
 */
const servers: readonly (readonly [name: string, legacyOnly: boolean])[] = [
  ...(isFull ? [['a server of both eras', false] as const] : []),
  ['a server of 2025-11-25', true],
];

const text = (said: unknown) => [{ type: 'text', text: said }];

describe.for(servers)('%s', ([, legacyOnly]) => {
  const command = fixtureCommand({ over: 'stdio', legacyOnly });
  let serving: Promise<Serving> | undefined;

  afterAll(async () => (await serving)?.close());

  const addresses: readonly (readonly [name: string, address: () => Promise<McpAddress>])[] = [
    ['over stdio', async () => ({ start: wrapServer([process.execPath, ...command]) })],
    [
      'over HTTP',
      async () => {
        const fixture = { command: process.execPath, args: command };
        return { url: (await (serving ??= startMcpGateway({ mcpServers: { fixture } }))).url };
      },
    ],
  ];

  describe.for(addresses)('behind the gateway %s', ([, address]) => {
    describe.for(clients)('to a client of %s', ([, connect]) => {
      let client: McpTestClient | undefined;
      const connected = async (): Promise<McpTestClient> =>
        (client ??= await connect(await address()));

      afterEach(() => {
        client?.heard.asked.splice(0);
      });
      afterAll(() => client?.close());

      test('shows its tools, prompts, resources and completions', async () => {
        const { listTools, readResource, getPrompt, complete } = await connected();

        expect((await listTools()).map(({ name }) => name)).toContain('test_simple_text');
        expect(await readResource('test://template/7/data')).toMatchObject([
          { uri: 'test://template/7/data', text: expect.stringContaining('"id":"7"') as string },
        ]);
        expect(JSON.stringify(await getPrompt('test_simple_prompt'))).toContain('simple prompt');
        expect(await complete('test_prompt_with_arguments', 'arg1', 'par')).toEqual([
          'paris',
          'park',
          'party',
        ]);
      });

      test('answers calls, and says what went wrong', async () => {
        const { callTool } = await connected();

        const said = 'This is a simple text response for testing.';
        expect(await callTool('test_simple_text')).toMatchObject({ content: text(said) });
        expect(await callTool('test_error_handling')).toMatchObject({ isError: true });
      });

      test('reports progress while a call runs', async () => {
        const { callTool, heard } = await connected();
        const begins = async (): Promise<readonly number[]> => {
          heard.progress.splice(0);
          await callTool('test_tool_with_progress');
          return heard.progress.slice(0, 2);
        };

        // What comes with the answer is lost on the SDK's clients: the last always, all where the machine stalls.
        await expect.poll(begins, { timeout: 8_000 }).toEqual([0, 50]);
      });

      test('asks the user and the model of the client', async () => {
        const { callTool, heard } = await connected();

        const asked = await callTool('test_elicitation', { message: 'Who are you?' });
        expect(JSON.stringify(asked.content)).toContain('ada@example.com');
        const answered = await callTool('test_sampling', { prompt: 'What now?' });
        expect(JSON.stringify(answered.content)).toContain('A model said this');
        expect(heard.asked).toEqual(['Who are you?', expect.stringContaining('What now?')]);
      });

      test('asks twice in one call', async () => {
        const { callTool, heard } = await connected();
        const { content } = await callTool('test_input_required_result_multi_round');

        expect(content).toEqual(text('Both questions are answered'));
        expect(heard.asked).toHaveLength(2);
      });

      test('tells that its tools changed, and shows the new ones', async () => {
        const { callTool, listTools, watchTools, heard } = await connected();
        await watchTools();
        const before = await listTools();
        const { toolChanges } = heard;
        await callTool('test_trigger_tool_change');

        await vi.waitFor(() => expect(heard.toolChanges).toBeGreaterThan(toolChanges));
        await vi.waitFor(async () => {
          expect(await listTools()).not.toHaveLength(before.length);
        });
      });
    });
  });
});
