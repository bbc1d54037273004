import type { Clock, JsonObject } from '@holdfast/core';
import { backoffDelay } from '@holdfast/core/guard';
import type { BackoffSettings } from '@holdfast/core/guard';
import type { Connection } from './connection.ts';

export interface KeepListeningOptions {
  readonly connection: Pick<Connection, 'isOver' | 'listen'>;
  /** What is to be told, as the protocol asks for it. */
  readonly filter: JsonObject;
  /** How long the server may take to take it on. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** From now on the server tells. */
  readonly onListening?: () => void;
  /** It does not any more; what happens until the next `onListening` is not heard of. */
  readonly onLost?: () => void;
}

const BACKOFF: BackoffSettings = {
  initialDelayMs: 1000,
  multiplier: 2,
  maxDelayMs: 60_000,
  jitter: 'equal',
};

/**
 * Hears of changes from a modern server as long as the connection lasts, again whenever the stream of news ends.
 * Rejects where the server does not take it on at first. Resolves with what ends it.
 */
export async function keepListening(options: KeepListeningOptions): Promise<() => void> {
  const { connection, filter, timeoutMs, clock, onListening, onLost } = options;
  let stop = (): void => undefined;
  let isStopped = false;
  let failures = 0;
  const begin = async (): Promise<void> => {
    const end = await connection.listen(filter, timeoutMs, lost);
    failures = 0;
    if (isStopped) end();
    else {
      stop = end;
      onListening?.();
    }
  };
  const again = (): void => {
    if (isStopped || connection.isOver) return;
    stop = clock.setTimer(
      () => void begin().catch(again),
      backoffDelay(++failures, BACKOFF, Math.random),
      true,
    );
  };
  const lost = (): void => {
    if (isStopped) return;
    onLost?.();
    again();
  };
  await begin();
  return () => {
    isStopped = true;
    stop();
  };
}
