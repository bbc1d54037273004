import type { RecentCall } from '../recent-call.ts';

/**
 * How often this call has failed since it last worked, with nothing changed in between: in how many rounds,
 * since parallel calls are one try. `sureOnly` counts only what was classified without doubt.
 */
export function sameCallFailures(
  calls: readonly RecentCall[],
  call: string,
  sureOnly = false,
): number {
  const rounds = new Set<number>();
  for (let at = calls.length - 1; at >= 0; at--) {
    const past = calls[at];
    if (past === undefined || past.changed) break;
    if (past.call !== call) continue;
    if (past.status === 'success') break;
    if (past.error !== '' && (past.isSure || !sureOnly)) rounds.add(past.round);
  }
  return rounds.size;
}

/**
 * How often a tool has failed with this error, whatever the arguments, since it last worked. A shell that
 * only looked at something in between has not worked in that sense.
 */
export function sameErrorFailures(
  calls: readonly RecentCall[],
  tool: string,
  error: string,
): number {
  const rounds = new Set<number>();
  for (let at = calls.length - 1; at >= 0; at--) {
    const past = calls[at];
    if (past === undefined || past.changed) break;
    if (past.tool !== tool) continue;
    if (past.error === error) rounds.add(past.round);
    else if (past.status !== 'failure' && !past.looked) break;
  }
  return rounds.size;
}

/** How often a tool that does not exist was called, in rounds, since something last changed. */
export function unknownToolCalls(calls: readonly RecentCall[], tool: string): number {
  const since = calls.slice(calls.findLastIndex(({ changed }) => changed) + 1);
  const wanted = since.filter((past) => past.tool === tool && past.type === 'unknown_tool');
  return new Set(wanted.map(({ round }) => round)).size;
}
