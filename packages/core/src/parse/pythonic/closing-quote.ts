import { isWord, skipSpace } from '../json/char-code.ts';

/** More quotes than these are not tried: each costs a reading of the rest. */
const MOST_CANDIDATES = 16;

/**
 * The quote that ends a string with quotes of its own kind in it: `'sed -n '1,9p' f')]`. `rest` is what
 * stands from the first doubtful quote to the end of the block, `open` the brackets around the string.
 * Returns -1 unless exactly one quote leaves something that can be read.
 */
export function closingQuote(rest: string, quote: string, open: readonly string[]): number {
  const candidates: number[] = [];
  for (let at = 0; at < rest.length; at++) {
    const character = rest.charAt(at);
    if (character === '\\') at++;
    else if (character === quote && at > 0 && mayFollowValue(rest, at + 1, open))
      candidates.push(at);
    if (candidates.length > MOST_CANDIDATES) return -1;
  }
  let found = -1;
  for (const candidate of candidates) {
    const outcome = outcomeOf(rest, candidate + 1, [...open]);
    if (outcome === 'wrong') continue;
    // A second one, or one that leaves another string in doubt.
    if (found >= 0 || outcome === 'broken') return -1;
    found = candidate;
  }
  return found;
}

/** Whether what comes next can stand behind a value. */
function mayFollowValue(text: string, from: number, open: readonly string[]): boolean {
  const next = text.charAt(skipSpace(text, from));
  return next !== '' && followersIn(open).includes(next);
}

/** What can stand behind a value, by the innermost of the brackets around it. */
export function followersIn(open: readonly string[]): string {
  switch (open.at(-1)) {
    case '{':
      return ',}:#';
    case '[':
      return ',]#';
    default:
      return ',)#';
  }
}

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/**
 * Whether the rest of a block can be read from behind a value on: `wrong` when it cannot, `broken` when all
 * is well up to a string with a quote too many.
 */
function outcomeOf(text: string, from: number, open: string[]): 'whole' | 'broken' | 'wrong' {
  let isValueDue = false;
  for (let at = skipSpace(text, from); at < text.length; at = skipSpace(text, at)) {
    const character = text.charAt(at);
    const top = open.at(-1);
    if (top !== undefined && character === CLOSERS[top]) {
      open.pop();
      isValueDue = false;
      at++;
    } else if (!isValueDue) {
      const isSeparator = character === ',' || (character === ':' && top === '{');
      const isStatement = top === undefined && (character === ';' || isWord(text.charCodeAt(at)));
      if (!isSeparator && !isStatement) return 'wrong';
      if (isSeparator || character === ';') at++;
      isValueDue = true;
    } else if (isQuote(character)) {
      const end = stringEnd(text, at);
      if (end < 0) return 'wrong';
      if (!mayFollowValue(text, end, open)) return 'broken';
      isValueDue = false;
      at = end;
    } else if (character in CLOSERS) {
      open.push(character);
      at++;
    } else {
      const end = wordEnd(text, at);
      if (end === at) return 'wrong';
      const isPrefix = end - at <= 2 && isQuote(text.charAt(end));
      at = isPrefix ? end : skipSpace(text, end);
      if (isPrefix) continue;
      const next = text.charAt(at);
      const isKey = next === '=' && top === '(';
      const isCall = next === '(' && (top === undefined || (top === '[' && open.length === 1));
      if (isCall) open.push('(');
      if (isKey || isCall) at++;
      else isValueDue = false;
    }
  }
  return open.length === 0 ? 'whole' : 'wrong';
}

function isQuote(character: string): boolean {
  return character === '"' || character === "'";
}

/** Behind the closing quote of the string at `at`, or -1. */
function stringEnd(text: string, at: number): number {
  const single = text.charAt(at);
  const quote = text.startsWith(single.repeat(3), at) ? single.repeat(3) : single;
  for (let i = at + quote.length; i < text.length; i++) {
    if (text.charAt(i) === '\\') i++;
    else if (text.startsWith(quote, i)) return i + quote.length;
  }
  return -1;
}

/** Behind a number, a word or a dotted name. */
function wordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && (isWord(text.charCodeAt(at)) || '+-.'.includes(text.charAt(at)))) at++;
  return at;
}
