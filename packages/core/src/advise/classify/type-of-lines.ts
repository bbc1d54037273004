import { FAILURE_TYPES } from '../../internal/failure-types.ts';
import type { FailureType } from '../../internal/failure-types.ts';
import { ERRNO_TOKENS } from './errno-tokens.ts';
import { EXCEPTION_TOKENS } from './exception-tokens.ts';
import { CURL_CODES, RPC_CODES } from './exit-codes.ts';
import { typeOfStatus } from './http-statuses.ts';
import { LOCALIZED_PHRASES } from './localized-phrases.ts';
import { phrase } from './phrase.ts';
import type { Phrase } from './phrase.ts';
import { PHRASES } from './phrases.ts';
import { PRECISE_PHRASES } from './precise-phrases.ts';
import { STATUS_TOKENS } from './status-tokens.ts';

/** A type, and the line that said so. */
export interface TypedLine {
  readonly type: FailureType;
  readonly line: string;
}

/** Words stand at the beginning of an error; further on it quotes things. */
const MAX_WORDS = 200;
/** Tokens are sure enough to be believed later, too: causes in brackets stand at the end. */
const MAX_TOKENS = 600;

const ORDER: readonly string[] = Object.keys(FAILURE_TYPES);

/** A word in quotes is a name: an argument called 'timeout' did not time out. */
const QUOTED_NAME = /(['"`])[^\s'"`]{1,200}\1/g;

type Reader = (line: string) => FailureType | undefined;

const READERS: readonly Reader[] = [
  typeOfTokens,
  phraseReader(PRECISE_PHRASES),
  typeOfNumbers,
  phraseReader(PHRASES),
  phraseReader(LOCALIZED_PHRASES),
];

/**
 * What kind of failure lines tell of, most telling line first. What machines wrote counts before words, on
 * all lines; undefined when nothing is recognised.
 */
export function typeOfLines(lines: readonly string[]): TypedLine | undefined {
  for (const read of READERS) {
    for (const line of lines) {
      const type = read(line);
      if (type !== undefined) return { type, line };
    }
  }
  return undefined;
}

/** Words of code on the line; of several, the first in the order of types. */
function typeOfTokens(line: string): FailureType | undefined {
  let found: FailureType | undefined;
  for (const token of line.slice(0, MAX_TOKENS).match(/\w{3,60}/g) ?? []) {
    const type = ERRNO_TOKENS.get(token) ?? EXCEPTION_TOKENS.get(token) ?? STATUS_TOKENS.get(token);
    if (type === undefined) continue;
    if (found === undefined || ORDER.indexOf(type) < ORDER.indexOf(found)) found = type;
  }
  return found;
}

const CURL = /^curl: \((\d{1,3})\)/;
const RPC = /(?:^|\s|\()(?:code[: ]|error)\s?(-32\d{3})\b/i;
const STATUS =
  /\b(?:http(?:\/[\d.]{1,3})?|status|status code|error|error code|returned|response|code)[ :="'(]{1,3}([45]\d\d)\b/i;
const REASON = /\b([45]\d\d) (?:client error|server error|[A-Z][a-z]+)/;

/** Numbers that a word beside them makes a code. A bare 404 may be a size, a port or a pid. */
function typeOfNumbers(line: string): FailureType | undefined {
  const start = line.slice(0, MAX_WORDS);
  const status = STATUS.exec(start) ?? REASON.exec(start);
  const byStatus = status === null ? undefined : typeOfStatus(Number(status[1]));
  if (byStatus !== undefined) return byStatus;
  const curl = CURL.exec(start);
  if (curl !== null) return CURL_CODES[Number(curl[1])];
  const rpc = RPC.exec(start);
  return rpc === null ? undefined : RPC_CODES[Number(rpc[1])];
}

function phraseReader(table: readonly (readonly [FailureType, readonly string[]])[]): Reader {
  const compiled: readonly (readonly [FailureType, readonly Phrase[]])[] = table.map(
    ([type, written]) => [type, written.map(phrase)],
  );
  return (line) => {
    const start = line.slice(0, MAX_WORDS).replace(QUOTED_NAME, '_').toLowerCase();
    return compiled.find(([, phrases]) => phrases.some((found) => found(start)))?.[0];
  };
}
