import { expect, onTestFinished, test } from 'vitest';
import { callTool } from '../soak/clients/call-tool.ts';
import { checkEndsCleanly } from '../soak/invariants/ends-cleanly.ts';
import { checkFlat } from '../soak/invariants/flat.ts';
import type { Sample } from '../soak/invariants/flat.ts';
import { Violations } from '../soak/invariants/violations.ts';
import { sampleGateway } from '../soak/world/sample-gateway.ts';
import { startWorld } from '../soak/world/world.ts';
import type { World } from '../soak/world/world.ts';

const SEED = 7;
/** As many samples as the shortest run has. */
const SAMPLES = 4;
const CALLS = 250;
const LOST_BYTES = 32 * 1024;

/** What `flat` finds in samples is in soak.test.ts; a leak in a real gateway takes twenty seconds. */
const isFull = process.env['HOLDFAST_FULL'] === '1';

const violations = new Violations(SEED, () => undefined);
let made = 0;

async function samplesOfCalls(world: World): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  while (samples.length < SAMPLES) {
    const calls = Array.from({ length: CALLS }, () => {
      const id = `c${made++}`;
      return callTool(world, world.modern, { id, name: 'till__pay', args: { id } });
    });
    await Promise.all(calls);
    world.door.hangUp();
    samples.push(await sampleGateway(world.gateway, violations.seconds));
  }
  return samples;
}

const TITLE =
  'the soak run sees a gateway that keeps something of every request, and only that one';

test.runIf(isFull)(TITLE, { timeout: 180_000 }, async () => {
  const world = await startWorld(SEED, violations, { mayMount: false });
  onTestFinished(() => world.close());
  checkFlat(await samplesOfCalls(world), violations);
  expect(violations.list).toEqual([]);

  await world.gateway.leak(LOST_BYTES);
  checkFlat(await samplesOfCalls(world), violations);
  const grown = violations.list.map(({ invariant, message }) => `${invariant}: ${message}`);
  expect(grown).toContainEqual(expect.stringMatching(/^flat: heapBytes grew/));
  expect(grown).toContainEqual(expect.stringMatching(/^flat: externalBytes grew/));

  await checkEndsCleanly(world, world.ledger.pids);
  expect(violations.list.filter(({ invariant }) => invariant !== 'flat')).toEqual([]);
});
