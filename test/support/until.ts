import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for what another process does, and gives up in the end. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 8_000;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error('it did not become true within 8 s');
    await sleep(10);
  }
}
