import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Random } from '@holdfast/core/guard';
import type { RedisClient } from '@holdfast/core/redis';
import { Misuse } from '../cli/misuse.ts';
import type { StoreConfig } from '../config/gateway-config.ts';
import type { Logger } from '../log/logger.ts';

export interface RedisConnection {
  readonly client: RedisClient;
  /** The text under a key, which is this one where there was none. Rejects where Redis does not answer in time. */
  getOrSet(key: string, text: string): Promise<string>;
  close(): void;
}

const LONGEST_PAUSE_MS = 500;
const PING_EVERY_MS = 2_000;
/** The gateway starts without Redis, too. */
const LONGEST_START_MS = 1_000;
/** A connection on which not even a ping is answered is dead, whatever the system thinks of it. */
const SILENT_FOR_MS = 5_000;
/** While Redis is away only a word now and then waits for it; this is for the moment in which it goes. */
const MOST_WAITING = 10_000;

/** A connection to Redis, which is made and made again in the background. Rejects where there is no client to make it with. */
export async function connectRedis(
  { url, cluster }: StoreConfig,
  { log, random }: { readonly log: Logger; readonly random: Random },
): Promise<RedisConnection> {
  const { createClient, createCluster } = await loadClient();
  const options = {
    socket: {
      connectTimeout: 2_000,
      socketTimeout: SILENT_FOR_MS,
      reconnectStrategy: (retries: number) =>
        Math.min(50 * 2 ** retries, LONGEST_PAUSE_MS) * (0.5 + random() / 2),
    },
    pingInterval: PING_EVERY_MS,
    commandsQueueMaxLength: MOST_WAITING,
  };
  const client = cluster
    ? createCluster({ rootNodes: [{ url }], defaults: options })
    : createClient({ url, ...options });
  // Without a listener, a connection that breaks would end the process. Whether the store is lost is told by the fleet.
  client.on('error', (error: unknown) => {
    log.debug({ error }, 'the connection to Redis broke');
  });
  client.connect().catch((error: unknown) => {
    log.debug({ error }, 'there is no connection to Redis');
  });
  return {
    client,
    getOrSet: async (key, text) => {
      const asked = client.eval(GET_OR_SET, { keys: [key], arguments: [text] });
      const found: unknown = await Promise.race([asked, late()]);
      if (typeof found !== 'string') throw new Error('Redis did not answer in time');
      return found;
    },
    close: () => client.destroy(),
  };
}

/** Of commands that the store needs, too: its user may have the right to no others. */
const GET_OR_SET = `local text = redis.call('HGET', KEYS[1], 'text')
if text then return text end
redis.call('HSET', KEYS[1], 'text', ARGV[1])
return ARGV[1]`;

function late(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, LONGEST_START_MS).unref());
}

async function loadClient(): Promise<typeof import('@redis/client')> {
  try {
    return await import('@redis/client');
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND')
      throw error;
    throw new Misuse(
      `store: expected the package @redis/client beside holdfast, which is not installed; install it with: ${installCommand(fileURLToPath(import.meta.url))}`,
    );
  }
}

/** What installs the package where this file finds it: in the project, or beside a program that all projects share. */
function installCommand(here: string): string {
  const at = here.indexOf(`${sep}node_modules${sep}`);
  const folder = at < 0 ? undefined : here.slice(0, at);
  if (folder === undefined) return 'npm install @redis/client';
  if (!existsSync(join(folder, 'package.json'))) return 'npm install -g @redis/client';
  return `npm install --prefix ${folder} @redis/client`;
}
