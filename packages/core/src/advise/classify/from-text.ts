import type { Classification } from '../classification.ts';
import { countsFailures, isCheckReport } from './check-failures.ts';
import { anchoredErrorKind, programIn } from './error-line.ts';
import { isPrompt } from './prompts.ts';
import { endsWithException, isInterpreterError } from './python-traceback.ts';
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
  const last = (lines.all ?? lines.last).findLast((line) => !HINT.test(line)) ?? '';
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
  const ends =
    anchoredErrorKind(last) === 'fatal' ||
    endsWithException(lines.last) ||
    (kind === 'shell' && endsBadly(last));
  const complains = kind === 'shell' && endsWithComplaint(signals, last);
  if (whole === undefined && !begins && !ends && !complains) return undefined;
  const { type, line } = typeOfFailure(signals);
  if (whole === 'fatal') return failure(type, 0.8, line);
  return failure(type, whole !== undefined || begins || ends ? 0.7 : 0.6, line);
}

/** What git adds after an error. */
const HINT = /^hint: /;

/** Git says nothing but advice after `fatal:`. */
function isFinal({ lines: { first, all } }: Signals): boolean {
  return first[0]?.startsWith('fatal: ') === true && all !== undefined && all.length <= 10;
}

/** Programs that report one path and continue with the next. */
const GOES_ON: ReadonlySet<string> = new Set('find du grep rg tree fd'.split(' '));

/** Whether the last line is a complaint of a program that ran; if the command is unknown, of any program. */
function endsWithComplaint({ programs, lines }: Signals, last: string): boolean {
  if (programs.length === 0 && lines.all === undefined) return false;
  const program = programIn(last);
  if (program === undefined || GOES_ON.has(program)) return false;
  const hasRun = programs.length === 0 || programs.some(({ name }) => name === program);
  return hasRun && anchoredErrorKind(last) === 'complaint';
}

/** A report of failed checks, or the line Node ends with when it dies of an error. */
function endsBadly(last: string): boolean {
  return isCheckReport(last) || /^Node\.js v\d/.test(last);
}

/** Content is an error only if there is nothing else, and little of it. */
function fromContent(signals: Signals, first: string): Classification | undefined {
  const { programs, lines } = signals;
  const all = lines.all ?? [];
  const isRun = programs.length === 0 && isInterpreterError(all);
  // What a file says may look like an error of the shell, not like one of the program that shows it.
  const isOwn = programs.length === 0 || programs.some(({ name }) => name === programIn(first));
  const isShort = all.length > 0 && all.length <= 3;
  if (!isRun && !(isOwn && isShort && wholeErrorKind(all) !== undefined)) return undefined;
  const { type, line } = typeOfFailure(signals);
  return failure(type, 0.6, line);
}
