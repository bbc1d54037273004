import type { FailureClass } from './failure-class.ts';
import { classOfStatus, signOfCode, SYSTEM_CODE_IN_TEXT } from './failure-codes.ts';
import type { FailureSign } from './failure-codes.ts';

/**
 * What the wording of a message says: the last thing to ask, when no status, code or name says anything.
 * Texts are cut before they come here; every pattern takes linear time all the same.
 */
export function signOfMessage(text: string): FailureSign | undefined {
  // `Cannot read properties of undefined (reading 'timeout')` is about no timeout.
  if (MISTAKE.test(text)) return 'tool-error';
  return (
    signOfCalling(text) ??
    (RATE_LIMIT.test(text) ? 'rate-limited' : undefined) ??
    statusSign(STATUS_IN_PROSE.exec(text) ?? STATUS_FIRST.exec(text)) ??
    signOfSystemCode(text) ??
    WORDINGS.find(([, pattern]) => pattern.test(text))?.[0]
  );
}

/**
 * What a text says of the call itself: codes of JSON-RPC and the wordings of failed validation. They are
 * believed in a tool's own error too, where any other words may be about something else.
 */
export function signOfCalling(text: string): FailureSign | undefined {
  if (OUTPUT_VALIDATION.test(text)) return 'tool-error';
  const code = RPC_CODE.exec(text)?.[0];
  if (code !== undefined) return signOfCode(code);
  return VALIDATION.test(text) ? 'invalid-arguments' : undefined;
}

/** What a JSON text says of its HTTP status: `{"status": 404, …}`. Only its beginning is there. */
export function signOfJsonText(text: string): FailureClass | undefined {
  return JSON_BEGINS.test(text) ? statusSign(STATUS_IN_JSON.exec(text)) : undefined;
}

function statusSign(match: RegExpExecArray | null): FailureClass | undefined {
  return match === null ? undefined : classOfStatus(Number(match[1]));
}

function signOfSystemCode(text: string): FailureSign | undefined {
  const code = SYSTEM_CODE_IN_TEXT.exec(text)?.[0];
  if (code === undefined) return undefined;
  // axios writes `timeout of 1000ms exceeded` beside a code that means a broken connection elsewhere.
  return TIMEOUT.test(text) ? 'timeout' : signOfCode(code);
}

/** The words of a rate limit. */
export const RATE_LIMIT: RegExp = /rate[ _-]?limit|too many requests|\bthrottl(?:ed|ing)\b/i;
/** A quota may be one of minutes or of months: only with a time to wait is it a rate limit. */
export const QUOTA: RegExp =
  /quota (?:is |was |has been )?exceeded|exceeded (?:\w{1,12} ){0,3}quota/i;
/** The words of a timeout. */
export const TIMEOUT: RegExp = /timeout|time-out|timed[ -]?out|deadline[ _]exceeded/i;

/** A tool whose own answer does not fit its schema: no other arguments would help. */
const OUTPUT_VALIDATION = /\boutput validation (?:error|failed)/i;
const MISTAKE =
  /^Cannot (?:read|set) propert|^Cannot destructure |\bis not (?:a function|a constructor|iterable|defined)\b/;
const RPC_CODE = /(?<![\w.-])-32[067]\d\d(?!\d)/;
const VALIDATION =
  /\binvalid (?:tool )?(?:argument|param|parameter|input)s?\b|\bmissing (?:\d+ )?required\b|\bmust have required property\b|\b(?:is a )?required (?:propert(?:y|ies)|parameter|argument|field)s?\b|\bvalidation (?:error|failed)|\bunrecognized keys?\b|\bunexpected (?:keyword )?argument\b|\bmust NOT have additional properties\b|\bexpected \w{1,20}, received \w{1,20}\b|\bschema mismatch\b|^invalid url\b/i;

/** `HTTP 503`, `status code 404`, `HTTP error! status: 500`, `Error code: 429`. */
const STATUS_IN_PROSE =
  /\b(?:HTTP(?:\/[\d.]{1,3})?|(?:status|error|response)(?:[ _]?code)?)[ :=]{1,3}([45]\d\d)\b/i;
/** `502 Bad Gateway`, `400 {"error": …}`; not `404 files were read`. */
const STATUS_FIRST = /^([45]\d\d)(?: [A-Z"{]|:)/;
const JSON_BEGINS = /^\s{0,20}[{[]/;
const STATUS_IN_JSON = /"(?:status|status_?code|http_?status)"\s{0,20}:\s{0,20}"?([45]\d\d)\b/i;

/** The first that fits decides: what broke on the way comes before what the answer was about. */
const WORDINGS: readonly (readonly [FailureClass, RegExp])[] = [
  ['timeout', TIMEOUT],
  [
    'transport',
    /\bconnection (?:was )?(?:reset|refused|closed|aborted|lost|terminated|error)\b|\bsocket hang up\b|\bnetwork ?error\b|\bnetwork is unreachable\b|\bfetch failed\b|\bfailed to fetch\b|\bbroken pipe\b|\bgetaddrinfo\b|^not connected$|^terminated$/i,
  ],
  ['server', /\binternal server error\b|\bservice unavailable\b|\bbad gateway\b|\boverloaded\b/i],
  [
    'auth',
    /\bunauthori[sz]ed\b|\bforbidden\b|\b(?:permission|access) (?:is )?denied\b|\bnot (?:authori[sz]ed|permitted)\b|\binsufficient (?:permission|privilege)s?\b|\bbad credentials\b|\bauthentication (?:failed|required)\b|\binvalid (?:api[ _-]?key|(?:access|api|auth|bearer) token|credentials)\b/i,
  ],
  [
    'not-found',
    /\bnot found\b|\bno such (?:file|table|key|resource|object)\b|\b(?:does not|doesn't|no longer) exists?\b|\b(?:cannot|can't|could not|couldn't|unable to) (?:find|locate)\b(?! (?:module|package)\b)|\bunknown tool\b/i,
  ],
];
