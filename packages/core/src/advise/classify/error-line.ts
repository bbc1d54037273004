import { LOCALIZED_PHRASES } from './localized-phrases.ts';
import { phrase } from './phrase.ts';

/** A word for "error" with a colon, and more behind it than a number: `Errors: 0` is a count. */
const LABELLED =
  /^(?:[*!✖✗×❌] ?)?(?:fatal|panic|error|erreur|fehler|erro|errore|错误|錯誤|エラー|ошибка|오류)(?:\[\w{1,12}\]| \d{1,6}(?: \(\w{1,12}\))?)?\s?[:：]\s{0,3}(?!\d[\d.,]{0,12}\s?(?:$|[,;%、。件个個]))\S/iu;

/** What a tool, a server or an SDK begins with when it gives up. */
const OPENING =
  /^(?:error from server|error (?:reading|writing|opening|loading|searching|invoking|executing|calling|running|fetching|creating|deleting|connecting|processing|parsing|updating|while|when|during|occurred|in tool|response)\b|an? (?:[a-z]+ )?error (?:has )?occurred|fatal error|unhandled \w+|uncaught \w+|exception in thread|caused by: |traceback \(most recent call last\)|thread '[^']{1,60}' panicked|panic: |npm (?:err!|error)|yarn error|err_pnpm_|e: \S|make(?:\[\d+\])?: \*\*\* |mcp error |apply_patch verification failed|<--- last few gcs|tool execution failed|the tool execution failed|\*\* \(\w)/i;

/** `ENOENT: no such file …`, as Node writes it. */
const ERRNO = /^E[A-Z]{3,12}: /;

/** `ValueError: …`, `java.io.IOException`, `DOMException [TimeoutError]: …`, `openai.RateLimitError: …`. */
const EXCEPTION =
  /^(?:uncaught )?(?:[a-z_]\w{0,40}\.){0,6}[A-Z_]\w{0,50}(?:Error|Exception|Interrupt|Rejection|Fault)(?: \[\w{1,40}\])?(?::\s|$)/;

/** `cat: nope: …`: a program's name, then a complaint. Names of figures and fields begin with a capital. */
const PROGRAM = /^[a-z./~][\w./+-]{0,40}(?:\[\d{1,7}\])?: (.{1,300})/;

/** What stands before a colon in front of such words and is no program: a commit, a field of a record. */
const NO_PROGRAM =
  /^(?:feat|fix|docs?|chore|tests?|refactor|perf|ci|build|style|revert|status|state|message|reason|description|title|name|summary|note|level|subject|conclusion|result|type|detail|label|value|key|id)(?:\(|!|: )/i;

/** What stands in the complaint of a program, and what a line of its own may begin with. */
const COMPLAINTS = [
  'no such',
  'not found',
  'permission denied',
  'operation not permitted',
  'cannot',
  "can't",
  'could not',
  "couldn't",
  'unable to',
  'failed to',
  'failed',
  'error',
  'fatal',
  'invalid',
  'illegal option',
  'unrecognized',
  'unknown',
  'missing',
  'you must',
  'is a directory',
  'not a directory',
  'file exists',
  'refused',
  'timed out',
  'timeout',
  'denied',
  'no space left',
  'read-only',
  'unexpected',
  'unterminated',
  'syntax error',
  'not a git',
  'bad',
  'too many',
  'no route',
  'unreachable',
  // The same in other languages.
  ...LOCALIZED_PHRASES.flatMap(([, phrases]) => phrases),
].map(phrase);

const START =
  /^(?:<[^>]{1,30}>)?(?:unknown (?:option|command|flag|argument)|unrecognized (?:option|argument)|missing (?:required|argument|operand)|failed to |failed: |unable to |could not |couldn't |cannot |can't |no such |permission denied|access (?:is )?denied|access to |operation not permitted|command (?:failed|timed out|not found|'[^']{1,200}' (?:failed|timed out))|timed out|request timed out|operation timed out|connection (?:refused|reset|timed out|error|failed|closed)|the connection |tool ["'`]?[\w.:-]{1,80}["'`]? (?:not found|failed|does not exist|is not|timed out|execution)|unknown tool|no tool named|file (?:not found|does not exist)|path (?:not found|does not exist)|directory not found|invalid |segmentation fault|bus error|killed$|aborted|out of memory|unauthorized|forbidden|not found|rate limit|too many requests|temporary failure|input validation error|validation error|missing required|internal server error|bad gateway|service unavailable|bash command failed|fetch failed|request failed|the term '|'[^']{1,60}' is not recognized|command exited with|the requested |mcp server)/i;

const FATAL = [LABELLED, OPENING, ERRNO, EXCEPTION] as const;

/** How sure it is that a line tells of the end of what ran. */
export type ErrorLine = 'fatal' | 'complaint' | undefined;

const IGNORED = [
  'ignored',
  'ignoring',
  'warning',
  'deprecated',
  'retrying',
  'will retry',
  'skipping',
  'falling back',
  'notice',
].map(phrase);

/**
 * Whether a line, by itself, is an error: `fatal` when programs say so when they end, `complaint` when they
 * also say so and go on. Lines that say that something was ignored or is tried again are none.
 */
export function errorLineKind(line: string): ErrorLine {
  const text = line.trim().slice(0, 400);
  const lower = text.slice(0, 200).toLowerCase();
  if (IGNORED.some((found) => found(lower))) return undefined;
  if (FATAL.some((form) => form.test(text))) return 'fatal';
  if (START.test(text) || hasComplaint(text)) return 'complaint';
  return undefined;
}

function hasComplaint(text: string): boolean {
  const complaint = PROGRAM.exec(text)?.[1]?.slice(0, 200).toLowerCase();
  // One word is a value.
  if (complaint?.includes(' ') !== true && !NOT_ASCII.test(complaint ?? '')) return false;
  return !NO_PROGRAM.test(text) && COMPLAINTS.some((found) => found(complaint ?? ''));
}

/**
 * The same of a line that begins or ends an output on its own. What is indented belongs to something: to
 * source, to a list, to a report.
 */
export function anchoredErrorKind(line: string): ErrorLine {
  return /^\s/.test(line) ? undefined : errorLineKind(line);
}

/** Languages that write no spaces. */
const NOT_ASCII = /[^\0-\x7f]/;

/** What may follow an error and belongs to it: frames of a stack, hints, marks under a place. */
const FOLLOWING =
  /^(?:\s|at |hint:|usage|try |run |see |note:|help:|tip:|did you mean|please |for more|caused by|-->|[|^]|\(use|aborting|node\.js v|[}\]]|check |verify |make sure|ensure |available |-{3,}|call log|to (?:push|fix|see)|operable program|line \d|detail:|context:|ray id|the above|during handling|file "|use |either |and then|or |'git )/i;

/** Whether a line belongs to the error before it. */
export function followsError(line: string): boolean {
  return FOLLOWING.test(line) || errorLineKind(line) !== undefined;
}
