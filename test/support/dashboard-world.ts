import { join } from 'node:path';
import { startDemoUpstream } from '../../packages/gateway/src/demo-upstream/start-demo-upstream.ts';
import { connectSdkV2 } from './connect-sdk-v2.ts';
import type { CalledTool, McpTestClient } from './mcp-test-client.ts';
import { root } from './repository.ts';

/** What goes on in front of a dashboard: a model, servers of tools whose mood can be changed, and who uses them. */
export interface DashboardWorld {
  /** For a gateway: its upstream and its servers. */
  readonly config: object;
  /** Has a model call a tool, in its own dialect; cut off after `maxTokens`. Resolves to the id of the request. */
  turn(url: string, model: string, maxTokens?: number): Promise<string>;
  /** Calls a tool of an MCP server, by the name that clients know it by. */
  call(url: string, tool: string): Promise<CalledTool>;
  /** From now on the tools of the server are `fine`, `failing` or `picky`. */
  mood(url: string, server: string, is: string): Promise<void>;
  close(): Promise<void>;
}

const MOODY = join(root, 'test', 'support', 'moody-server.mjs');

export interface WorldOptions {
  /** Servers, and their tools. */
  readonly servers?: Readonly<Record<string, readonly string[]>>;
  readonly openForMs?: number;
  /** Between two pieces of an answer. */
  readonly pauseMs?: number;
  /** Of the gateways, where they ask for one. */
  readonly token?: string;
}

const SERVERS = { travel: ['get_quote', 'book_flight'], files: ['read_file'] };

const CALLS_OF_CLIENT = 1000;

const WEATHER = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather of a city',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city'],
    },
  },
};

export async function startDashboardWorld(options: WorldOptions = {}): Promise<DashboardWorld> {
  const { servers = SERVERS, openForMs = 60_000, pauseMs = 0, token } = options;
  const upstream = await startDemoUpstream({ pauseMs });
  const clients = new Map<string, Promise<McpTestClient>>();
  let asked = 0;
  const clientOf = (url: string): Promise<McpTestClient> => {
    // The SDK's client listens to one signal for every call, and Node warns when there are very many.
    const key = `${url} ${Math.floor(asked++ / CALLS_OF_CLIENT)}`;
    const known = clients.get(key) ?? connectSdkV2({ url: `${url}/mcp` });
    clients.set(key, known);
    return known;
  };
  const started = Object.entries(servers).map(([name, tools]): [string, object] => [
    name,
    {
      command: process.execPath,
      args: [MOODY, ...tools],
      circuit: { consecutiveFailures: 3, openForMs },
    },
  ]);
  return {
    config: {
      upstreams: [{ name: 'demo', url: upstream.url }],
      mcp: { servers: Object.fromEntries(started) },
    },
    async turn(url, model, maxTokens) {
      const body = {
        model,
        ...(maxTokens !== undefined && { max_tokens: maxTokens }),
        messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
        tools: [WEATHER],
      };
      const answer = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token !== undefined && { 'x-holdfast-token': token }),
        },
        body: JSON.stringify(body),
      });
      const said = await answer.text();
      if (!answer.ok) throw new Error(said);
      return answer.headers.get('x-request-id') ?? '';
    },
    async call(url, tool) {
      return (await clientOf(url)).callTool(tool);
    },
    async mood(url, server, is) {
      await (await clientOf(url)).callTool(`${server}__mood`, { is });
    },
    async close() {
      await Promise.allSettled([...clients.values()].map(async (client) => (await client).close()));
      await upstream.close();
    },
  };
}
