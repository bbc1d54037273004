import type { ProxyCounts } from './proxy-counts.ts';
import type { TurnResult } from './relay-turn.ts';

/** Adds a turn to what was counted. */
export function countTurn(
  counts: ProxyCounts,
  result: TurnResult,
  { isFailover, isAdvised }: { readonly isFailover: boolean; readonly isAdvised: boolean },
): void {
  const { record, notes, plan, attempts, wasAskedAgain } = result;
  counts.turns++;
  counts.calls += notes.callCount;
  counts.retries += Math.max(0, attempts - 1);
  if (record.error !== undefined) counts.failed++;
  if (isFailover) counts.failovers++;
  if (isAdvised) counts.advised++;
  if (wasAskedAgain) counts.askedAgain++;
  if (plan?.promptedIn !== undefined) counts.prompted++;
}
