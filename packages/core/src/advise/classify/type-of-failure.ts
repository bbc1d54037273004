import type { FailureType } from '../../internal/failure-types.ts';
import { isCheckReport } from './check-failures.ts';
import { EXIT_CODES, SIGNALS } from './exit-codes.ts';
import type { Signals } from './signals.ts';
import { isCause, tellingLines } from './telling-lines.ts';
import { typeOfLines } from './type-of-lines.ts';
import type { TypedLine } from './type-of-lines.ts';

/** What kind of failure it was, of a call that is known to have failed. */
export function typeOfFailure(signals: Signals): TypedLine {
  const { kind, lines, exitCode, result } = signals;
  const telling = tellingLines(lines);
  const [line = ''] = telling;
  if (exitCode === 124) return { type: 'timeout', line };
  const ending = EXIT_CODES[exitCode ?? 0] ?? SIGNALS[result.signal ?? ''];
  const report =
    kind === 'shell'
      ? [...lines.last].reverse().concat(lines.first).find(isCheckReport)
      : undefined;
  if (report !== undefined && ending === undefined) return { type: 'check_failed', line: report };
  const typed = typeOfLines(telling);
  const said = typed !== undefined && isCause(typed.line) ? { ...typed, line } : typed;
  if (ending === undefined) return said ?? { type: 'execution', line };
  return said !== undefined && refines(said.type, ending) ? said : { type: ending, line };
}

/** Whether words may say more than an exit code does. */
function refines(said: FailureType, ending: FailureType): boolean {
  switch (ending) {
    case 'cancelled':
      return said === 'timeout';
    // 137: whoever stopped it may say that its time was over.
    case 'resource':
      return said === 'timeout' || said === 'too_large';
    // 127: also a library or an interpreter that is missing.
    case 'not_found':
      return said === 'dependency' || said === 'unknown_tool';
    default:
      return true;
  }
}
