import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { freePort } from './ports.mjs';

const LOOK_EVERY_MS = 20;
const GIVE_UP_AFTER_MS = 15_000;

/** A real Redis on a free port of loopback, which keeps nothing. */
export async function startRedis() {
  const port = await freePort();
  const args = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', args.map(String), { stdio: 'ignore' });
  const missing = once(child, 'error').then(([error]) => {
    throw new Error(`redis-server is needed on the path: ${error.message}`);
  });
  const url = `redis://127.0.0.1:${port}`;
  await Promise.race([untilAnswering(url), missing]);
  missing.catch(() => undefined);
  return {
    url,
    /** While it is halted it takes connections and answers nothing. */
    halt: () => child.kill('SIGSTOP'),
    goOn: () => child.kill('SIGCONT'),
    stop: () => once(child.kill('SIGKILL') && child, 'close'),
  };
}

async function untilAnswering(url) {
  for (let waited = 0; waited < GIVE_UP_AFTER_MS; waited += LOOK_EVERY_MS) {
    try {
      const client = await createClient({ url, socket: { reconnectStrategy: false } })
        .on('error', () => undefined)
        .connect();
      client.destroy();
      return;
    } catch {
      await sleep(LOOK_EVERY_MS);
    }
  }
  throw new Error('redis-server does not answer');
}

/** Commands that clients of ours have asked for so far, by what Redis counts; what scripts do within is not among them. */
export async function commandsAsked(client) {
  const stats = await client.info('commandstats');
  const asked = stats.matchAll(/^cmdstat_(?:eval|evalsha|publish|spublish):calls=(\d+)/gm);
  return [...asked].reduce((sum, [, calls]) => sum + Number(calls), 0);
}

export const connectRedis = (url) =>
  createClient({ url, commandOptions: { timeout: 60_000 } })
    .on('error', () => undefined)
    .connect();
