import type { Classification } from '../classification.ts';
import { countsFailures } from './check-failures.ts';
import { isReading } from './reading-commands.ts';
import type { Signals } from './signals.ts';
import { typeOfFailure } from './type-of-failure.ts';
import { failure, success } from './verdict.ts';
import { wholeErrorKind } from './whole-error.ts';

/**
 * What counts as success: exit code 0, a flag that says no error, a good HTTP status. Two shapes are
 * failures all the same, since `… | tail` and `… || true` hide the code of what ran: an output that is
 * nothing but an error, and one that ends by counting failed tests.
 */
export function fromSuccess(signals: Signals): Classification | undefined {
  const { isError, exitCode, result, kind, lines } = signals;
  const isGood = exitCode === 0 || isError === false || (result.status ?? 400) < 400;
  if (!isGood) return undefined;
  if (kind === 'reader' || isReading(signals.programs)) return success(0.95);
  const last = lines.last.at(-1) ?? '';
  if (kind === 'shell' && countsFailures(last)) return failure('check_failed', 0.6, last);
  if (!isOnlyError(lines.all ?? [])) return success(0.95);
  const { type, line } = typeOfFailure(signals);
  return failure(type, 0.6, line);
}

function isOnlyError(all: readonly string[]): boolean {
  const isTraceback = all[0]?.startsWith('Traceback ') === true;
  return (all.length <= 3 || isTraceback) && wholeErrorKind(all) === 'fatal';
}
