import { ADVISOR_DEFAULTS } from '../advisor-options.ts';
import type { AdvisorOptions } from '../advisor-options.ts';
import { SAME_ERROR_LIMIT } from '../give-advice.ts';
import { isCounted, isNoOutcome } from '../is-counted.ts';
import { LOOP_LIMITS } from '../loops/find-loop.ts';
import type { Classification } from '../classification.ts';
import type { CallFacts } from './call-facts.ts';
import type { PairedCall, Round } from './pair-calls.ts';

type Limits = Pick<AdvisorOptions, 'toolThreshold' | 'stepBackFailures' | 'stepBackWindow'>;

/**
 * Whether the last round can call for advice at all. Most rounds cannot, and to see that, only a few of the
 * results before have to be read, however long the conversation is. It may be wrong only in saying yes.
 */
export function mayNeedAdvice(
  rounds: readonly Round[],
  facts: CallFacts,
  limits: Limits = {},
): boolean {
  const last = rounds.at(-1)?.calls ?? [];
  const earlier = rounds.slice(0, -1);
  const before = earlier.flatMap(({ calls }) => calls);
  const failed = last.filter((call) => hasFailed(call, facts));
  return (
    last.some((call) => isSeenAgain(call, [...before, ...last], failed.includes(call), facts)) ||
    failed.some((call) => failsAgain(call, before, facts, limits)) ||
    (failed.length > 0 && failsOften(failed.length, earlier, facts, limits))
  );
}

function hasFailed(call: PairedCall, facts: CallFacts): boolean {
  const outcome = facts.outcomeOf(call);
  return outcome !== undefined && isCounted(outcome);
}

/** Whether a call was made so often that it can be part of a loop. To fail, twice is enough. */
function isSeenAgain(
  call: PairedCall,
  all: readonly PairedCall[],
  failed: boolean,
  facts: CallFacts,
): boolean {
  const limit = failed ? 2 : Math.min(LOOP_LIMITS.repeats, LOOP_LIMITS.laps);
  // Names are cheap to compare, arguments are not.
  const spelling = facts.spellingOf(call);
  const alike = all.filter((other) => facts.spellingOf(other) === spelling);
  if (alike.length < limit) return false;
  const identity = facts.identityOf(call);
  return alike.filter((other) => facts.identityOf(other) === identity).length >= limit;
}

/** Whether a tool that failed has failed before and not worked since, or does not exist. */
function failsAgain(
  failed: PairedCall,
  before: readonly PairedCall[],
  facts: CallFacts,
  { toolThreshold = ADVISOR_DEFAULTS.toolThreshold }: Limits,
): boolean {
  if (facts.outcomeOf(failed)?.type === 'unknown_tool' || toolThreshold <= 1) return true;
  let failures = 1;
  let isRow = true;
  for (const past of before.toReversed()) {
    if (past.call.tool !== failed.call.tool) continue;
    const outcome = facts.outcomeOf(past);
    if (outcome === undefined || isNoOutcome(outcome)) continue;
    if (isCounted(outcome)) {
      failures++;
      if ((isRow && failures >= toolThreshold) || failures >= SAME_ERROR_LIMIT) return true;
    } else {
      isRow = false;
      if (outcome.status !== 'failure' && !facts.hasLooked(past)) return false;
    }
  }
  return false;
}

/** Whether so many of the last calls have failed, whatever their tools, that it can be time to step back. */
function failsOften(
  failedNow: number,
  before: readonly Round[],
  facts: CallFacts,
  {
    stepBackFailures = ADVISOR_DEFAULTS.stepBackFailures,
    stepBackWindow = ADVISOR_DEFAULTS.stepBackWindow,
  }: Limits,
): boolean {
  let missing = stepBackFailures - failedNow;
  let room = stepBackWindow - 1;
  for (const round of before.toReversed()) {
    for (const outcome of outcomesIn(round, facts).toReversed()) {
      if (missing <= 0 || missing > room) return missing <= 0;
      room--;
      if (isCounted(outcome)) missing--;
    }
  }
  return missing <= 0;
}

/** What came of the calls of a round. Calls of one tool that ended alike are one, as they are to the advisor. */
function outcomesIn({ calls }: Round, facts: CallFacts): readonly Classification[] {
  const outcomes = new Map<string, Classification>();
  for (const past of calls) {
    const outcome = facts.outcomeOf(past);
    if (outcome === undefined || isNoOutcome(outcome)) continue;
    const alike = `${past.call.tool} ${outcome.status} ${outcome.type ?? ''}`;
    if (!outcomes.has(alike)) outcomes.set(alike, outcome);
  }
  return [...outcomes.values()];
}
