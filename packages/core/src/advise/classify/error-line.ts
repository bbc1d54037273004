import {
  COMPLAINT_OPENINGS,
  COMPLAINT_WORDS,
  FATAL_OPENINGS,
  FOLLOWING_OPENINGS,
  HARMLESS_WORDS,
} from './error-openings.ts';
import { LOCALIZED_PHRASES } from './localized-phrases.ts';
import { anyOf, beginsWith, phrase } from './phrase.ts';

/** How sure it is that a line tells of the end of what ran. */
export type ErrorLine = 'fatal' | 'complaint' | undefined;

/** A word for "error" with a colon, and more behind it than a number: `Errors: 0` is a count. */
const LABELLED =
  /^(?:[*!] ?)?(?:fatal|panic|error|erreur|fehler|erro|errore|错误|錯誤|エラー|ошибка|오류)(?:\[\w{1,12}\]| \d{1,6}(?: \(\w{1,12}\))?)?\s?[:：]\s{0,3}(?!\d[\d.,]{0,12}\s?(?:$|[,;%、。件个個]))\S/iu;

/** `ValueError: …`, `java.io.IOException`, `DOMException [TimeoutError]: …`, `openai.RateLimitError: …`. */
const EXCEPTION =
  /^(?:[a-z_]\w{0,40}\.){0,6}[A-Z_]\w{0,50}(?:Error|Exception|Interrupt|Rejection|Fault)(?: \[\w{1,40}\])?(?::\s|$)/;

/** `ENOENT: no such file …`; `make[2]: *** …`; `thread 'main' panicked …`; `tool: error: argument -x …`. */
const OTHER_FATAL =
  /^(?:E[A-Z]{3,12}: |make\[\d+\]: \*\*\* |thread '[^']{1,60}' panicked|[a-z][\w.-]{0,60}: (?:fatal )?error: )/;

/** What is left of a program that crashed: `Aborted (core dumped)`. */
const CRASH =
  /^(?:segmentation fault|aborted|bus error|illegal instruction)(?: \(core dumped\))?$/i;

/** A shell that did not find a program: `/bin/sh: 1: file: not found`, `-bash: jq: command not found`. */
const NO_COMMAND =
  /^(?:\/[\w./-]{1,80}\/)?-?(?:ba|[zka]|da|fi)?sh: (?:(?:line )?\d{1,6}: )?(?:([^\s:]{1,200}): (?:command )?not found|command not found: (\S{1,200}))$/;

/** Marks that programs put before what went wrong. */
const MARK = /^[✖✗✘✕×❌]\ufe0f? ?/u;

/** `'x' is not recognized …`, `Tool "x" failed …`; a process that was killed says one word. */
const OTHER_COMPLAINT =
  /^(?:'[^']{1,60}' is not recognized|tool ["'`]?[\w.:-]{1,80}["'`]? (?:not found|failed|does not exist|is not|timed out|execution)|command '[^']{1,200}' (?:failed|timed out)|killed$)/i;

/**
 * `cat: nope: …`: a program, by its name or by a path that a shell would run, then a complaint. Names of figures and
 * fields begin with a capital; a path with an extension is a file, and what follows is from it. The class of an
 * exception may stand for the program: `requests.exceptions.ReadTimeout: …`.
 */
const PROGRAM =
  /^((?:~|\.{0,2})\/[\w./+-]{1,120}|(?:-(?=\w{0,3}sh:))?[a-z][\w+-]{0,40}(?:\.(?:\d{1,3}|sh|py|js|exe))?|(?:[a-z_]\w{0,40}\.){1,6}[A-Z]\w{0,60})(?:\[\d{1,7}\])?: (.{1,300})/;

/** What stands before a colon in front of such words and is no program: a commit, a field of a record. */
const NO_PROGRAM =
  /^(?:feat|fix|docs?|chore|tests?|refactor|perf|ci|build|style|revert|status|state|message|reason|description|title|name|summary|note|level|subject|conclusion|result|type|detail|label|value|key|id)(?:\(|!|: )/i;

/** Languages that write no spaces. */
const NOT_ASCII = /[^\0-\x7f]/;

const COMPLAINTS = [...COMPLAINT_WORDS, ...LOCALIZED_PHRASES.flatMap(([, phrases]) => phrases)].map(
  phrase,
);

const HARMLESS = HARMLESS_WORDS.map(phrase);

const FATAL_FORMS = [LABELLED, EXCEPTION, OTHER_FATAL, CRASH, NO_COMMAND];

/** One look at a line rules all of them out, which is how most lines end. */
const MAY_BE_HARMLESS = anyOf(
  HARMLESS_WORDS.map((words) => words.replace(/^\^/, '').split(' … ')[0]),
);
const FATAL = beginsWith(FATAL_OPENINGS);
const COMPLAINT = beginsWith(COMPLAINT_OPENINGS);
const FOLLOWING = beginsWith(FOLLOWING_OPENINGS);

/**
 * Whether a line, by itself, is an error: `fatal` when programs say so when they end, `complaint` when they
 * also say so and go on. Lines that say that something was ignored or is tried again are none.
 */
export function errorLineKind(line: string): ErrorLine {
  const marked = line.trim().slice(0, 400);
  const text = marked.replace(MARK, '');
  const isMarked = text !== marked;
  const lower = text.slice(0, 200).toLowerCase();
  if (MAY_BE_HARMLESS.test(lower) && HARMLESS.some((found) => found(lower))) return undefined;
  if (FATAL.test(lower)) return 'fatal';
  if (FATAL_FORMS.some((form) => form.test(text))) return 'fatal';
  if (COMPLAINT.test(lower) || OTHER_COMPLAINT.test(text)) return isMarked ? 'fatal' : 'complaint';
  return hasComplaint(text) ? 'complaint' : undefined;
}

/**
 * The program that an error line is about: the one that wrote it (`cat: notes: No such file`), or the one that a
 * shell did not find. Undefined where the line names none.
 */
export function programIn(line: string): string | undefined {
  const missing = NO_COMMAND.exec(line);
  const name = missing?.[1] ?? missing?.[2] ?? PROGRAM.exec(line)?.[1];
  return name?.slice(name.lastIndexOf('/') + 1);
}

function hasComplaint(text: string): boolean {
  const complaint = PROGRAM.exec(text)?.[2]?.slice(0, 200).toLowerCase() ?? '';
  // One word is a value.
  if (!complaint.includes(' ') && !NOT_ASCII.test(complaint)) return false;
  return !NO_PROGRAM.test(text) && COMPLAINTS.some((found) => found(complaint));
}

/**
 * The same of a line that begins or ends an output on its own. What is indented belongs to something: to
 * source, to a list, to a report.
 */
export function anchoredErrorKind(line: string): ErrorLine {
  return /^\s/.test(line) ? undefined : errorLineKind(line);
}

/** Whether a line belongs to the error before it. */
export function followsError(line: string): boolean {
  return FOLLOWING.test(line.slice(0, 40).toLowerCase()) || errorLineKind(line) !== undefined;
}
