import type { ChildProcess } from 'node:child_process';
import type { Clock } from '@holdfast/core';
import type { ProcessGroup } from './process-group.ts';

export interface EndGroupOptions {
  /** How long it has for each step. */
  readonly graceMs: number;
  readonly clock: Clock;
  /** Whether nobody is left. */
  readonly isGone: () => boolean;
  /** Tells when it ends; of the others in the group nobody tells. */
  readonly leader: ChildProcess;
}

/** How often it is looked whether those are gone of whom nobody tells. */
const LOOK_EVERY_MS = 20;

/**
 * Ends a group whose input was closed: waits for it, then asks with SIGTERM, then ends it with SIGKILL. Where
 * the first process has gone by itself, those it left behind are asked at once. Resolves to false where even
 * that did not help in time.
 */
export async function endGroup(group: ProcessGroup, options: EndGroupOptions): Promise<boolean> {
  const { leader } = options;
  const hasLed = (): boolean => leader.exitCode !== null || leader.signalCode !== null;
  await until(options, () => options.isGone() || hasLed());
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (options.isGone()) return true;
    group.signal(signal);
    await until(options, options.isGone);
  }
  return options.isGone();
}

/**
 * Ends what left the group, where the system shows it: asks with SIGTERM, then ends it with SIGKILL. Resolves to false
 * where even that did not help in time.
 */
export async function endMarked(
  group: ProcessGroup,
  { clock, graceMs }: Pick<EndGroupOptions, 'clock' | 'graceMs'>,
): Promise<boolean> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!(await group.signalMarked(signal))) return true;
    const until = clock.now() + graceMs;
    do {
      await new Promise<void>((resolve) => void clock.setTimer(resolve, LOOK_EVERY_MS));
      if (!(await group.signalMarked(0))) return true;
    } while (clock.now() < until);
  }
  return false;
}

/** Resolves when it is true, or when the time is up. */
function until({ clock, graceMs, leader }: EndGroupOptions, isTrue: () => boolean): Promise<void> {
  const startedAt = clock.now();
  return new Promise((resolve) => {
    let cancel = (): void => undefined;
    const look = (): void => {
      cancel();
      if (isTrue() || clock.now() - startedAt >= graceMs) {
        leader.off('exit', look);
        resolve();
        return;
      }
      cancel = clock.setTimer(look, LOOK_EVERY_MS);
    };
    // First of all listeners, it is told in the same tick, but by then the exit is known.
    leader.on('exit', look);
    look();
  });
}
