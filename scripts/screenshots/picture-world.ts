import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../../packages/gateway/src/config/load-config.ts';
import { startDemoUpstream } from '../../packages/gateway/src/demo-upstream/start-demo-upstream.ts';
import { memoryLogger } from '../../packages/gateway/src/log/memory-logger.case.ts';
import { startGateway } from '../../packages/gateway/src/start-gateway.ts';
import { connectSdkV2 } from '../../test/support/connect-sdk-v2.ts';
import { CatchUpClock } from './catch-up-clock.ts';

const SERVERS = {
  travel: ['get_quote', 'book_flight', 'find_hotel'],
  files: ['read_file', 'write_file', 'list_files'],
  payments: ['charge_card', 'refund'],
  search: ['web_search', 'open_page'],
} as const;

/** How one tool fails: which share of its calls, and with which words. */
export interface Mood {
  readonly share: number;
  readonly says: string;
}

/** A gateway that has been busy for a quarter of an hour. */
export interface PictureWorld {
  readonly url: string;
  readonly clock: CatchUpClock;
  readonly tools: readonly string[];
  turn(model: string, question: string, maxTokens?: number): Promise<string>;
  /** By the name that clients know it by. */
  call(tool: string, id: number): Promise<unknown>;
  /** From now on tools fail like this; those that are not named do not. */
  setMoods(moods: Readonly<Record<string, Mood>>): void;
  close(): Promise<void>;
}

const BEHIND_MS = 15 * 60_000;

export async function startPictureWorld(takesMs: number): Promise<PictureWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-pictures-'));
  const moodFile = join(folder, 'moods.json');
  const setMoods: PictureWorld['setMoods'] = (moods) => {
    // Whole or not at all: servers read it at any time.
    writeFileSync(`${moodFile}.next`, JSON.stringify(moods));
    renameSync(`${moodFile}.next`, moodFile);
  };
  setMoods({});
  const upstream = await startDemoUpstream({ pauseMs: 1 });
  const program = join(import.meta.dirname, 'flaky-server.mjs');
  const servers = Object.entries(SERVERS).map(([name, tools]): [string, object] => [
    name,
    { command: process.execPath, args: [program, moodFile, ...tools] },
  ]);
  const written = {
    listen: '127.0.0.1:0',
    upstreams: [
      {
        name: 'lm-studio',
        url: upstream.url,
        ...patience('connectTimeoutMs', 'firstByteTimeoutMs', 'idleTimeoutMs'),
      },
    ],
    mcp: {
      servers: Object.fromEntries(servers),
      ...patience('connectTimeoutMs', 'listTimeoutMs', 'timeoutMs'),
    },
    observe: { capture: true, reveal: true, history: false },
  };
  const loaded = loadConfig(JSON.stringify(written), {
    file: join(folder, 'holdfast.yaml'),
    env: {},
  });
  if (!loaded.ok) throw new Error(loaded.problems.map(({ message }) => message).join('\n'));
  const clock = new CatchUpClock(BEHIND_MS, takesMs);
  const gateway = await startGateway(loaded.config, { log: memoryLogger(), clock });
  const client = await connectSdkV2({ url: `${gateway.url}/mcp` });
  const tools = Object.entries(SERVERS).flatMap(([server, names]) =>
    names.map((name) => `${server}__${name}`),
  );
  // Servers come one by one.
  while ((await client.listTools()).length < tools.length) await sleep(200);
  return {
    url: gateway.url,
    clock,
    tools,
    setMoods,
    call: (tool, id) => client.callTool(tool, { id }),
    turn: (model, question, maxTokens) => ask(gateway.url, model, question, maxTokens),
    async close() {
      await client.close();
      await gateway.close();
      await upstream.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Where time flies, a moment of the machine is a minute. */
function patience(...names: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(names.map((name) => [name, 600_000]));
}

const TOOLS = [
  { name: 'get_weather', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
  { name: 'read_file', properties: { path: { type: 'string' } } },
].map(({ name, properties }) => ({
  type: 'function',
  function: { name, description: `Does ${name}`, parameters: { type: 'object', properties } },
}));

/** Resolves to the id of the request. */
async function ask(
  url: string,
  model: string,
  question: string,
  maxTokens?: number,
): Promise<string> {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      messages: [{ role: 'user', content: question }],
      tools: TOOLS,
      stream: true,
      ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    }),
  });
  await answer.text();
  return answer.headers.get('x-request-id') ?? '';
}
