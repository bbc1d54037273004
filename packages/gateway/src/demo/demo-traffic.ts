import type { Clock, JsonObject } from '@holdfast/core';
import type { Logger } from '../log/logger.ts';
import { objectOf } from '../proxy/json/json-fields.ts';
import { wait } from '../proxy/upstream/wait.ts';
import { DemoAgent } from './demo-agent.ts';
import type { DemoTool } from './demo-model.ts';
import { DEMO_STORIES } from './demo-stories.ts';

export interface DemoTrafficOptions {
  readonly clock: Clock;
  readonly log: Logger;
}

/** Lets the agents of the demo work through a gateway, until what it returns is called. */
export function startDemoTraffic(url: string, options: DemoTrafficOptions): () => Promise<void> {
  const { log } = options;
  const stop = new AbortController();
  const running = runAgents(url, options, stop.signal).catch((error: unknown) => {
    if (!stop.signal.aborted) log.warn({ error }, 'the traffic of the demo has ended');
  });
  return async () => {
    stop.abort();
    await running;
  };
}

async function runAgents(
  url: string,
  { clock, log }: DemoTrafficOptions,
  signal: AbortSignal,
): Promise<void> {
  // Slow to load, and the gateway should listen first.
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const client = new Client({ name: 'demo-agents', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  const { tools } = await client.listTools();
  const offered: readonly DemoTool[] = tools.map(({ name, description = '', inputSchema }) => ({
    name,
    description,
    inputSchema: objectOf(inputSchema),
  }));
  try {
    await Promise.all(
      DEMO_STORIES.map(async (story) => {
        const agent = new DemoAgent(story, {
          url,
          tools: offered,
          signal,
          callTool: async ({ name, arguments: args }, aborted): Promise<JsonObject> =>
            objectOf(await client.callTool({ name, arguments: args }, { signal: aborted })),
        });
        while (!signal.aborted) {
          await agent.next().catch((error: unknown) => {
            if (!signal.aborted) log.debug({ error, agent: story.agent }, 'an agent gave up');
          });
          await wait(story.pauseMs, clock, signal).catch(() => undefined);
        }
      }),
    );
  } finally {
    await client.close().catch(() => undefined);
  }
}
