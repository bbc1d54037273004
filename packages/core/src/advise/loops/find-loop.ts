import { hashText } from '../../internal/hash-text.ts';
import type { RecentCall } from '../recent-call.ts';
import type { Loop } from './loop.ts';
import type { Step } from './steps.ts';
import { stepsOf } from './steps.ts';

/** How often the same must happen before anyone says so, and before a call is stopped for it. */
export const LOOP_LIMITS: Readonly<
  Record<'repeats' | 'repeatsToVeto' | 'laps' | 'lapsToVeto' | 'longestCycle', number>
> = Object.freeze({ repeats: 3, repeatsToVeto: 5, laps: 3, lapsToVeto: 5, longestCycle: 4 });

/** The repetition that the last call completes: the same call with the same result, or a cycle of few. */
export function findLoop(calls: readonly RecentCall[]): Loop | undefined {
  const { call, result } = calls.at(-1) ?? { call: '', result: '' };
  // Most calls are new: then there is nothing to put together.
  if (!occurs(calls, LOOP_LIMITS.laps, (past) => past.call === call && past.result === result))
    return undefined;
  const steps = stepsOf(calls);
  const last = steps.at(-1);
  if (last === undefined) return undefined;
  const { laps: times } = lapsAtEnd(steps, 1);
  if (times >= LOOP_LIMITS.repeats)
    return last.mayRepeat
      ? undefined
      : { rule: 'no-progress', times, about: last.key, period: 1, tools: last.tools };
  for (let period = 2; period <= LOOP_LIMITS.longestCycle; period++) {
    const { laps, isWhole } = lapsAtEnd(steps, period);
    if (laps < LOOP_LIMITS.laps || !isWhole) continue;
    const lap = steps.slice(-period);
    if (!lap.every(({ mayRepeat }) => mayRepeat)) return cycleOf(lap, laps);
  }
  return undefined;
}

/**
 * The repetition that a call would go on with, so far that it should be stopped. Its result is not known
 * yet: what it did the last time stands for it.
 */
export function findLoopToVeto(
  calls: readonly RecentCall[],
  next: Pick<RecentCall, 'call' | 'mayRepeat'>,
): Loop | undefined {
  if (next.mayRepeat) return undefined;
  if (!occurs(calls, LOOP_LIMITS.lapsToVeto - 1, ({ call }) => call === next.call))
    return undefined;
  const steps = stepsOf(calls);
  for (let period = 1; period <= LOOP_LIMITS.longestCycle; period++) {
    const past = steps.at(-period);
    if (past === undefined || past.doing !== next.call) continue;
    const expected = [...steps, past];
    const { laps, isWhole } = lapsAtEnd(expected, period);
    const limit = period === 1 ? LOOP_LIMITS.repeatsToVeto : LOOP_LIMITS.lapsToVeto;
    if (laps < limit || !isWhole) continue;
    const lap = expected.slice(-period);
    if (period > 1) return cycleOf(lap, laps);
    return { rule: 'no-progress', times: laps - 1, about: past.key, period, tools: past.tools };
  }
  return undefined;
}

function occurs(
  calls: readonly RecentCall[],
  least: number,
  isIt: (call: RecentCall) => boolean,
): boolean {
  let found = 0;
  for (const call of calls) if (isIt(call) && ++found >= least) return true;
  return false;
}

/** How many whole laps of a period stand at the end, and whether the last one ends with the last step. */
function lapsAtEnd(
  steps: readonly Step[],
  period: number,
): { readonly laps: number; readonly isWhole: boolean } {
  let matched = 0;
  for (let at = steps.length - 1; at >= period; at--) {
    const step = steps[at];
    const before = steps[at - period];
    if (step === undefined || before === undefined || step.key !== before.key) break;
    matched++;
  }
  return { laps: Math.floor(matched / period) + 1, isWhole: matched % period === 0 };
}

function cycleOf(lap: readonly Step[], times: number): Loop {
  return {
    rule: 'cycle',
    times,
    // A cycle is the same wherever it is entered.
    about: hashText(
      lap
        .map(({ doing }) => doing)
        .sort()
        .join(),
    ),
    period: lap.length,
    tools: [...new Set(lap.flatMap(({ tools }) => tools))],
  };
}
