import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { GRACE_MS } from '../world/gateway-config.ts';
import type { World } from '../world/world.ts';

/** Beyond the time that answers have to end. */
const SLACK_MS = 5000;

/** Told to stop, the gateway ends with 0 in time, and no process that it started is left. */
export async function checkEndsCleanly(
  world: World,
  startedPids: readonly number[],
): Promise<void> {
  const { gateway, violations, readers } = world;
  for (const reader of readers) reader.expectEnd();
  const ending = await gateway.stop(GRACE_MS + SLACK_MS);
  violations.check(
    'ends-cleanly',
    ending === '0',
    () => `told to stop, the gateway ended with ${ending ?? 'nothing'}`,
  );
  const until = performance.now() + SLACK_MS;
  let left = startedPids.filter(isToolServer);
  while (left.length > 0 && performance.now() < until) {
    await sleep(50);
    left = left.filter(isToolServer);
  }
  violations.check(
    'ends-cleanly',
    left.length === 0,
    () => `tool servers outlive the gateway: ${left.join(', ')}`,
  );
}

/** Whether it still runs, and is not somebody else's process of the same number. */
function isToolServer(pid: number): boolean {
  try {
    const isOurs = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('tool-server.mjs');
    return isOurs && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
