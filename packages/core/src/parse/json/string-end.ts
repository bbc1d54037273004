import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  COLON,
  COMMA,
  DOT,
  EQUALS,
  FULLWIDTH_COLON,
  FULLWIDTH_COMMA,
  HASH,
  isQuote,
  isSpace,
  isWord,
  BACKSLASH,
  BACKTICK,
  NEWLINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  PLUS,
  SEMICOLON,
  SLASH,
  skipSpace,
} from './char-code.ts';
import { callBeginsAt } from './next-call.ts';

/**
 * Models forget to escape quotes inside strings, so a quote alone does not end one: what follows has to
 * make sense. Everything here answers "yes" for every quote that ends a string in valid JSON.
 */
export type StringEnd =
  /** The quote ends the string. */
  | 'ends'
  /** The quote is part of the string. */
  | 'inside'
  /** More input is needed to tell. */
  | 'unclear';

/** What stands around a document. */
export interface Markers {
  /** What ends the text around the document, such as `</tool_call>`; empty for none. */
  readonly endMarker: string;
  /** What begins the next document, such as `<tool_call>`; empty for none. */
  readonly nextMarker: string;
}

export interface StringPlace extends Markers {
  /** What the string is, where it stands. */
  readonly role: 'key' | 'member' | 'element' | 'root';
  /** How many brackets are open around it. */
  readonly depth: number;
  /** Whether the string began with a bracket, as JSON written into a string does. */
  readonly beginsWithBracket: boolean;
  /** Whether a `)` could close a tuple around the string. */
  readonly inTuple: boolean;
  /** Whether this document leaves out the colon between key and value. */
  readonly isColonless: boolean;
}

/** How far one decision may look; beyond it the quote counts as it would in valid JSON. */
const WINDOW = 512;
/** How long a key or a run of brackets inside that window may be. */
const HORIZON = 160;

export function decideStringEnd(
  text: string,
  afterQuote: number,
  place: StringPlace,
  ending: boolean,
): StringEnd {
  if (text.length <= afterQuote + WINDOW) return decide(text, afterQuote, place, ending);
  const decision = decide(text.slice(0, afterQuote + WINDOW), afterQuote, place, false);
  return decision === 'unclear' ? 'ends' : decision;
}

function decide(text: string, afterQuote: number, place: StringPlace, ending: boolean): StringEnd {
  const at = skipSpace(text, afterQuote);
  if (at - afterQuote > HORIZON) return 'ends';
  if (at >= text.length) return ending ? 'ends' : 'unclear';
  const code = text.charCodeAt(at);
  const spaced = at > afterQuote;

  if (place.role === 'key') {
    if (code === SLASH || (spaced && code === HASH)) return decideComment(text, at, ending);
    return decideKeyEnd(code, spaced);
  }
  if (code === COMMA || code === FULLWIDTH_COMMA) {
    if (place.role === 'root') return 'ends';
    return place.role === 'member'
      ? decideBeforeKey(text, skipSpace(text, at + 1), place, ending)
      : decideBeforeElement(text, skipSpace(text, at + 1), ending);
  }
  if (code === SEMICOLON && place.role === 'member') {
    const next = skipSpace(text, at + 1);
    if (text.charCodeAt(next) === OPEN_BRACE) return decideBeforeCall(text, next, ending);
    return decideUnlessCut(text, next, place, ending);
  }
  if (closes(code, place)) {
    return place.role === 'root' ? 'ends' : decideBeforeClosers(text, at, place, ending);
  }
  const marker = startsEitherMarker(text, at, place, ending);
  if (marker !== 'inside') return marker;
  if (place.role === 'root') {
    return code === COLON || code === EQUALS || spaced || code === BACKTICK ? 'ends' : 'inside';
  }
  const fence = startsMarker(text, at, '```', ending);
  if (fence !== 'inside') return fence;
  if (spaced && (code === SLASH || code === HASH)) return decideComment(text, at, ending);
  if (code === PLUS) return decideJoin(text, at + 1, ending);
  if (spaced && place.role === 'member' && (isQuote(code) || isWord(code))) {
    return decideBeforeKey(text, at, place, ending, false);
  }
  if (spaced && place.role === 'element' && (isQuote(code) || code === OPEN_BRACE)) return 'ends';
  if (spaced && code === OPEN_BRACE) return decideBeforeCall(text, at, ending);
  return 'inside';
}

function decideKeyEnd(code: number, spaced: boolean): StringEnd {
  const meansEnd =
    code === COLON ||
    code === FULLWIDTH_COLON ||
    code === EQUALS ||
    code === COMMA ||
    code === OPEN_BRACE ||
    code === OPEN_BRACKET ||
    isCloser(code) ||
    isQuote(code) ||
    (spaced && ((code >= 0x30 && code <= 0x39) || code === 0x2d));
  return meansEnd ? 'ends' : 'inside';
}

/** After a member's value and its comma: a key must follow for the comma to be a separator. */
function decideBeforeKey(
  text: string,
  from: number,
  place: StringPlace,
  ending: boolean,
  isSeparated = true,
): StringEnd {
  if (from >= text.length) return ending ? 'ends' : 'unclear';
  const code = text.charCodeAt(from);
  if (isCloser(code) || code === COMMA || code === OPEN_BRACE || code === SLASH || code === HASH) {
    return 'ends';
  }
  if (code === DOT) return startsMarker(text, from, '...', ending);
  if (code === BACKSLASH) return 'inside';
  if (isQuote(code)) return decideQuotedKey(text, from, place, code, ending);
  if (!isWord(code)) return 'inside';
  let end = from;
  while (end < text.length && end - from < HORIZON && isKeyLetter(text.charCodeAt(end))) end++;
  if (isQuote(text.charCodeAt(end))) end++;
  const after = skipSpace(text, end);
  if (after >= text.length) return ending ? 'inside' : 'unclear';
  const next = text.charCodeAt(after);
  // `class="a" id="b"` is an attribute, not a member.
  return isColon(next) && (isSeparated || next !== EQUALS) ? 'ends' : 'inside';
}

/** Where the separator is doubtful, a semicolon or a line break, only a whole key shows that it is one. */
function decideUnlessCut(
  text: string,
  from: number,
  place: StringPlace,
  ending: boolean,
): StringEnd {
  const decision = decideBeforeKey(text, from, place, false);
  return decision === 'unclear' && ending ? 'inside' : decision;
}

function decideQuotedKey(
  text: string,
  from: number,
  place: StringPlace,
  quote: number,
  ending: boolean,
): StringEnd {
  let end = from + 1;
  for (; end < text.length && end - from < HORIZON; end++) {
    const code = text.charCodeAt(end);
    if (code === BACKSLASH) end++;
    else if (code === quote || (quote > 0x7f && isQuote(code))) break;
  }
  if (end - from >= HORIZON) return 'ends';
  if (end >= text.length) return ending ? 'ends' : 'unclear';
  const after = skipSpace(text, end + 1);
  if (after >= text.length) return ending ? 'ends' : 'unclear';
  const code = text.charCodeAt(after);
  if (isColon(code)) return 'ends';
  if (code === OPEN_BRACE) {
    // `"arguments" {"a": …`: the colon is missing.
    const inner = skipSpace(text, after + 1);
    if (inner >= text.length && !ending) return 'unclear';
    if (isQuote(text.charCodeAt(inner))) return 'ends';
  }
  if (place.isColonless && (code === OPEN_BRACE || code === OPEN_BRACKET || isQuote(code)))
    return 'ends';
  return endsInColon(text.slice(from + 1, end)) ? 'ends' : 'inside';
}

/** After an element and its comma: another element must follow. */
function decideBeforeElement(text: string, from: number, ending: boolean): StringEnd {
  if (from >= text.length) return ending ? 'ends' : 'unclear';
  const code = text.charCodeAt(from);
  if (!isWord(code)) return code === COLON || code === EQUALS ? 'inside' : 'ends';
  let end = from;
  while (end < text.length && end - from < HORIZON && isElementLetter(text.charCodeAt(end))) end++;
  const after = skipSpace(text, end);
  if (after >= text.length) return ending ? 'ends' : 'unclear';
  const next = text.charCodeAt(after);
  return next === COMMA || isCloser(next) || isQuote(next) ? 'ends' : 'inside';
}

function decideBeforeClosers(
  text: string,
  from: number,
  place: StringPlace,
  ending: boolean,
): StringEnd {
  let closers = 0;
  let at = from;
  let newline = false;
  for (; at < text.length && at - from < HORIZON; at++) {
    const code = text.charCodeAt(at);
    if (closes(code, place)) {
      closers++;
      newline = false;
      if (closers >= place.depth) return 'ends';
    } else if (isSpace(code)) newline ||= code === NEWLINE;
    else break;
  }
  if (at - from >= HORIZON) return 'ends';
  if (at >= text.length) return ending ? 'ends' : 'unclear';
  const code = text.charCodeAt(at);
  if (code === COMMA || code === FULLWIDTH_COMMA) return 'ends';
  if (code === SLASH || code === HASH || code === BACKTICK) return 'ends';
  if (newline && (isQuote(code) || isWord(code))) return decideUnlessCut(text, at, place, ending);
  const call = code === SEMICOLON ? skipSpace(text, at + 1) : at;
  if (call >= text.length) return ending ? 'inside' : 'unclear';
  if (text.charCodeAt(call) === OPEN_BRACE) return decideBeforeCall(text, call, ending);
  return startsEitherMarker(text, at, place, ending);
}

/** Before an object: the string ends only if another call begins there. */
function decideBeforeCall(text: string, at: number, ending: boolean): StringEnd {
  const begins = callBeginsAt(text, at + 1, ending);
  if (begins === 'unclear') return 'unclear';
  return begins === 'yes' ? 'ends' : 'inside';
}

function decideComment(text: string, at: number, ending: boolean): StringEnd {
  if (text.charCodeAt(at) === HASH) return 'ends';
  if (at + 1 >= text.length) return ending ? 'inside' : 'unclear';
  return text.startsWith('//', at) || text.startsWith('/*', at) ? 'ends' : 'inside';
}

function decideJoin(text: string, from: number, ending: boolean): StringEnd {
  const at = skipSpace(text, from);
  if (at >= text.length) return ending ? 'inside' : 'unclear';
  return isQuote(text.charCodeAt(at)) ? 'ends' : 'inside';
}

/** Whether the end marker stands at `at`; `unclear` while only its beginning has arrived. */
export function startsMarker(text: string, at: number, marker: string, ending: boolean): StringEnd {
  if (marker === '' || text.charCodeAt(at) !== marker.charCodeAt(0)) return 'inside';
  if (text.startsWith(marker, at)) return 'ends';
  const partial = !ending && text.length - at < marker.length && marker.startsWith(text.slice(at));
  return partial ? 'unclear' : 'inside';
}

/** Whether the end marker, or what begins the next document, stands at `at`. */
export function startsEitherMarker(
  text: string,
  at: number,
  { endMarker, nextMarker }: Markers,
  ending: boolean,
): StringEnd {
  const end = startsMarker(text, at, endMarker, ending);
  return end === 'inside' ? startsMarker(text, at, nextMarker, ending) : end;
}

/** `city: ` — a key whose closing quote was forgotten, up to the value's opening quote. */
export function endsInColon(text: string): boolean {
  return /^[\w$-]+\s{0,2}:\s*$/.test(text);
}

export function isCloser(code: number): boolean {
  return code === CLOSE_BRACE || code === CLOSE_BRACKET || code === CLOSE_PAREN;
}

function closes(code: number, place: StringPlace): boolean {
  return code === CLOSE_BRACE || code === CLOSE_BRACKET || (code === CLOSE_PAREN && place.inTuple);
}

export function isColon(code: number): boolean {
  return code === COLON || code === FULLWIDTH_COLON || code === EQUALS;
}

function isKeyLetter(code: number): boolean {
  return isWord(code) || code === 0x2d || code === DOT;
}

function isElementLetter(code: number): boolean {
  return isKeyLetter(code) || code === PLUS;
}
