import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from '../world/world.ts';

const WITHIN_MS = 15_000;

/** Once nobody asks for anything, nothing is under way: no request of a client, no answer of a model server. */
export async function checkNothingLeft(world: World): Promise<void> {
  const { violations } = world;
  const until = performance.now() + WITHIN_MS;
  let left = await whatIsLeft(world);
  while (left !== '' && performance.now() < until) {
    await sleep(100);
    left = await whatIsLeft(world);
  }
  violations.check('answered', left === '', () => `nobody asks for anything, and ${left}`);
}

async function whatIsLeft(world: World): Promise<string> {
  const { door, models, turnWithinMs } = world;
  const left = Object.values(models)
    .filter(({ running }) => running > 0)
    .map(({ name, running }) => `${running} answers of ${name} are held open`);
  const what = 'GET /metrics';
  const asked = { what, method: 'GET', path: '/metrics', withinMs: turnWithinMs } as const;
  const metrics = (await door.ask(asked))?.body ?? '';
  for (const line of metrics.split('\n')) {
    const isCount = !line.startsWith('#') && line.includes('_in_flight');
    if (isCount && !line.endsWith(' 0')) left.push(`the metrics have ${line}`);
  }
  return left.join('; ');
}
