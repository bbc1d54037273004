import { losesDigits } from '../../internal/schema-text.ts';
import type { Repair } from '../../types.ts';
import { DOT, isDigit } from './char-code.ts';

export interface BareWord {
  readonly value: string | number | boolean | null;
  /** The digits of a number that a double cannot hold. */
  readonly digits?: string;
  readonly repair: Repair | undefined;
  readonly lossy: boolean;
}

const ZERO = 0x30;
/** Writing longer ones in decimal takes more than linear time. */
const LONGEST_PREFIXED = 400;
const STRICT_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const LOOSE_NUMBER = /^[+-]?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?$/;
const PREFIXED_NUMBER = /^([+-]?)(0[xX][\da-fA-F]+|0[oO][0-7]+|0[bB][01]+)$/;
const NON_FINITE = /^[+-]?(?:Infinity|inf|Inf|NaN|nan)$/;

/** Reads an unquoted word as the value it stands for. */
export function readBareWord(word: string): BareWord {
  // Most words are numbers, and telling one from ten literals costs more than reading it.
  if (isShortNumber(word)) return { value: Number(word), repair: undefined, lossy: false };
  switch (word) {
    case 'true':
      return { value: true, repair: undefined, lossy: false };
    case 'false':
      return { value: false, repair: undefined, lossy: false };
    case 'null':
      return { value: null, repair: undefined, lossy: false };
    case 'True':
    case 'TRUE':
      return { value: true, repair: 'python-literal', lossy: false };
    case 'False':
    case 'FALSE':
      return { value: false, repair: 'python-literal', lossy: false };
    case 'None':
    case 'NULL':
    case 'Null':
      return { value: null, repair: 'python-literal', lossy: false };
    case 'undefined':
      return { value: null, repair: 'javascript-literal', lossy: false };
    default:
      return readNumber(word) ?? { value: word, repair: 'unquoted-value', lossy: false };
  }
}

function readNumber(word: string): BareWord | undefined {
  if (STRICT_NUMBER.test(word)) return decimal(word, undefined);
  if (LOOSE_NUMBER.test(word)) return decimal(word.replaceAll('_', ''), 'number');
  const prefixed = PREFIXED_NUMBER.exec(word);
  if (prefixed?.[2] !== undefined && word.length <= LONGEST_PREFIXED) {
    const sign = prefixed[1] === '-' ? '-' : '';
    const magnitude = Number(prefixed[2]);
    const isExact = Number.isSafeInteger(magnitude);
    return {
      value: sign === '-' ? -magnitude : magnitude,
      ...(!isExact && { digits: sign + BigInt(prefixed[2]).toString() }),
      repair: 'number',
      lossy: false,
    };
  }
  // JSON has no way to say it; null is what JSON.stringify writes for it.
  if (NON_FINITE.test(word)) return { value: null, repair: 'non-finite-number', lossy: true };
  return undefined;
}

function decimal(text: string, repair: Repair | undefined): BareWord {
  const value = Number(text);
  const isLost = losesDigits(text, value);
  return { value, ...(isLost && { digits: text }), repair, lossy: false };
}

/** Most numbers, `12` and `0.5`: a look at a few characters costs less than a regular expression. */
export function isShortNumber(word: string): boolean {
  // Longer ones may have more digits than a double holds.
  if (word.length > 15) return false;
  let point = -1;
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    if (isDigit(code)) continue;
    if (code !== DOT || point >= 0 || at === 0) return false;
    point = at;
  }
  const whole = point < 0 ? word.length : point;
  const hasLeadingZero = word.charCodeAt(0) === ZERO && whole > 1;
  return whole > 0 && point !== word.length - 1 && !hasLeadingZero;
}

/** Whether the word is a number or a literal, not a string without quotes. */
export function isLiteral(word: string): boolean {
  return readBareWord(word).repair !== 'unquoted-value';
}

/** Whether the word is the beginning of a literal or a number, with its end still to come. */
export function isCutWord(word: string): boolean {
  if (word === '' || word === '-' || word === '+') return true;
  if (/[.eE+-]$/.test(word) && /^[+-]?\d/.test(word)) return true;
  return LITERALS.some((literal) => literal !== word && literal.startsWith(word));
}

const LITERALS = ['true', 'false', 'null', 'True', 'False', 'None'];

/** `...` in a list or an object: something was left out. */
export function isEllipsis(word: string): boolean {
  return word === '...' || word === '…';
}

/** The letters Python puts before a string: `r"…"`, `f'…'`. */
export function isStringPrefix(word: string): boolean {
  return /^(?:[rubf]|rb|br|fr|rf)$/i.test(word);
}
