import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;
const GIVE_UP_AFTER_MS = 15_000;

/** A port that nobody listens on. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Waits until a server of HTTP answers there, whatever it says. */
export async function untilListening(port) {
  for (let waited = 0; waited < GIVE_UP_AFTER_MS; waited += LOOK_EVERY_MS) {
    try {
      await fetch(`http://127.0.0.1:${port}/`, { method: 'HEAD' });
      return;
    } catch {
      await sleep(LOOK_EVERY_MS);
    }
  }
  throw new Error(`nothing listens on port ${port}`);
}
