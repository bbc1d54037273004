/** A place in the text of a call that had to be mended. */
export interface RepairPlace {
  readonly start: number;
  /** The same as the start where something is missing. */
  readonly end: number;
  readonly repair: string;
}

/** What a repair looks like outside of strings. */
const PATTERNS: Readonly<Record<string, RegExp>> = {
  'trailing-comma': /,(?=\s*[}\])])/g,
  'python-literal': /\b(?:True|False|None)\b/g,
  'javascript-literal': /\b(?:undefined|NaN|Infinity)\b/g,
  'unquoted-key': /(?<![\w$-])[A-Za-z_$][\w$-]{0,60}(?= ?:)/g,
  comment: /\/\/[^\n]*|\/\*[^*]*\*\//g,
  'code-fence': /```(?:json)?/g,
  'doubled-braces': /\{\{|\}\}/g,
  ellipsis: /\.\.\.|…/g,
};

/** Which strings a repair is about: its delimiters are what was mended. */
const STRINGS: Readonly<Record<string, (string: string) => boolean>> = {
  'single-quotes': (string) => string.startsWith("'"),
  'odd-quotes': (string) => string.startsWith('`'),
  'smart-quotes': (string) => /^[“”‘’]/.test(string),
  'double-encoded': (string) => /^"\s*[{[]/.test(string),
};

/** Nothing of it can be marked but the place where it should be. */
const MISSING: ReadonlySet<string> = new Set(['missing-brace', 'missing-end-marker', 'truncated']);

/** Which character closes a string that another one opens. */
const QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '”': '”',
  '‘': '’',
  '’': '’',
};

const FENCE = '```';

interface StringPlace {
  readonly start: number;
  readonly string: string;
}

/**
 * Where in the text of a call its repairs can be seen. The gateway tells what was mended and not where, so this
 * looks for what such a mistake looks like; one that looks like anything has no place, and is only named.
 */
export function findRepairs(text: string, repairs: readonly string[]): readonly RepairPlace[] {
  const strings = stringsIn(text);
  // Of the same length, so that places in it are places in the text.
  const outside = withoutStrings(text, strings);
  const places = repairs.flatMap((repair): readonly RepairPlace[] => {
    const at = (start: number, length: number): RepairPlace => ({
      start,
      end: start + length,
      repair,
    });
    const isMended = STRINGS[repair];
    if (isMended !== undefined) {
      return strings
        .filter(({ string }) => isMended(string))
        .flatMap(({ string, start }) => [at(start, 1), at(start + string.length - 1, 1)]);
    }
    if (MISSING.has(repair)) {
      const isBrace = repair === 'missing-brace';
      return [at(isBrace ? endOfValue(outside) : text.trimEnd().length, 0)];
    }
    const pattern = PATTERNS[repair];
    if (pattern === undefined) return [];
    return [...outside.matchAll(pattern)].map(({ 0: found, index }) => at(index, found.length));
  });
  return places.sort((a, b) => a.start - b.start || a.end - b.end);
}

function withoutStrings(text: string, strings: readonly StringPlace[]): string {
  let rest = '';
  for (const { start, string } of strings) {
    rest += text.slice(rest.length, start) + '"'.repeat(string.length);
  }
  return rest + text.slice(rest.length);
}

function stringsIn(text: string): readonly StringPlace[] {
  const found: StringPlace[] = [];
  for (let at = 0; at < text.length; at++) {
    const closer = QUOTES[text.charAt(at)];
    if (closer === undefined) continue;
    if (text.startsWith(FENCE, at)) {
      at += FENCE.length - 1;
      continue;
    }
    const end = endOfString(text, at + 1, closer);
    if (end < 0) break;
    found.push({ start: at, string: text.slice(at, end + 1) });
    at = end;
  }
  return found;
}

function endOfString(text: string, from: number, closer: string): number {
  for (let at = from; at < text.length; at++) {
    if (text.charAt(at) === '\\') at++;
    else if (text.charAt(at) === closer) return at;
  }
  return -1;
}

/** What closes the markup around a value. */
const CLOSING = /(?:<[^<>]*>|\[\/\w+\]|```)$/;

/** Before all that closes the markup around it. */
function endOfValue(outside: string): number {
  let value = outside.trimEnd();
  for (let last = ''; last !== value;) {
    last = value;
    value = value.replace(CLOSING, '').trimEnd();
  }
  return value.length;
}
