import { McpServer } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { LivelyServer } from './lively-server.case.ts';
import { memoryGateway } from './memory-gateway.case.ts';
import type { MemoryServer, ServerEras } from './memory-gateway.case.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

function gateway(...given: Parameters<typeof memoryGateway>): ReturnType<typeof memoryGateway> {
  const made = memoryGateway(...given);
  closers.push(made.close);
  return made;
}

function echoServer(): McpServer {
  const server = new McpServer({ name: 'echo', version: '1' }, { instructions: 'Say something.' });
  server.registerTool(
    'echo',
    {
      description: 'Says it again',
      inputSchema: z.object({ text: z.string(), times: z.number().optional() }),
    },
    ({ text, times = 1 }) => ({ content: [{ type: 'text', text: text.repeat(times) }] }),
  );
  return server;
}

const CLIENT_ERAS = ['legacy', 'auto'] as const;
const SERVER_ERAS: readonly ServerEras[] = ['both', 'legacy', 'modern'];

describe.each(CLIENT_ERAS)('a client of the %s era', (mode) => {
  describe.each(SERVER_ERAS)('and a server that speaks %s', (eras) => {
    const echo: MemoryServer = { make: echoServer, eras };
    const options = { versionNegotiation: { mode } } as const;

    test('lists and calls tools', async () => {
      const client = await gateway({ echo }).connect(options);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(['echo']);
      const result = await client.callTool({ name: 'echo', arguments: { text: 'hi' } });
      expect(result.content).toEqual([{ type: 'text', text: 'hi' }]);
      expect(result._meta).toMatchObject({ circuit_calls_in_window: 1, circuit_half_open: false });
      expect(client.getInstructions()).toBe('Say something.');
      expect(client.getServerVersion()).toMatchObject({ name: 'echo' });
    });

    function lively(): { readonly made: LivelyServer[]; readonly server: MemoryServer } {
      const made: LivelyServer[] = [];
      const make = (): McpServer => {
        const each = new LivelyServer(eras);
        made.push(each);
        return each.server;
      };
      return { made, server: { make, eras } };
    }

    test('is asked what the server wants to know', async () => {
      const client = await gateway({ lively: lively().server }).connect({
        ...options,
        capabilities: { elicitation: { form: {} } },
      });
      client.setRequestHandler('elicitation/create', ({ params }) => {
        expect(params.message).toBe('Your name?');
        return { action: 'accept', content: { name: 'Ada' } };
      });
      const { content, isError } = await client.callTool({ name: 'ask', arguments: {} });
      expect(isError ?? false).toBe(false);
      expect(content[0]).toMatchObject({ text: expect.stringMatching(/^accept Ada/) as string });
    });

    test('hears of progress', async () => {
      const client = await gateway({ lively: lively().server }).connect(options);
      const heard: unknown[] = [];
      await client.callTool(
        { name: 'progress', arguments: {} },
        { onprogress: (progress) => heard.push(progress) },
      );
      expect(heard).toEqual(
        [1, 2, 3].map((n) => ({ progress: n, total: 3, message: `step ${n}` })),
      );
    });

    test('takes calls back', async () => {
      const { made, server } = lively();
      const client = await gateway({ lively: server }).connect(options);
      const controller = new AbortController();
      const call = client.callTool({ name: 'wait', arguments: {} }, { signal: controller.signal });
      await expect.poll(() => made.length).toBeGreaterThan(0);
      await new Promise((resolve) => setTimeout(resolve, 100));
      controller.abort('enough');
      await expect(call).rejects.toThrow('enough');
      await expect.poll(() => made.flatMap(({ ends }) => ends)).toEqual(['cancelled']);
    });

    test('reads resources, completes and gets prompts', async () => {
      const client = await gateway({ lively: lively().server }).connect(options);
      const { resources } = await client.listResources();
      expect(resources.map(({ uri }) => uri)).toEqual(['note://one']);
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['page://{number}']);
      const read = await client.readResource({ uri: 'page://7' });
      expect(read.contents).toMatchObject([{ uri: 'page://7', text: 'page 7' }]);
      const { completion } = await client.complete({
        ref: { type: 'ref/resource', uri: 'page://{number}' },
        argument: { name: 'number', value: '1' },
      });
      expect(completion.values).toEqual(['1', '10']);
      const prompt = await client.getPrompt({ name: 'greet', arguments: { name: 'Ada' } });
      expect(prompt.messages).toMatchObject([{ content: { text: 'Greet Ada' } }]);
    });

    test('hears of updates of a resource', async () => {
      const { made, server } = lively();
      const client = await gateway({ lively: server }).connect(options);
      const heard: string[] = [];
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
        heard.push(params.uri);
      });
      if (mode === 'legacy') await client.subscribeResource({ uri: 'note://one' });
      else await client.listen({ resourceSubscriptions: ['note://one'] });
      await new Promise((resolve) => setTimeout(resolve, 100));
      for (const uri of ['note://two', 'note://one']) {
        for (const each of made) await each.server.server.sendResourceUpdated({ uri });
      }
      await expect.poll(() => heard).toContain('note://one');
      expect(heard).not.toContain('note://two');
    });

    test('hears of new tools', async () => {
      const { made, server } = lively();
      const client = await gateway({ lively: server }).connect({
        ...options,
        listChanged: {
          tools: { autoRefresh: false, debounceMs: 0, onChanged: () => (changes += 1) },
        },
      });
      let changes = 0;
      expect((await client.listTools()).tools).toHaveLength(4);
      const before = changes;
      for (const each of made) each.addTool('another');
      await expect.poll(() => changes).toBeGreaterThan(before);
      expect((await client.listTools()).tools).toHaveLength(5);
    });
  });
});

test('a server that asks for roots when it starts gets those of the client', async () => {
  const roots: unknown[] = [];
  const make = (): McpServer => {
    const server = new McpServer({ name: 'rooted', version: '1' });
    const ask = async (): Promise<void> => {
      roots.push((await server.server.request({ method: 'roots/list' })).roots);
    };
    server.server.oninitialized = () => void ask();
    server.server.setNotificationHandler('notifications/roots/list_changed', ask);
    return server;
  };
  await gateway({ rooted: { make, eras: 'legacy' } }).connect(
    { capabilities: { roots: {} }, versionNegotiation: { mode: 'legacy' } },
    (client) =>
      client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///home' }] })),
  );
  await expect.poll(() => roots.at(-1)).toEqual([{ uri: 'file:///home' }]);
});
