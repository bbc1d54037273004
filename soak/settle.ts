import { setTimeout as sleep } from 'node:timers/promises';
import type { Traffic } from './clients/traffic.ts';
import { checkEventsArrive } from './invariants/events-arrive.ts';
import type { Sample } from './invariants/flat.ts';
import { checkHistory } from './invariants/history-whole.ts';
import { checkNoInternalErrors } from './invariants/no-internal-errors.ts';
import { checkNothingLeft } from './invariants/nothing-left.ts';
import { sampleGateway } from './world/sample-gateway.ts';
import type { World } from './world/world.ts';

/** Connections that nobody uses are closed by then: the gateway's own to model servers, ours to it. */
const QUIET_MS = 2500;

/** Waits until everybody has what they came for, looks whether all is in order, and counts what the gateway holds. */
export async function settle(world: World, traffic: Traffic): Promise<Sample> {
  const { door, gateway, ledger, effects, violations } = world;
  await traffic.settled();
  await checkNothingLeft(world);
  await checkEventsArrive(world);
  await checkHistory(world);
  effects.ran(ledger.read());
  effects.settle();
  checkNoInternalErrors(world);
  await traffic.endSessions();
  door.hangUp();
  await sleep(QUIET_MS);
  return sampleGateway(gateway, violations.seconds);
}
