import { ManualClock } from '../testing/manual-clock.ts';
import { createResilience } from './create-resilience.ts';
import type { Resilience } from './create-resilience.ts';
import { formatGuardEvent } from './format-guard-event.ts';

/** The functions over circuits of their own, on a clock that stands still, with the lines they told. */
export function resilienceWith(): Resilience & {
  readonly clock: ManualClock;
  readonly lines: readonly string[];
} {
  const clock = new ManualClock();
  const lines: string[] = [];
  const resilience = createResilience({
    clock,
    onEvent: (event) => lines.push(formatGuardEvent(event)),
  });
  return { clock, lines, ...resilience };
}

/** What may pass. */
export const unavailable = (): Error => Object.assign(new Error('unavailable'), { status: 503 });
/** What will not. */
export const broken = (): Promise<never> => Promise.reject(new Error('broken'));
export const hang = (): Promise<never> => new Promise(() => undefined);

/** Waits for what is under way, with the clock moving on, and returns what it threw. */
export async function errorOf(
  call: Promise<unknown>,
  clock: ManualClock,
  withinMs = 120_000,
): Promise<unknown> {
  let error: unknown;
  call.catch((thrown: unknown) => {
    error = thrown;
  });
  await clock.advance(withinMs);
  return error;
}
