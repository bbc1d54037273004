import type { JsonValue } from '../../types.ts';
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  DOUBLE_QUOTE,
  isSpace,
  OPEN_BRACE,
  OPEN_BRACKET,
  skipSpace,
} from './char-code.ts';

export type StrictResult = { readonly value: JsonValue } | 'invalid' | 'too-deep';

/**
 * Native `JSON.parse`, with a limit on nesting: V8 reads a million levels that `JSON.stringify` and
 * `structuredClone` then cannot walk. `__proto__` stays an own key, as native parsing leaves it.
 */
export function parseStrict(text: string, maxDepth: number): StrictResult {
  return mayBeWhole(text) ? parseBracketed(text, maxDepth) : 'invalid';
}

/** The same for a text that is known to begin and end as JSON can, as one from bracket to bracket does. */
export function parseBracketed(text: string, maxDepth: number): StrictResult {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return 'invalid';
  }
  return mayBeDeeper(text, maxDepth) && isDeeper(value, maxDepth) ? 'too-deep' : { value };
}

/**
 * Whether the text begins and ends as JSON can. Most of what is cut or followed by prose does not, and an
 * exception from native parsing costs far more than this look.
 */
function mayBeWhole(text: string): boolean {
  const start = skipSpace(text, 0);
  const first = text.charCodeAt(start);
  let at = text.length - 1;
  while (at >= 0 && isSpace(text.charCodeAt(at))) at--;
  const last = text.charCodeAt(at);
  switch (first) {
    case OPEN_BRACE:
      return last === CLOSE_BRACE;
    case OPEN_BRACKET:
      return last === CLOSE_BRACKET;
    case DOUBLE_QUOTE:
      return last === DOUBLE_QUOTE;
    default:
      return VALUE_STARTS.includes(text.charAt(start));
  }
}

/** What a number or a literal begins with. */
const VALUE_STARTS = '-0123456789tfn';

/** Counting brackets natively is much cheaper than walking the value, and nearly always settles it. */
function mayBeDeeper(text: string, maxDepth: number): boolean {
  if (text.length <= 2 * maxDepth) return false;
  let brackets = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      brackets++;
      if (brackets > maxDepth) return true;
    }
  }
  return false;
}

function isDeeper(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (isList(value)) {
    for (const item of value) if (isDeeper(item, levels - 1)) return true;
    return false;
  }
  // The value comes from `JSON.parse`: all its keys are its own.
  for (const key in value) {
    const member = value[key];
    if (typeof member === 'object' && member !== null && isDeeper(member, levels - 1)) return true;
  }
  return false;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
