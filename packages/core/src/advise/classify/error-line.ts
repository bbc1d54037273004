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
  /^(?:[*!✖✗×❌] ?)?(?:fatal|panic|error|erreur|fehler|erro|errore|错误|錯誤|エラー|ошибка|오류)(?:\[\w{1,12}\]| \d{1,6}(?: \(\w{1,12}\))?)?\s?[:：]\s{0,3}(?!\d[\d.,]{0,12}\s?(?:$|[,;%、。件个個]))\S/iu;

/** `ValueError: …`, `java.io.IOException`, `DOMException [TimeoutError]: …`, `openai.RateLimitError: …`. */
const EXCEPTION =
  /^(?:[a-z_]\w{0,40}\.){0,6}[A-Z_]\w{0,50}(?:Error|Exception|Interrupt|Rejection|Fault)(?: \[\w{1,40}\])?(?::\s|$)/;

/** `ENOENT: no such file …`; `make[2]: *** …`; `thread 'main' panicked …`. */
const OTHER_FATAL = /^(?:E[A-Z]{3,12}: |make\[\d+\]: \*\*\* |thread '[^']{1,60}' panicked)/;

/** `'x' is not recognized …`, `Tool "x" failed …`; a process that was killed says one word. */
const OTHER_COMPLAINT =
  /^(?:'[^']{1,60}' is not recognized|tool ["'`]?[\w.:-]{1,80}["'`]? (?:not found|failed|does not exist|is not|timed out|execution)|command '[^']{1,200}' (?:failed|timed out)|killed$)/i;

/** `cat: nope: …`: a program's name, then a complaint. Names of figures and fields begin with a capital. */
const PROGRAM = /^[a-z./~][\w./+-]{0,40}(?:\[\d{1,7}\])?: (.{1,300})/;

/** What stands before a colon in front of such words and is no program: a commit, a field of a record. */
const NO_PROGRAM =
  /^(?:feat|fix|docs?|chore|tests?|refactor|perf|ci|build|style|revert|status|state|message|reason|description|title|name|summary|note|level|subject|conclusion|result|type|detail|label|value|key|id)(?:\(|!|: )/i;

/** Languages that write no spaces. */
const NOT_ASCII = /[^\0-\x7f]/;

const COMPLAINTS = [...COMPLAINT_WORDS, ...LOCALIZED_PHRASES.flatMap(([, phrases]) => phrases)].map(
  phrase,
);

const HARMLESS = HARMLESS_WORDS.map(phrase);

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
  const text = line.trim().slice(0, 400);
  const lower = text.slice(0, 200).toLowerCase();
  if (MAY_BE_HARMLESS.test(lower) && HARMLESS.some((found) => found(lower))) return undefined;
  if (FATAL.test(lower)) return 'fatal';
  if (LABELLED.test(text) || EXCEPTION.test(text) || OTHER_FATAL.test(text)) return 'fatal';
  if (COMPLAINT.test(lower) || OTHER_COMPLAINT.test(text)) return 'complaint';
  return hasComplaint(text) ? 'complaint' : undefined;
}

function hasComplaint(text: string): boolean {
  const complaint = PROGRAM.exec(text)?.[1]?.slice(0, 200).toLowerCase() ?? '';
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
