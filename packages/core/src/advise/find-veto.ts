import type { AdviceRule } from './advice.ts';
import { often } from './advice-text.ts';
import type { CallNature } from './call-nature.ts';
import { sameCallLimit } from './give-advice.ts';
import { sameCallFailures, unknownToolCalls } from './loops/failure-loops.ts';
import { findLoopToVeto } from './loops/find-loop.ts';
import type { RecentCall } from './recent-call.ts';

/** Why a call should not run. */
export interface VetoReason {
  readonly rule: AdviceRule;
  readonly why: string;
}

/** Calls of a tool that does not exist after which it is not asked for again. */
const UNKNOWN_TOOL_LIMIT = 2;

/** Whether a call would only repeat what has led nowhere; undefined when it may run. */
export function findVeto(
  calls: readonly RecentCall[],
  tool: string,
  hash: string,
  { mayRepeat }: CallNature,
): VetoReason | undefined {
  if (mayRepeat) return undefined;
  const unknown = unknownToolCalls(calls, tool);
  if (unknown >= UNKNOWN_TOOL_LIMIT)
    return {
      rule: 'unknown-tool',
      why: `there is no such tool, and it was called ${often(unknown)}`,
    };
  const failures = sameCallFailures(calls, hash, true);
  const last = calls.findLast(({ call }) => call === hash);
  if (failures >= sameCallLimit(last?.type ?? null))
    return {
      rule: 'same-call',
      why: `it failed ${often(failures)} (${last?.type ?? 'execution'}) and nothing has changed since`,
    };
  const loop = findLoopToVeto(calls, { call: hash, mayRepeat });
  if (loop === undefined) return undefined;
  return loop.rule === 'cycle'
    ? {
        rule: 'cycle',
        why: `it goes on with a circle of ${loop.period} calls that changes nothing`,
      }
    : { rule: 'no-progress', why: `it gave the same result ${often(loop.times)}` };
}
