import {
  ARGUMENT_KEYS,
  NAME_KEYS,
  OFFERED_ARGUMENT_KEYS,
  OFFERED_LIST_KEYS,
  OFFERED_NAME_KEYS,
} from '../call-keys.ts';
import { isDigit, isQuote, skipSpace } from '../json/char-code.ts';
import type { OfferedTools } from '../offered-tools.ts';

/** Keys of a call that need no tool's name as evidence, and keys that it may have besides. */
export const PLAIN_NAME_KEYS = ['name', 'tool_name', 'tool', 'function'] as const;
export const PLAIN_ARGUMENT_KEYS = ['arguments', 'parameters'] as const;
export const PLAIN_ABOUT_KEYS = ['id', 'type', 'index', 'call_id', 'tool_call_id'] as const;

const OFFERED_NAMES: ReadonlySet<string> = new Set(OFFERED_NAME_KEYS);
const OFFERED_KEYS: ReadonlySet<string> = new Set([
  ...OFFERED_NAME_KEYS,
  ...OFFERED_ARGUMENT_KEYS,
  ...OFFERED_LIST_KEYS,
  ...PLAIN_ABOUT_KEYS,
]);
const NAMES: ReadonlySet<string> = new Set(NAME_KEYS);
const PLAIN_KEYS: ReadonlySet<string> = new Set([
  ...PLAIN_NAME_KEYS,
  ...PLAIN_ARGUMENT_KEYS,
  ...PLAIN_ABOUT_KEYS,
]);
const ALL_KEYS: ReadonlySet<string> = new Set([...PLAIN_KEYS, ...NAME_KEYS, ...ARGUMENT_KEYS]);

/** No name is further away. */
const LIMIT = 160;

/**
 * Whether the object at `at`, in a list or not, can be a call, as far as its first keys and strings tell.
 * JSON that cannot is let go at once, so that an answer in JSON is not held back until its end. `isOffered`
 * says that the names of offered tools count as keys too, and that nothing else is believed.
 */
export function beginsLikeCall(
  text: string,
  at: number,
  tools: OfferedTools | undefined,
  isOffered = false,
): 'yes' | 'no' | 'unclear' {
  // The window counts from the bracket, so that it ends in the same place however the text arrives.
  const window = text.slice(at, at + LIMIT);
  const verdict = look(window, tools, isOffered);
  return verdict === 'unclear' && window.length === LIMIT ? 'no' : verdict;
}

function look(
  text: string,
  tools: OfferedTools | undefined,
  isOffered: boolean,
): 'yes' | 'no' | 'unclear' {
  const keys = tools === undefined ? PLAIN_KEYS : isOffered ? OFFERED_KEYS : ALL_KEYS;
  let at = text.startsWith('[') ? skipSpace(text, 1) : 0;
  for (;;) {
    // A brace or a comma, then a key.
    at = skipSpace(text, at + 1);
    const isQuoted = isQuote(text.charCodeAt(at));
    // Without tools nothing but valid JSON is a call.
    if (isQuoted && text.charAt(at) !== '"' && tools === undefined) return 'no';
    if (isQuoted) at++;
    let end = at;
    while (end < text.length && isKeyCharacter(text.charCodeAt(end))) end++;
    const key = text.slice(at, end);
    if (isQuote(text.charCodeAt(end))) end++;
    at = skipSpace(text, end);
    if (at >= text.length) return 'unclear';
    if (text.charAt(at) !== ':') return 'no';
    at = skipSpace(text, at + 1);
    if (at >= text.length) return 'unclear';
    if (!keys.has(key)) return isOffered && tools?.resolve(key) !== undefined ? 'yes' : 'no';
    const number = endOfNumber(text, at);
    if (number > at) {
      // The number of a call says nothing yet.
      at = skipSpace(text, number);
      if (at >= text.length) return 'unclear';
      if (text.charAt(at) !== ',') return 'no';
      continue;
    }
    if (isOffered && text.charAt(at) === "'") {
      const written = /^'([^']*)'/.exec(text.slice(at))?.[1];
      if (written === undefined) return 'unclear';
      return tools?.resolve(written) === undefined ? 'no' : 'yes';
    }
    if (text.charAt(at) !== '"') return 'yes';
    const close = text.indexOf('"', at + 1);
    if (close < 0) return 'unclear';
    const value = text.slice(at + 1, close);
    if (value.includes('\\')) return 'yes';
    if (NAMES.has(key) || (isOffered && OFFERED_NAMES.has(key))) {
      if (tools?.resolve(value) !== undefined) return 'yes';
      if (isOffered && key !== 'type') return 'no';
      // The name of a tool is one word.
      if (/\s/.test(value.trim())) return 'no';
    }
    at = skipSpace(text, close + 1);
    if (at >= text.length) return 'unclear';
    if (text.charAt(at) !== ',') return 'yes';
  }
}

function endOfNumber(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

function isKeyCharacter(code: number): boolean {
  const isLetter = (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
  return isLetter || (code >= 0x30 && code <= 0x39) || code === 0x5f;
}
