import type { ToldTurn } from '../clients/ask-turn.ts';
import type { Turn } from '../model/turn.ts';
import type { Violations } from './violations.ts';

/**
 * No call is told that the model has not completed; a turn is told as a success only where the model finished it,
 * and then with all of its calls as they were meant.
 */
export function checkCallsComplete(turn: Turn, told: ToldTurn, violations: Violations): void {
  const { script, attempts } = turn;
  const sealed = Math.max(0, ...attempts.map((attempt) => attempt.sealed));
  const isFinished = attempts.some((attempt) => attempt.isFinished);
  const problem = problemOf(turn, told, sealed, isFinished);
  violations.check('calls-complete', problem === undefined, () =>
    [
      `turn ${script.id}: ${problem ?? ''};`,
      `told ${JSON.stringify({ ...told, text: told.text.slice(0, 200) })},`,
      `${sealed} of ${script.calls.length} calls were sealed,`,
      `attempts ${JSON.stringify(attempts)}`,
    ].join(' '),
  );
}

function problemOf(
  { script }: Turn,
  told: ToldTurn,
  sealed: number,
  isFinished: boolean,
): string | undefined {
  const { calls, finish, error, isDone, status } = told;
  if (calls.length > sealed) return 'more calls were told than the model had completed';
  const isSame = calls.every((call, index) => isScripted(call, script.calls[index]));
  if (!isSame) return 'a call was told that is not the one the model made';
  if (isSuccess(told)) {
    if (!isFinished) return 'a turn was told as finished that the model did not finish';
    if (calls.length !== script.calls.length) return 'not all calls of a finished turn were told';
    return undefined;
  }
  if (error === undefined || error.message === '') return 'a turn without a finish has no error';
  if (finish !== undefined) return 'a turn has an error and a finish';
  if (status < 400 && isDone) return 'a stream with an error ends as if all were well';
  return undefined;
}

/** A turn of which the client believes that it went well. */
export const isSuccess = ({ error, finish, status }: ToldTurn): boolean =>
  status === 200 && error === undefined && finish !== undefined;

function isScripted(
  told: ToldTurn['calls'][number],
  meant: Turn['script']['calls'][number] | undefined,
): boolean {
  return (
    told.name === meant?.name && JSON.stringify(told.arguments) === JSON.stringify(meant.arguments)
  );
}
