import type { Classification } from '../classification.ts';
import { BENIGN_EXITS } from './benign-exits.ts';
import { errorLineKind } from './error-line.ts';
import { SIGPIPE_EXIT } from './exit-codes.ts';
import type { Signals } from './signals.ts';
import { typeOfFailure } from './type-of-failure.ts';
import { failure, success, UNKNOWN } from './verdict.ts';

/** What an exit code that is not 0, or a signal, says. */
export function fromExit(signals: Signals): Classification | undefined {
  const { exitCode, result, output } = signals;
  if (exitCode === undefined && result.signal === undefined) return undefined;
  if (exitCode === 0) return undefined;
  if (exitCode === SIGPIPE_EXIT || result.signal === 'SIGPIPE') return success(0.8);
  if (isBenign(signals)) return success(0.9);
  if (exitCode === 1 && looksBenign(signals)) return success(0.6);
  // Nothing found, not equal, not true: without the command nobody can tell.
  if (exitCode === 1 && output.trim() === '' && signals.programs.length === 0) return UNKNOWN;
  const { type, line } = typeOfFailure(signals);
  if (exitCode === 1 && output.trim() === '') return failure(type, 0.7);
  // A program that ended by itself was neither denied by the user nor taken back.
  return failure(type === 'denied' ? 'permission' : type, 0.95, line);
}

/** Programs that cannot be the reason of an exit code. */
const HARMLESS: ReadonlySet<string> = new Set(
  'echo printf head tail wc sort uniq cat tee cut tr'.split(' '),
);

function isBenign({ exitCode = 0, programs, settings, result }: Signals): boolean {
  const table = { ...BENIGN_EXITS, ...settings.benignExit };
  const codesOf = (name: string): readonly number[] =>
    Object.hasOwn(table, name) ? (table[name] ?? []) : [];
  const ran =
    programs.length > 0 ? programs : [{ name: result.tool.toLowerCase(), subcommand: '' }];
  const isAnswer = ran.map(({ name, subcommand }) =>
    [name, `${name} ${subcommand}`].some((each) => codesOf(each).includes(exitCode)),
  );
  if (isAnswer.at(-1) === true) return true;
  return (
    isAnswer.includes(true) &&
    ran.every(({ name }, at) => isAnswer[at] === true || HARMLESS.has(name))
  );
}

/** Lines of a list of differences, as diff and git write them, and those that only such a list has. */
const DIFFERENCE = /^(?:[<>\\ +-]|diff |index |@@ |\d[\d,]*[acd]\d[\d,]*$|[MADRCTU]\d{0,3}\t)/;
const DIFFERENCE_MARK = /^(?:diff |@@ |\d[\d,]*[acd]\d[\d,]*$|[MADRCTU]\d{0,3}\t)/;
const NOTHING =
  /^(?:nothing (?:to commit|added to commit)|no changes added to commit|no (?:matches|results|files|match)(?: were)?(?: found)?\b|already up[ -]to[ -]date|everything up-to-date)/i;
/** What searches write about the places they could not look into, while they go on. */
const SKIPPED = /^(?:find|du|grep|rg|tree|fd): /;

/** Whether the output of an exit code 1 is an answer: differences, nothing found, or found with places skipped. */
function looksBenign({ lines: { all, first, last }, programs }: Signals): boolean {
  const lines = all ?? [...first, ...last];
  if (lines.length === 0) return false;
  if (lines.some((line) => NOTHING.test(line.trim())))
    return lines.every((line) => errorLineKind(line) === undefined);
  if (programs.length === 0 && lines.every((line) => DIFFERENCE.test(line))) {
    return lines.some((line) => DIFFERENCE_MARK.test(line));
  }
  const found = lines.filter((line) => !SKIPPED.test(line));
  return (
    found.length > 0 &&
    found.length < lines.length &&
    found.every((line) => errorLineKind(line) === undefined)
  );
}
