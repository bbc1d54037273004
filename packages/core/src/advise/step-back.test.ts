import { describe, expect, test } from 'vitest';
import { wordCount } from './advice-entry.ts';
import type { StepBackOutcome } from './step-back.ts';
import { afterExecuted, isStepBackDue, stepBackText } from './step-back.ts';

const options = { stepBackFailures: 5, stepBackWindow: 10, rearmSuccesses: 3 };
const OUTCOMES: Readonly<Record<string, StepBackOutcome>> = {
  F: 'failure',
  S: 'success',
  '-': 'other',
};

/** Where it is shown, from 1, in a row of failures (F), successes (S) and other ends (-). */
function shownAt(outcomes: string): number[] {
  let state = { window: [], isShown: false, successes: 0 } as Parameters<typeof afterExecuted>[0];
  const shown: number[] = [];
  Array.from(outcomes).forEach((outcome, index) => {
    state = afterExecuted(state, OUTCOMES[outcome]!, options);
    if (!isStepBackDue(state, options)) return;
    shown.push(index + 1);
    state = { ...state, isShown: true };
  });
  return shown;
}

describe('the step-back', () => {
  test.each([
    ['FFFF', []],
    ['FFFFF', [5]],
    ['FSFSFSFSF', [9]],
    ['F-F-F-F-F', [9]],
    ['FSSFSSFSSFSSFSSFSSF', []],
    ['FFFF------F', []],
    ['FFFFFFFFFFFF', [5]],
    ['FFFFFSSFFFFFF', [5]],
    ['FFFFFSSSF', [5]],
    ['FFFFFSSSFFFFF', [5, 13]],
    ['FFFFFS-S-SFFFFF', [5, 15]],
    ['FFFFFSFSFSFFFFF', [5]],
    ['FFFFF---FFFFF', [5]],
  ])('after %s is shown at %j', (outcomes, at) => {
    expect(shownAt(outcomes)).toEqual(at);
  });

  test('asks three questions in few words', () => {
    const text = stepBackText({ window: [true, true, false], isShown: false, successes: 0 });
    for (const said of ['2 of the last 3', '(1)', '(2)', '(3)']) expect(text).toContain(said);
    expect(text.split('?')).toHaveLength(4);
    expect(wordCount(text)).toBeLessThanOrEqual(60);
  });
});
