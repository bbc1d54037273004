import type { Classification } from '../classification.ts';
import { countsFailures, isCheckReport } from './check-failures.ts';
import { anchoredErrorKind } from './error-line.ts';
import { isPrompt } from './prompts.ts';
import { isReading } from './reading-commands.ts';
import type { Signals } from './signals.ts';
import { typeOfFailure } from './type-of-failure.ts';
import { failure } from './verdict.ts';
import { wholeErrorKind } from './whole-error.ts';

/**
 * What text alone says, where the host says nothing: only an output that is nothing but an error, or one
 * that begins or ends with what programs say when they give up.
 */
export function fromText(signals: Signals): Classification | undefined {
  const { kind, lines, programs } = signals;
  const first = lines.first[0] ?? '';
  const last = lines.last.at(-1) ?? '';
  if (kind === 'reader' || isReading(programs)) return fromContent(signals, first);
  if (kind === 'shell') {
    if (lines.isOpen && isPrompt(last)) return failure('interactive', 0.7, last);
    if (lines.last.some(countsFailures)) {
      return failure('check_failed', 0.75, lines.last.find(countsFailures));
    }
  }
  const opening = anchoredErrorKind(first);
  const whole = lines.all === undefined ? undefined : wholeErrorKind(lines.all);
  const begins = opening === 'fatal' && (kind !== 'shell' || isFinal(signals));
  const ends = anchoredErrorKind(last) === 'fatal' || (kind === 'shell' && endsBadly(last));
  if (whole === undefined && !begins && !ends) return undefined;
  const { type, line } = typeOfFailure(signals);
  return failure(type, whole === 'fatal' ? 0.8 : 0.7, line);
}

/** Git says nothing but advice after `fatal:`. */
function isFinal({ lines: { first, all } }: Signals): boolean {
  return first[0]?.startsWith('fatal: ') === true && all !== undefined && all.length <= 10;
}

/** A report of failed checks, or the line Node ends with when it dies of an error. */
function endsBadly(last: string): boolean {
  return isCheckReport(last) || /^Node\.js v\d/.test(last);
}

/** Content is an error only if there is nothing else, and little of it. */
function fromContent(signals: Signals, first: string): Classification | undefined {
  const { all } = signals.lines;
  if (all === undefined || all.length === 0 || all.length > 3) return undefined;
  const [program] = signals.programs;
  // What a file says may look like an error of the shell, not like one of the program that shows it.
  if (program !== undefined && !signals.programs.some(({ name }) => first.startsWith(`${name}: `)))
    return undefined;
  if (wholeErrorKind(all) === undefined) return undefined;
  const { type, line } = typeOfFailure(signals);
  return failure(type, 0.6, line);
}
