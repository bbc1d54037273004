import type { Client } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { LivelyServer } from '../lively-server.case.ts';
import type { MemoryServer, ServerEras } from '../memory-gateway.case.ts';
import { httpGateway } from './http-gateway.case.ts';

const CAPABILITIES = { elicitation: { form: {} }, sampling: {}, roots: { listChanged: true } };
const CLIENT_ERAS = ['legacy', 'auto'] as const;
const SERVER_ERAS: readonly ServerEras[] = ['both', 'legacy', 'modern'];

function lively(
  eras: ServerEras,
  config: MemoryServer['config'] = {},
): { readonly made: LivelyServer[]; readonly server: MemoryServer } {
  const made: LivelyServer[] = [];
  const make = (): McpServer => {
    const each = new LivelyServer(eras);
    made.push(each);
    return each.server;
  };
  return { made, server: { make, eras, config } };
}

/** A legacy server that asks its client everything there is. */
function curiousServer(): McpServer {
  const server = new McpServer({ name: 'curious', version: '1' });
  server.registerTool('curious', { inputSchema: z.object({}) }, async () => {
    const sampled = await server.server.request({
      method: 'sampling/createMessage',
      params: {
        messages: [{ role: 'user', content: { type: 'text', text: 'Hm?' } }],
        maxTokens: 10,
      },
    });
    const { roots } = await server.server.request({ method: 'roots/list' });
    const said = sampled.content as { readonly text?: string };
    return { content: [{ type: 'text', text: `${said.text} ${roots[0]?.uri}` }] };
  });
  return server;
}

function answers(client: Client, name: string): string[] {
  const asked: string[] = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params.message);
    return { action: 'accept', content: { name } };
  });
  return asked;
}

async function textOf(call: ReturnType<Client['callTool']>): Promise<string> {
  const { content } = await call;
  const [first] = content;
  return first?.type === 'text' ? first.text : '';
}

describe.each(CLIENT_ERAS)('over HTTP a client of the %s era', (era) => {
  test.each(SERVER_ERAS)('is asked what a server wants to know that speaks %s', async (eras) => {
    const gateway = await httpGateway({ lively: lively(eras).server });
    const client = await gateway.connect(era, { capabilities: CAPABILITIES });
    const asked = answers(client, 'Ada');
    const call = client.callTool({ name: 'ask', arguments: {} });
    expect(await textOf(call)).toMatch(/^accept Ada/);
    expect(asked).toEqual(['Your name?']);
  });

  test('answers for its model and its roots', async () => {
    const gateway = await httpGateway({ curious: { make: curiousServer, eras: 'legacy' } });
    const client = await gateway.connect(era, { capabilities: CAPABILITIES });
    client.setRequestHandler('sampling/createMessage', () => ({
      model: 'm',
      role: 'assistant',
      content: { type: 'text', text: 'Ah.' },
    }));
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///home' }] }));
    expect(await textOf(client.callTool({ name: 'curious', arguments: {} }))).toBe(
      'Ah. file:///home',
    );
  });

  test.each(SERVER_ERAS)('hears of new tools of a server that speaks %s', async (eras) => {
    const { made, server } = lively(eras);
    const gateway = await httpGateway({ lively: server });
    let changes = 0;
    const onChanged = (): number => (changes += 1);
    const client = await gateway.connect(era, {
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged } },
    });
    expect((await client.listTools()).tools).toHaveLength(4);
    // The stream of news of a legacy client opens behind its handshake.
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const each of made) each.addTool('another');
    await expect.poll(() => changes).toBeGreaterThan(0);
    expect((await client.listTools()).tools).toHaveLength(5);
  });

  test.each(SERVER_ERAS)('hears of updates of a resource, server of %s', async (eras) => {
    const { made, server } = lively(eras);
    const gateway = await httpGateway({ lively: server });
    const client = await gateway.connect(era);
    const heard: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      heard.push(params.uri);
    });
    if (era === 'legacy') await client.subscribeResource({ uri: 'note://one' });
    else await client.listen({ resourceSubscriptions: ['note://one'] });
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (const each of made) {
      await each.server.server.sendResourceUpdated({ uri: 'note://one' }).catch(() => undefined);
      await each.server.server.sendResourceUpdated({ uri: 'note://two' }).catch(() => undefined);
    }
    await expect.poll(() => heard).toContain('note://one');
    expect(heard).not.toContain('note://two');
  });

  test('takes calls back', async () => {
    const { made, server } = lively('legacy');
    const gateway = await httpGateway({ lively: server });
    const client = await gateway.connect(era);
    const controller = new AbortController();
    const call = client.callTool({ name: 'wait', arguments: {} }, { signal: controller.signal });
    await new Promise((resolve) => setTimeout(resolve, 100));
    controller.abort('enough');
    await expect(call).rejects.toThrow('enough');
    await expect.poll(() => made.flatMap(({ ends }) => ends)).toEqual(['cancelled']);
  });
});

describe('two clients at once', () => {
  test.each(CLIENT_ERAS)('are not asked each other’s questions (%s)', async (era) => {
    const gateway = await httpGateway({ lively: lively('legacy').server });
    const first = await gateway.connect(era, { capabilities: CAPABILITIES });
    const second = await gateway.connect(era, { capabilities: CAPABILITIES });
    const asked = [answers(first, 'Ada'), answers(second, 'Bob')];
    const waiting = new AbortController();
    const other = second.callTool({ name: 'wait', arguments: {} }, { signal: waiting.signal });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const result = await first.callTool({ name: 'ask', arguments: {} });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toContain('instances: per-client');
    expect(asked.flat()).toEqual([]);
    waiting.abort('enough');
    await expect(other).rejects.toThrow('enough');
  });

  test('are each asked by a server of their own', async () => {
    const { server, made } = lively('legacy', { instances: 'per-client' });
    const gateway = await httpGateway({ lively: server });
    const names = ['Ada', 'Bob'];
    const clients = await Promise.all(
      names.map(() => gateway.connect('legacy', { capabilities: CAPABILITIES })),
    );
    clients.forEach((client, at) => answers(client, names[at] ?? ''));
    const calls = clients.map((client) => textOf(client.callTool({ name: 'ask', arguments: {} })));
    expect(await Promise.all(calls)).toEqual(['accept Ada', 'accept Bob']);
    // One more is there for the lists.
    expect(made).toHaveLength(3);
  });

  test('hear only of their own progress, and of logs only what is theirs for sure', async () => {
    const gateway = await httpGateway({ lively: lively('legacy').server });
    const first = await gateway.connect('legacy');
    const second = await gateway.connect('legacy');
    const logs: unknown[] = [];
    const told: unknown[] = [];
    first.setNotificationHandler('notifications/message', ({ params }) => {
      logs.push(params.data);
    });
    second.setNotificationHandler('notifications/message', ({ params }) => {
      told.push(params.data);
    });
    second.setNotificationHandler('notifications/progress', ({ params }) => {
      told.push(params);
    });
    await first.request({ method: 'logging/setLevel', params: { level: 'warning' } });
    await first.callTool({ name: 'log', arguments: {} });
    const steps: number[] = [];
    await first.callTool(
      { name: 'progress', arguments: {} },
      { onprogress: ({ progress }) => steps.push(progress) },
    );
    await second.callTool({ name: 'progress', arguments: {} });
    expect(logs).toEqual(['loud']);
    expect(steps).toEqual([1, 2, 3]);
    expect(told).toEqual([]);
  });

  test('subscribe to one resource, and one of them leaves', async () => {
    const { made, server } = lively('legacy');
    const gateway = await httpGateway({ lively: server });
    const heard: string[] = [];
    const [first, second] = await Promise.all(
      ['first', 'second'].map(async (name) => {
        const client = await gateway.connect('legacy');
        client.setNotificationHandler('notifications/resources/updated', () => {
          heard.push(name);
        });
        await client.subscribeResource({ uri: 'note://one' });
        return client;
      }),
    );
    await first?.unsubscribeResource({ uri: 'note://one' });
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const each of made) await each.server.server.sendResourceUpdated({ uri: 'note://one' });
    await expect.poll(() => heard).toEqual(['second']);
    const subscribed = (): readonly string[] => made.flatMap((each) => each.subscribed);
    expect(subscribed()).toEqual(['note://one']);
    await second?.unsubscribeResource({ uri: 'note://one' });
    expect(subscribed()).toEqual([]);
  });
});

describe('the endpoint', () => {
  test('closes promptly while streams are open', async () => {
    const gateway = await httpGateway({ lively: lively('both').server });
    const legacy = await gateway.connect('legacy');
    const modern = await gateway.connect('auto');
    await modern.listen({ toolsListChanged: true });
    await legacy.listTools();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const before = performance.now();
    await gateway.close();
    expect(performance.now() - before).toBeLessThan(2000);
  });

  test.each([
    ['{"jsonrpc":', 400, 'not valid JSON'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/list"}', 400, 'Mcp-Session-Id header is missing'],
  ])('refuses %s', async (body, status, why) => {
    const gateway = await httpGateway({ lively: lively('both').server });
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const refused = await fetch(gateway.url, { method: 'POST', headers, body });
    expect(refused.status).toBe(status);
    expect(await refused.text()).toContain(why);
    const unknown = { ...headers, 'mcp-session-id': 'unknown' };
    const gone = await fetch(gateway.url, { headers: unknown });
    expect(gone.status).toBe(404);
    expect((await fetch(gateway.url, { headers })).status).toBe(400);
  });
});
