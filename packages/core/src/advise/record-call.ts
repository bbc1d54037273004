import type { AdvisorState } from './advisor-state.ts';
import { STATE_BOUNDS } from './advisor-state.ts';
import type { CallNature } from './call-nature.ts';
import type { Classification } from './classification.ts';
import { isCounted } from './is-counted.ts';
import { failureRecord, failuresInARow, withFailuresInARow, withLast } from './history.ts';
import type { RecentCall } from './recent-call.ts';
import { RULE_RANKS } from './said.ts';
import type { StepBackOptions, StepBackState } from './step-back.ts';
import { afterExecuted } from './step-back.ts';

/** A call that ended, with all that is known of it. */
export interface EndedCall {
  readonly tool: string;
  readonly hash: string;
  readonly nature: CallNature;
  readonly round: number;
  readonly classification: Classification;
  readonly resultHash: string;
  readonly errorHash: string;
  /** What the tool said. */
  readonly output: string;
}

/** Below this a classification is good enough for advice, not for stopping a call. */
const SURE = 0.7;

/** What an advisor remembers after a call. */
export function recordCall(
  state: AdvisorState,
  ended: EndedCall,
  options: StepBackOptions,
): AdvisorState {
  const recent = recentCall(state.calls, ended);
  const isNews = !state.calls.some(
    ({ round, tool, status, type }) =>
      round === recent.round &&
      tool === recent.tool &&
      status === recent.status &&
      type === recent.type,
  );
  const remembered = {
    ...state,
    history: historyAfter(state, ended),
    consecutive: consecutiveAfter(state, recent),
    stepBack: isNews ? stepBackAfter(state.stepBack, recent, options) : state.stepBack,
    calls: withLast(state.calls, recent, STATE_BOUNDS.calls),
  };
  if (!recent.changed) return remembered;
  // What failed before may work now: nothing that was said or stopped about it holds any longer. Only a
  // cycle can be made of changes, there and back.
  const said = state.said.filter(({ rank }) => rank === RULE_RANKS.cycle);
  return { ...remembered, said, vetoes: [] };
}

function recentCall(calls: readonly RecentCall[], ended: EndedCall): RecentCall {
  const { tool, hash, nature, round, classification, resultHash } = ended;
  const { status, type, confidence } = classification;
  return {
    tool,
    call: hash,
    result: resultHash,
    error: isCounted(classification) ? ended.errorHash : '',
    status,
    type: type ?? null,
    round,
    changed: nature.changes && hasChanged(calls, ended),
    looked: nature.kind === 'shell' && !nature.changes,
    mayRepeat: nature.mayRepeat,
    isSure: confidence >= SURE,
  };
}

/**
 * Whether a call that can change something has. One that nothing is known of may have. One that repeats the
 * last change, with the same result, has not: to write the same file again is no reason to try again.
 */
function hasChanged(
  calls: readonly RecentCall[],
  { classification, hash, resultHash }: EndedCall,
): boolean {
  if (classification.status !== 'success' && classification.status !== 'unknown') return false;
  const before = calls.findLast(
    (past) => past.changed || (past.call === hash && past.result === resultHash),
  );
  return before === undefined || before.call !== hash || before.result !== resultHash;
}

function historyAfter(state: AdvisorState, ended: EndedCall): AdvisorState['history'] {
  const { type, evidence } = ended.classification;
  if (type === undefined || !isCounted(ended.classification)) return state.history;
  const record = failureRecord(ended.tool, type, ended.output === '' ? evidence : ended.output);
  return withLast(state.history, record, STATE_BOUNDS.history);
}

/**
 * Failures in a row by tool. Parallel calls of a tool are one try, and it worked if any of them did. After a
 * change every tool begins anew.
 */
function consecutiveAfter(
  { calls, consecutive }: AdvisorState,
  recent: RecentCall,
): AdvisorState['consecutive'] {
  if (recent.changed) return {};
  if (recent.status === 'neutral') return consecutive;
  const hasWorked = calls.some(
    ({ round, tool, error }) => round === recent.round && tool === recent.tool && error === '',
  );
  if (recent.error === '' || hasWorked)
    return withFailuresInARow(consecutive, recent.tool, 0, STATE_BOUNDS.tools);
  const hasFailed = calls.some(
    ({ round, tool, error }) => round === recent.round && tool === recent.tool && error !== '',
  );
  const before = failuresInARow(consecutive, recent.tool);
  const failures = hasFailed ? before : before + 1;
  return withFailuresInARow(consecutive, recent.tool, failures, STATE_BOUNDS.tools);
}

function stepBackAfter(
  stepBack: StepBackState,
  { status, error }: RecentCall,
  options: StepBackOptions,
): StepBackState {
  if (status === 'neutral') return stepBack;
  const outcome = error !== '' ? 'failure' : status === 'success' ? 'success' : 'other';
  return afterExecuted(stepBack, outcome, options);
}
