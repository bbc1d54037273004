import type { UnfitAnswer } from '../conversation-editor.ts';
import type { TurnCall } from '../turn/turn-event.ts';

/**
 * An answer that the model is to give again, and what it is told about each of its calls; undefined where
 * every call fits the schema of its tool.
 */
export function unfitAnswer(text: string, calls: readonly TurnCall[]): UnfitAnswer | undefined {
  if (calls.every(({ problem }) => problem === undefined)) return undefined;
  return { text, calls, results: calls.map(resultOf) };
}

function resultOf({ problem }: TurnCall): string {
  if (problem === undefined) return NOT_ALONE;
  return `Not run: ${cut(problem)}\nSend the call again, corrected.`;
}

const NOT_ALONE =
  'Not run: another call of this turn was not valid. Send it again with the corrected one.';

/** Many issues make a long text, of which the first are enough to go on with. */
function cut(problem: string): string {
  if (problem.length <= MOST_PROBLEM) return problem;
  // Half of a pair is no character, and some servers refuse it.
  return `${problem.slice(0, MOST_PROBLEM - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

const MOST_PROBLEM = 1000;
