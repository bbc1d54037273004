import type { AdvisorOptions } from './advisor-options.ts';

/** What the step-back is decided by. It decays by itself: only the last calls count. */
export interface StepBackState {
  /** Whether each of the last executed calls failed, the newest last. */
  readonly window: readonly boolean[];
  /** Whether it has been shown since the last recovery. */
  readonly isShown: boolean;
  /** Successes in a row since it was shown. */
  readonly successes: number;
}

export type StepBackOptions = Required<
  Pick<AdvisorOptions, 'stepBackFailures' | 'stepBackWindow' | 'rearmSuccesses'>
>;

/** What an executed call means for it. `other`: nothing says whether it worked, or it worked and its subject is red. */
export type StepBackOutcome = 'success' | 'failure' | 'other';

/** The state after one more executed call. Recovery empties the window: one slip then is not half of all again. */
export function afterExecuted(
  state: StepBackState,
  outcome: StepBackOutcome,
  options: StepBackOptions,
): StepBackState {
  const room = options.stepBackWindow - 1;
  const before = room > 0 ? state.window.slice(-room) : [];
  const window = [...before, outcome === 'failure'];
  if (!state.isShown) return { window, isShown: false, successes: 0 };
  const successes =
    outcome === 'success' ? state.successes + 1 : outcome === 'failure' ? 0 : state.successes;
  if (successes >= options.rearmSuccesses) return { window: [], isShown: false, successes: 0 };
  return { window, isShown: true, successes };
}

/** Whether it is time to step back, and nobody has said so yet. */
export function isStepBackDue(state: StepBackState, options: StepBackOptions): boolean {
  const failures = state.window.filter((failed) => failed).length;
  return !state.isShown && failures >= options.stepBackFailures;
}

/** What failed, then three questions that lead away from it. */
export function stepBackText(state: StepBackState): string {
  const failures = state.window.filter((failed) => failed).length;
  return (
    `${failures} of the last ${state.window.length} tool calls failed. Stop and think again before the next ` +
    'call. (1) Is there a simpler way to do this? (2) Is something missing that you should ask the user ' +
    'about? (3) Would another tool or method do better? Do not go on as before.'
  );
}
