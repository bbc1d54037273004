import type { Attempt } from './doctor-report.ts';
import type { DoctorClient } from './doctor-client.ts';
import { USUAL_PORTS } from './guess-server.ts';
import { readModelList } from './read-model-list.ts';

/** Servers on this machine answer a list of models at once. */
const QUICK_MS = 1_500;

/** What else was tried, and the addresses at which a model server answers. */
export interface Surroundings {
  readonly tried: readonly Attempt[];
  readonly found: readonly string[];
}

/**
 * Looks for a model server near an address that had none: at the usual path, and on this machine at the usual
 * ports. No other host is asked, and none is sent a key.
 */
export async function lookAround(
  url: string,
  client: DoctorClient,
  ports: readonly number[] = Object.keys(USUAL_PORTS).map(Number),
): Promise<Surroundings> {
  const { origin, hostname, port, protocol } = new URL(url);
  const addresses = new Set([`${origin}/v1`]);
  if (isThisMachine(hostname) && protocol === 'http:') {
    for (const usual of ports.filter((each) => String(each) !== port)) {
      addresses.add(`http://${hostname}:${usual}/v1`);
    }
  }
  addresses.delete(url);
  const looked = await Promise.all(
    [...addresses].map(async (address) => {
      const asked = await client.ask(`${address}/models`, { timeoutMs: QUICK_MS });
      const ok = asked.ok && asked.status === 200 && readModelList(asked.body) !== undefined;
      const outcome = asked.ok
        ? `answered ${asked.status}${ok ? ' with a list of models' : ', and no list of models'}`
        : asked.failure.message;
      return { address, attempt: { request: `GET ${address}/models`, ok, outcome } };
    }),
  );
  return {
    tried: looked.map(({ attempt }) => attempt),
    found: looked.filter(({ attempt }) => attempt.ok).map(({ address }) => address),
  };
}

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
