import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from '../world/world.ts';

const WITHIN_MS = 5000;

/** A reader that reads knows of all that has happened. */
export async function checkEventsArrive({ door, readers, violations }: World): Promise<void> {
  const stream = await door.listen('/api/v1/events');
  const lastSeq = await new Promise<number>((resolve, reject) => {
    stream.setEncoding('utf8').once('data', (chunk: string) => {
      resolve(Number(/"last_seq":(\d+)/.exec(chunk)?.[1]));
    });
    stream.once('error', reject);
  }).finally(() => stream.destroy());
  const order = readers[0]?.order;
  const until = performance.now() + WITHIN_MS;
  const isThere = (): boolean => (order?.lastSeq ?? 0) >= lastSeq;
  while (!isThere() && performance.now() < until) await sleep(25);
  violations.check(
    'events-in-order',
    isThere(),
    () => `the last event is ${lastSeq}, and a reader is at ${String(order?.lastSeq)}`,
  );
}
