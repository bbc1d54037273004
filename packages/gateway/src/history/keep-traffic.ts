import type { Clock } from '@holdfast/core';
import type { Logger } from '../log/logger.ts';
import type { Traffic } from '../observe/traffic.ts';
import { TRAFFIC_SLOT_MS } from '../observe/traffic.ts';
import type { History } from './history.ts';

/** As many as a gateway writes in the hour that is shown, of some gateways in one folder. */
const MOST_RECORDS = 4000;

/**
 * Writes what was counted in each ten seconds to the history, and counts what this gateway wrote before it was
 * restarted, so that its charts go on. Returns what writes the rest and stops it.
 */
export function keepTraffic(
  traffic: Traffic,
  { history, gateway, clock, log }: KeepTrafficOptions,
): () => void {
  let from = clock.wallTime();
  let cancel = (): void => undefined;
  const write = (isLast: boolean): void => {
    const now = clock.wallTime();
    // The slot that is not over yet is written when it is, or when there is no more time.
    const to = isLast ? Infinity : Math.floor(now / TRAFFIC_SLOT_MS) * TRAFFIC_SLOT_MS;
    for (const slot of traffic.slots(from, to)) history.keep('traffic', now, slot);
    from = Math.min(to, now);
  };
  const again = (): void => {
    cancel = clock.setTimer(
      () => {
        write(false);
        again();
      },
      TRAFFIC_SLOT_MS,
      true,
    );
  };
  again();
  history
    .query({ kind: 'traffic', limit: MOST_RECORDS })
    .then((records) => {
      const known = new Set<unknown>();
      // A slot that was written twice, before and after a restart, counts as it was written last.
      for (const { about } of records) {
        if (about['gateway'] !== gateway || known.has(about['slot'])) continue;
        known.add(about['slot']);
        traffic.restore(about);
      }
    })
    .catch((error: unknown) => log.warn({ error }, 'the charts begin empty: history is not read'));
  return () => {
    cancel();
    write(true);
  };
}

export interface KeepTrafficOptions {
  readonly history: History;
  /** Whose records are counted again. */
  readonly gateway: string;
  readonly clock: Clock;
  readonly log: Logger;
}
