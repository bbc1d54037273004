import { COSTLY_BODIES, sendCostly } from '../../test/support/costly-bodies.ts';
import type { Busy } from '../world/gateway-process.ts';
import type { World } from '../world/world.ts';

/** For how long other clients may wait, on the processor of the gateway. */
const MOST_STRETCH_MS = 50;
/** Garbage may be collected in all but one of them. */
const TRIES = 6;

/** No request or response delays others or takes unbounded memory. */
export async function checkResponsive(world: Omit<World, 'close'>): Promise<void> {
  const { gateway, costly: upstream, violations } = world;
  for (const costly of COSTLY_BODIES) {
    upstream.answerFor(costly);
    let best: Busy = { longestMs: Infinity, grownBytes: Infinity };
    for (let tries = 0; tries < TRIES && best.longestMs > MOST_STRETCH_MS; tries++) {
      await gateway.loop();
      const statuses = await sendCostly(gateway.url, costly);
      violations.check(
        'answered',
        statuses.every((status) => costly.statuses.includes(status)),
        () =>
          `${costly.name} was answered ${statuses.join(', ')}, not ${costly.statuses.join(', ')}`,
      );
      const busy = await gateway.loop();
      if (busy.longestMs < best.longestMs) best = busy;
    }
    const { longestMs, grownBytes } = best;
    violations.check(
      'responsive',
      longestMs <= MOST_STRETCH_MS && grownBytes <= costly.mostBytes,
      () =>
        `${costly.name} held up the event loop for ${longestMs.toFixed(0)} ms of at most ${MOST_STRETCH_MS}, and took ${grownBytes} bytes of at most ${costly.mostBytes}`,
    );
  }
}
