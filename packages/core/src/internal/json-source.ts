const NEAR = 24;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const NUMBER_CHARACTERS = '0123456789+-.eE';

/** Where a string of valid JSON ends whose opening quote is at `at`: the index after its closing quote. */
export function endOfString(json: string, at: number): number {
  // Most strings are short: a native search costs more than looking at a few characters.
  const near = Math.min(json.length, at + NEAR);
  for (let next = at + 1; next < near; next++) {
    const code = json.charCodeAt(next);
    if (code === QUOTE) return next + 1;
    if (code === BACKSLASH) break;
  }
  let end = json.indexOf('"', at + 1);
  while (end >= 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end < 0 ? json.length : end + 1;
}

/** Where a value of valid JSON ends that begins at `at`. */
export function endOfValue(json: string, at: number): number {
  let depth = 0;
  let next = at;
  do {
    const code = json.charCodeAt(next);
    if (code === QUOTE) next = endOfString(json, next);
    else if (depth === 0 && !isOpener(code)) return endOfWord(json, next);
    else {
      if (isOpener(code)) depth++;
      else if (isCloser(code)) depth--;
      next++;
    }
  } while (depth > 0 && next < json.length);
  return next;
}

export function skipJsonSpace(json: string, at: number): number {
  let next = at;
  while (next < json.length && json.charCodeAt(next) <= 0x20) next++;
  return next;
}

/** The key that a string of valid JSON spells, quotes included. */
export function keyOf(written: string): string {
  const key = written.slice(1, -1);
  // eslint-disable-next-line no-restricted-properties -- one valid string, not a document
  return key.includes('\\') ? (JSON.parse(written) as string) : key;
}

/** A number as it is written in valid JSON, and where. */
export interface WrittenNumber {
  readonly text: string;
  readonly start: number;
  readonly path: readonly (string | number)[];
}

/** The numbers in valid JSON, in order. Takes time linear in the text, and in the depth of each number. */
export function* numbersIn(json: string): Generator<WrittenNumber> {
  const path: (string | number)[] = [];
  let isKeyNext = false;
  for (let at = 0; at < json.length;) {
    const code = json.charCodeAt(at);
    const char = json.charAt(at);
    if (code === QUOTE) {
      const end = endOfString(json, at);
      if (isKeyNext) path[path.length - 1] = keyOf(json.slice(at, end));
      isKeyNext = false;
      at = end;
      continue;
    }
    if (code === MINUS || (code >= 0x30 && code <= 0x39)) {
      const end = endOfNumber(json, at);
      yield { text: json.slice(at, end), start: at, path };
      at = end;
      continue;
    }
    // Space may stand before a key, too.
    if (code <= 0x20) {
      at++;
      continue;
    }
    if (char === '{') path.push('');
    else if (char === '[') path.push(0);
    else if (isCloser(code)) path.pop();
    isKeyNext = char === '{' || (char === ',' && typeof path.at(-1) === 'string');
    if (char === ',' && !isKeyNext) path[path.length - 1] = Number(path.at(-1)) + 1;
    at++;
  }
}

function endOfNumber(json: string, at: number): number {
  let end = at;
  while (end < json.length && NUMBER_CHARACTERS.includes(json.charAt(end))) end++;
  return end;
}

/** The end of a number or a literal. */
function endOfWord(json: string, at: number): number {
  let end = at;
  while (end < json.length && !WORD_ENDS.includes(json.charAt(end))) end++;
  return end;
}

const WORD_ENDS = ',]}: \t\r\n';

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

function isOpener(code: number): boolean {
  return code === 0x7b || code === 0x5b;
}

function isCloser(code: number): boolean {
  return code === 0x7d || code === 0x5d;
}
