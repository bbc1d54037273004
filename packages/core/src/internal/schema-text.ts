import type { JsonValue } from '../types.ts';
import { numbersIn } from './json-source.ts';
import { isList } from './schema-walk.ts';

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const LOOSE_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** No number that anyone means is longer, and reading one costs its length. */
const MAX_NUMBER_LENGTH = 400;

/** How a number is written. `json` takes what JSON takes; `any` also `+1`, `007`, `.5`. */
export type NumberStyle = 'json' | 'any';

/**
 * The number that a text says; undefined when it says none, or one that a double cannot hold: beyond its
 * range, or a whole number whose last digits would change.
 */
export function readNumber(text: string, style: NumberStyle): number | undefined {
  if (text.length > MAX_NUMBER_LENGTH) return undefined;
  if (!(style === 'json' ? JSON_NUMBER : LOOSE_NUMBER).test(text)) return undefined;
  const value = Number(text);
  return losesDigits(text, value) ? undefined : value + 0;
}

/** Whether a text is the digits of a number that a double cannot hold. */
export function isLostNumber(text: string): boolean {
  return LOOSE_NUMBER.test(text) && losesDigits(text, Number(text));
}

/**
 * Whether a value that was read from JSON holds a number that may have lost digits. Looking for one in the text
 * would cost more than reading the text natively.
 */
export function holdsUnsafeNumber(value: JsonValue): boolean {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER;
  return typeof value === 'object' && value !== null && hasUnsafeMember(value);
}

/** Loops without a list of the members, and without a call for each string: small documents are many. */
function hasUnsafeMember(container: Exclude<JsonValue, string | number | boolean | null>): boolean {
  if (isList(container)) {
    for (const item of container)
      if (typeof item !== 'string' && holdsUnsafeNumber(item)) return true;
    return false;
  }
  for (const key in container) {
    const member = container[key];
    if (member !== undefined && typeof member !== 'string' && holdsUnsafeNumber(member))
      return true;
  }
  return false;
}

/** Valid JSON whose numbers that a double cannot hold are strings of their digits. */
export function quoteLostNumbers(json: string): string {
  let quoted = '';
  let from = 0;
  for (const { text, start } of numbersIn(json)) {
    if (!losesDigits(text, Number(text))) continue;
    quoted += `${json.slice(from, start)}"${text}"`;
    from = start + text.length;
  }
  return quoted + json.slice(from);
}

/** Whether `value`, the double nearest to a written number, is beyond range or another number. */
export function losesDigits(text: string, value: number): boolean {
  if (!Number.isFinite(value)) return true;
  // Digits after the point may be more than a double has: that is precision, not another number.
  const isSmall = Math.abs(value) <= Number.MAX_SAFE_INTEGER && value !== 0;
  return !isSmall && !isSameNumber(text, value);
}

/** Whether the number is written back as what was read, digit by digit. */
export function isSameNumber(text: string, value: number): boolean {
  const one = digitsOf(text);
  const other = digitsOf(String(value));
  return one.digits === other.digits && (one.digits === '' || one.exponent === other.exponent);
}

/** A number as its digits without outer zeros, and the place of the last: `0.120` is 12 and -2. */
function digitsOf(text: string): { digits: string; exponent: number } {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
  const isNegative = mantissa.startsWith('-');
  const [whole = '', fraction = ''] = mantissa.replace(/^[+-]/, '').split('.');
  const all = whole + fraction;
  let from = 0;
  let to = all.length;
  while (from < to && all.charAt(from) === '0') from++;
  while (to > from && all.charAt(to - 1) === '0') to--;
  const digits = all.slice(from, to);
  const exponent = Number(power) - fraction.length + (all.length - to);
  return { digits: isNegative && digits !== '' ? `-${digits}` : digits, exponent };
}

export function readBoolean(text: string): boolean | undefined {
  if (text.length > 5) return undefined;
  const word = text.toLowerCase();
  if (word === 'true') return true;
  return word === 'false' ? false : undefined;
}

export function isNullText(text: string): boolean {
  return text.length === 4 && text.toLowerCase() === 'null';
}

/** Whether the text begins like a JSON object or list. */
export function isBracketed(text: string): boolean {
  const first = text.charAt(0);
  return first === '{' || first === '[';
}

/** Levels that `JSON.stringify` and `structuredClone` can still walk. */
const MAX_DEPTH = 128;

/**
 * What `JSON.parse` makes of a text; undefined when it is no JSON, too deep, or a number that would lose
 * digits. Inside lists and objects such a number is the string of its digits.
 */
export function readStrictJson(text: string): JsonValue | undefined {
  const first = text.charAt(0);
  // Most texts are no JSON, and an exception costs far more than this look.
  if (first === '' || !'{["-0123456789tfn'.includes(first)) return undefined;
  if (first === '-' || (first >= '0' && first <= '9')) return readNumber(text, 'json');
  try {
    // eslint-disable-next-line no-restricted-properties -- parse/json stands above; depth is bounded below
    const value = JSON.parse(text) as JsonValue;
    if (!isPlainJson(value)) return undefined;
    // eslint-disable-next-line no-restricted-properties -- the same JSON, with more digits
    return holdsUnsafeNumber(value) ? (JSON.parse(quoteLostNumbers(text)) as JsonValue) : value;
  } catch {
    return undefined;
  }
}

/** Whether a value is no deeper than can be walked, and holds no number that JSON cannot say. */
export function isPlainJson(value: JsonValue, levels: number | undefined = MAX_DEPTH): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  return Object.values(value).every((member: JsonValue) => isPlainJson(member, levels - 1));
}

const PYTHON_WORDS: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['True', true],
  ['False', false],
  ['None', null],
]);

/**
 * What a text means when nothing says what it should be: a literal of JSON or Python, a JSON number that
 * is written back the same, a JSON object or list. Everything else is the text itself.
 */
export function readLiteral(text: string): JsonValue {
  const trimmed = text.trim();
  const word = PYTHON_WORDS.get(trimmed);
  if (word !== undefined) return word;
  if (isBracketed(trimmed)) return readStrictJson(trimmed) ?? text;
  const number = readNumber(trimmed, 'json');
  return number !== undefined && isSameNumber(trimmed, number) ? number : text;
}
