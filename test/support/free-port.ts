import { once } from 'node:events';
import { createServer } from 'node:net';

/** Ports of a cluster's nodes need the one 10,000 above them too. */
const BUS = 10_000;
const LOWEST = 21_000;
const HIGHEST = 29_999;
const TRIES = 200;

/** A port of loopback that nobody listens on, nor on the one that a node of a cluster there would use. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if ((await isFree(port)) && (await isFree(port + BUS))) return port;
  }
  throw new Error(`no free port between ${LOWEST} and ${HIGHEST} in ${TRIES} tries`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
