import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { memoryGateway } from '../memory-gateway.case.ts';

/** Hangs at whatever it is asked, and knows a tool that it does not list. */
function mute(): McpServer {
  const server = new McpServer({ name: 'mute', version: '1' });
  const never = new Promise<never>(() => undefined);
  server.registerPrompt('hang', { argsSchema: z.object({}) }, () => never);
  server.registerTool('hidden', { inputSchema: z.object({}) }, () => never);
  server.server.setRequestHandler('tools/list', () => ({ tools: [] }));
  return server;
}

describe('what a server is asked', () => {
  const config = { timeoutMs: 50 };

  test('is given up when it stays silent, prompts too', async () => {
    const { connect, close } = memoryGateway({ mute: { make: mute, config } });
    const client = await connect();
    await expect(client.getPrompt({ name: 'hang', arguments: {} })).rejects.toThrow(
      'prompts/get of mute',
    );
    await close();
  });

  test('is guarded where it is a tool that is not listed', async () => {
    const { connect, close } = memoryGateway({ mute: { make: mute, config } });
    const client = await connect();
    const result = await client.callTool({ name: 'hidden', arguments: {} });
    expect(result).toMatchObject({ isError: true, _meta: { circuit_failures_in_window: 1 } });
    await close();
  });

  test('is nothing where several servers are there and none has it', async () => {
    const { connect, close } = memoryGateway({ one: { make: mute }, two: { make: mute } });
    const client = await connect();
    const unknown = client.callTool({ name: `two__${'x'.repeat(10_000)}`, arguments: {} });
    await expect(unknown).rejects.toMatchObject({ code: -32_602 });
    await expect(unknown).rejects.toSatisfy((error: Error) => error.message.length < 300);
    await close();
  });
});
