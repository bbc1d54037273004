import { TYPE_OF_CLASS } from '@holdfast/core/advise';
import type { FailureType } from '@holdfast/core/advise';
import { ERRNO_TOKENS } from '../../../packages/core/src/advise/classify/errno-tokens.ts';
import { EXCEPTION_TOKENS } from '../../../packages/core/src/advise/classify/exception-tokens.ts';
import {
  CURL_CODES,
  EXIT_CODES,
  RPC_CODES,
  SIGNALS,
} from '../../../packages/core/src/advise/classify/exit-codes.ts';
import { typeOfStatus } from '../../../packages/core/src/advise/classify/http-statuses.ts';
import { LOCALIZED_PHRASES } from '../../../packages/core/src/advise/classify/localized-phrases.ts';
import { PHRASES } from '../../../packages/core/src/advise/classify/phrases.ts';
import { PRECISE_PHRASES } from '../../../packages/core/src/advise/classify/precise-phrases.ts';
import { STATUS_TOKENS } from '../../../packages/core/src/advise/classify/status-tokens.ts';
import { inCode } from './table.ts';

type Phrases = readonly (readonly [FailureType, readonly string[]])[];

/** How much of a long list a page shows. */
const SHOWN = 12;

/** What in the tables says that a failure is of a type, in the order in which it is looked at. */
export function signalRows(type: FailureType): string[][] {
  const rows: [string, readonly string[]][] = [
    ['the guard, by its class', keysOf(TYPE_OF_CLASS, type)],
    ['the exit code', keysOf(EXIT_CODES, type)],
    ['the signal', keysOf(SIGNALS, type)],
    ['the HTTP status', statusesOf(type)],
    ['the code of JSON-RPC', keysOf(RPC_CODES, type)],
    ['the number that curl prints', keysOf(CURL_CODES, type)],
    ['a word of code in an error line', tokensOf(type)],
    ['an exact phrase in an error line', phrasesOf(PRECISE_PHRASES, type)],
    ['a general phrase in an error line', phrasesOf(PHRASES, type)],
    ['a phrase of another language in an error line', phrasesOf(LOCALIZED_PHRASES, type)],
  ];
  return rows.flatMap(([who, values]) => (values.length === 0 ? [] : [[who, shown(values)]]));
}

function shown(values: readonly string[]): string {
  const first = values.slice(0, SHOWN).map(inCode).join(', ');
  return values.length <= SHOWN ? first : `${first} and ${values.length - SHOWN} more`;
}

const keysOf = (map: Readonly<Record<string, FailureType>>, type: FailureType): string[] =>
  Object.keys(map).filter((key) => map[key] === type);

/** Statuses as ranges: there are two hundred of them. */
function statusesOf(type: FailureType): string[] {
  const ranges: [number, number][] = [];
  for (let status = 400; status < 600; status += 1) {
    if (typeOfStatus(status) !== type) continue;
    const last = ranges.at(-1);
    if (last?.[1] === status - 1) last[1] = status;
    else ranges.push([status, status]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`));
}

const tokensOf = (type: FailureType): string[] =>
  [ERRNO_TOKENS, EXCEPTION_TOKENS, STATUS_TOKENS].flatMap((tokens) =>
    [...tokens].flatMap(([token, of]) => (of === type ? [token] : [])),
  );

const phrasesOf = (table: Phrases, type: FailureType): string[] =>
  table.flatMap(([of, phrases]) => (of === type ? phrases : []));
