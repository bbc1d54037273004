import { callable, object } from '../internal/check-options.ts';
import type { OptionRule } from '../internal/check-options.ts';
import type { Clock } from '../internal/clock.ts';
import { systemClock } from '../internal/clock.ts';
import { systemRandom } from '../internal/random.ts';
import type { Random } from '../internal/random.ts';
import type { GuardEventListener } from './guard-event.ts';

/** What everything in guard takes from outside. */
export interface GuardEnvironment {
  /** Where time comes from. @defaultValue the system's clock */
  readonly clock?: Clock;
  /** Where chance comes from. @defaultValue Math.random */
  readonly random?: Random;
  /** Told what happens. What it throws is dropped: watching must not break a call. */
  readonly onEvent?: GuardEventListener | undefined;
}

/** How these are checked, wherever they are given. */
export const ENVIRONMENT_RULES: Readonly<Record<keyof GuardEnvironment, OptionRule>> = {
  clock: object,
  random: callable,
  onEvent: callable,
};

/** A `GuardEnvironment` in which nothing is left to be guessed. */
export interface ResolvedEnvironment {
  readonly clock: Clock;
  readonly random: Random;
  readonly emit: GuardEventListener | undefined;
}

export function resolveEnvironment({
  clock = systemClock,
  random = systemRandom,
  onEvent,
}: GuardEnvironment): ResolvedEnvironment {
  return { clock, random, emit: onEvent === undefined ? undefined : quietly(onEvent) };
}

function quietly(onEvent: GuardEventListener): GuardEventListener {
  return (event) => {
    try {
      onEvent(event);
    } catch {
      // The one who watches has failed, not the call.
    }
  };
}
