import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { httpGateway } from './http-gateway.case.ts';
import type { HttpGateway } from './http-gateway.case.ts';
import type { MemoryServer } from '../memory-gateway.case.ts';

/** A server with a destructive tool that runs without arguments, and what that tool received. */
function wiper(): { readonly server: MemoryServer; readonly received: unknown[] } {
  const received: unknown[] = [];
  const make = (): McpServer => {
    const server = new McpServer({ name: 'wiper', version: '1' });
    server.registerTool('wipe', { inputSchema: z.looseObject({}) }, (args) => {
      received.push(args);
      return { content: [{ type: 'text', text: 'wiped' }] };
    });
    return server;
  };
  return { server: { make }, received };
}

describe.each(['legacy', 'auto'] as const)('a call of a client of the %s era', (era) => {
  const called = async (
    given: unknown,
    settings: Parameters<typeof httpGateway>[1] = {},
  ): Promise<{
    readonly reply: Awaited<ReturnType<Awaited<ReturnType<HttpGateway['connect']>>['callTool']>>;
    readonly received: readonly unknown[];
  }> => {
    const { server, received } = wiper();
    const client = await (await httpGateway({ wiper: server }, settings)).connect(era);
    // The SDK sends what it is given.
    const reply = await client.callTool({ name: 'wipe', arguments: given as never });
    return { reply, received };
  };

  test.each([[null], [[{ path: 'a' }]], [7], [true], ['{"path":'], ['/etc'], [''], ['"{}"']])(
    'does not run the tool when its arguments are %j',
    async (given) => {
      for (const check of [true, false]) {
        const { reply, received } = await called(given, { check });
        expect(received).toEqual([]);
        expect(reply.isError).toBe(true);
        expect(reply.content).toMatchObject([
          { text: expect.stringContaining('expected an object') as string },
        ]);
      }
    },
  );

  test.each([true, false])(
    'runs with the object that its arguments hold as text, check: %s',
    async (check) => {
      const { reply, received } = await called('{"path":"a"}', { check });
      expect(received).toEqual([{ path: 'a' }]);
      expect(reply._meta).toMatchObject({
        'holdfast/repairs': [expect.stringContaining('is an object with path')],
      });
    },
  );

  test('runs without arguments when none were sent', async () => {
    const { reply, received } = await called(undefined);
    expect(received).toEqual([{}]);
    expect(reply._meta).not.toHaveProperty('holdfast/repairs');
  });
});
