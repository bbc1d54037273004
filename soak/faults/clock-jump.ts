import { gatewayWorks } from '../world/probes.ts';
import type { Fault } from './fault.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The wall clock of the gateway jumps, forwards or backwards, and later back again. */
export const clockJump: Fault = {
  kind: 'clock-jump',
  target: 'clock',
  minMs: 1000,
  maxMs: 5000,
  begin: async ({ world: { gateway }, dice }) => {
    const size = dice.chance(0.5)
      ? dice.between(1000, 10 * MINUTE_MS)
      : dice.between(0.1, 2) * DAY_MS;
    await gateway.shiftClock(Math.round(dice.chance(0.5) ? size : -size));
    return () => gateway.shiftClock(0);
  },
  hits: ({ gateway }) => gateway.wrongClockReads(),
  hasRecovered: gatewayWorks,
};
