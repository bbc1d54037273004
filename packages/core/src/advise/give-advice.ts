import { FAILURE_TYPES } from '../internal/failure-types.ts';
import { nearestNames } from '../internal/tool-names.ts';
import type { AdvicePart } from './advice.ts';
import type { AdviceTable } from './advice-table.ts';
import { failureText, loopText, unknownToolText } from './advice-text.ts';
import type { AdvisorState } from './advisor-state.ts';
import type { FailureType } from './classification.ts';
import { isCounted } from './is-counted.ts';
import { failuresInARow } from './history.ts';
import { sameCallFailures, sameErrorFailures, unknownToolCalls } from './loops/failure-loops.ts';
import { findLoop } from './loops/find-loop.ts';
import type { Loop } from './loops/loop.ts';
import type { EndedCall } from './record-call.ts';
import { RULE_RANKS, sayOnce } from './said.ts';
import type { StepBackOptions } from './step-back.ts';
import { isStepBackDue, stepBackText } from './step-back.ts';

/** What advice is made with. */
export interface AdviceMeans extends StepBackOptions {
  readonly toolThreshold: number;
  readonly table: AdviceTable;
  readonly toolNames: readonly string[];
}

/** The state after speaking, and what is said: at most one part about the call and the step-back. */
export interface GivenAdvice {
  readonly state: AdvisorState;
  readonly parts: readonly AdvicePart[];
}

/** What to say about the call that was recorded last. */
export function giveAdvice(state: AdvisorState, ended: EndedCall, means: AdviceMeans): GivenAdvice {
  const parts: AdvicePart[] = [];
  let { said, stepBack } = state;
  // Half a round can look like the round before; only a whole one is compared.
  const isWhole = !state.pending.some(({ round }) => round === ended.round);
  const loop = worst(findFailure(state, ended, means), isWhole ? findLoop(state.calls) : undefined);
  const saidNow = loop && sayOnce(said, loop.about, loop.rule, ended.round);
  if (loop !== undefined && saidNow !== undefined) {
    said = saidNow;
    parts.push({ rule: loop.rule, text: textOf(loop, ended, means) });
  }
  if (isStepBackDue(stepBack, means)) {
    parts.push({ rule: 'step-back', text: stepBackText(stepBack) });
    stepBack = { ...stepBack, isShown: true, successes: 0 };
  }
  return { state: { ...state, said, stepBack }, parts };
}

/** The more urgent of two; the first when they are equally so. */
function worst(one: Loop | undefined, other: Loop | undefined): Loop | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return RULE_RANKS[other.rule] > RULE_RANKS[one.rule] ? other : one;
}

/** Failures of one call from which on it is called the same again. What may pass by itself gets one more try. */
export function sameCallLimit(type: FailureType | null): number {
  return type !== null && FAILURE_TYPES[type].retryable ? 3 : 2;
}

/** The same of a call whose use is to be repeated: it may wait for something, but not for its own mistake. */
const REPEATABLE_CALL_LIMIT = 5;

/** Failures of one tool with the same error from which on the arguments are not to blame. */
export const SAME_ERROR_LIMIT = 3;

function findFailure(
  { calls, consecutive }: AdvisorState,
  ended: EndedCall,
  { toolThreshold }: AdviceMeans,
): Loop | undefined {
  const { tool, hash, nature, errorHash, classification } = ended;
  const { type } = classification;
  if (type === undefined || !isCounted(classification)) return undefined;
  const found = (rule: Loop['rule'], times: number): Loop => ({
    rule,
    times,
    about: errorHash,
    period: 1,
    tools: [tool],
  });
  if (type === 'unknown_tool') return found('unknown-tool', unknownToolCalls(calls, tool));
  const ofCall = sameCallFailures(calls, hash);
  const mayWait = nature.mayRepeat && FAILURE_TYPES[type].retryable;
  const most = nature.mayRepeat ? REPEATABLE_CALL_LIMIT : sameCallLimit(type);
  if (ofCall >= most && !mayWait) return found('same-call', ofCall);
  const ofError = nature.mayRepeat ? 0 : sameErrorFailures(calls, tool, errorHash);
  if (ofError >= SAME_ERROR_LIMIT) return found('same-error', ofError);
  const inARow = failuresInARow(consecutive, tool);
  return inARow >= toolThreshold ? found('tool-failures', inARow) : undefined;
}

function textOf(loop: Loop, ended: EndedCall, { table, toolNames }: AdviceMeans): string {
  const { tool, nature, classification } = ended;
  const { type, parent, evidence } = classification;
  if (loop.rule === 'unknown-tool')
    return unknownToolText(tool, loop.times, nearestNames(tool, toolNames));
  if (loop.rule === 'cycle' || loop.rule === 'no-progress' || type === undefined)
    return loopText(loop);
  const text = table.find({ tool, isShell: nature.kind === 'shell', type, parent });
  return failureText({ loop, tool, type, evidence, text: text ?? '' });
}
