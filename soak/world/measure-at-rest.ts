import { setTimeout as sleep } from 'node:timers/promises';
import type { Held } from './gateway-process.ts';

const EVERY_MS = 250;
/** So many looks in a row that find nothing less: it is at rest. */
const STEADY_LOOKS = 4;
const WITHIN_MS = 20_000;
/** Less than this is no less. */
const STEP_BYTES = 1024 * 1024;

/**
 * What a process holds once it lets nothing more go. Pages that a collection has emptied go back to the system from
 * another thread, and connections that nobody uses are closed some time later: on a busy machine, both are late. What
 * leaks does not become less, however long one waits.
 */
export async function measureAtRest(
  measure: () => Promise<Held>,
  wait: (ms: number) => Promise<unknown> = sleep,
): Promise<Held> {
  let least = await measure();
  let steady = 0;
  for (let waited = 0; steady < STEADY_LOOKS && waited < WITHIN_MS; waited += EVERY_MS) {
    await wait(EVERY_MS);
    const held = await measure();
    if (isLess(held, least)) steady = 0;
    else steady++;
    if (steady === 0) least = held;
  }
  return least;
}

const isLess = (held: Held, least: Held): boolean =>
  held.rss < least.rss - STEP_BYTES ||
  held.resources.length < least.resources.length ||
  (held.openFiles ?? 0) < (least.openFiles ?? 0);
