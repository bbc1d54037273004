// Two gateways share one circuit through a real Redis: what the first finds out, the second knows.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { CircuitFleet, Circuits, formatGuardEvent } from '@holdfast/core/guard';
import { RedisCircuitStore } from '@holdfast/core/redis';

const folder = await mkdtemp(join(tmpdir(), 'fleet-'));
const socket = join(folder, 'redis.sock');
const args = ['--port', '0', '--unixsocket', socket, '--save', ''];
const server = spawn('redis-server', args, { stdio: 'ignore' });
const isMissing = await Promise.race([
  once(server, 'spawn').then(() => false),
  once(server, 'error').then(() => true),
]);
if (isMissing) {
  console.log('left out: there is no redis-server here');
  process.exit(0);
}

async function start(replica: string) {
  const client = createClient({ socket: { path: socket, tls: false } });
  client.on('error', () => undefined);
  await client.connect();
  const fleet = new CircuitFleet({ store: new RedisCircuitStore({ client }), replica });
  const circuits = new Circuits({
    fleet,
    onEvent: (event) => {
      console.log(`  [${replica}: ${formatGuardEvent(event)}]`);
    },
  });
  const stop = async (): Promise<void> => {
    await fleet.close();
    client.destroy();
  };
  return { payments: circuits.get('payments'), stop };
}

const [one, two] = [await start('one'), await start('two')];
const fail = (): Promise<never> => Promise.reject(new Error('HTTP 502'));

console.log('-- it fails for the first, five times --');
for (let call = 0; call < 5; call++) await one.payments.call(fail).catch(() => undefined);
while (two.payments.state !== 'open') await sleep(10);
console.log(`for the second it is ${two.payments.state}, without a call of its own`);

console.log('-- somebody resets it on the second --');
two.payments.reset('the bank is back');
while (one.payments.state !== 'closed') await sleep(10);
assert.equal(await one.payments.call(() => 'paid'), 'paid');

await Promise.all([one.stop(), two.stop()]);
server.kill();
await rm(folder, { recursive: true });
