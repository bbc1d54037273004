import type { JsonValue, Repair } from '../../types.ts';
import { isCutWord, isEllipsis, isLiteral, isStringPrefix } from './bare-word.ts';
import {
  BACKSLASH,
  COMMA,
  DOUBLE_QUOTE,
  HASH,
  isDigit,
  isPunctuation,
  isQuote,
  isSpace,
  NO_BREAK_SPACE,
  OPEN_BRACE,
  OPEN_BRACKET,
  SLASH,
} from './char-code.ts';
import { COMMENT_GOES_ON, commentAt, CommentReader } from './comment-reader.ts';
import { Findings } from './findings.ts';
import type { Damage } from './findings.ts';
import { JsonStructure, UNCLEAR, WORD_BEGINS } from './json-structure.ts';
import { isCloser, startsEitherMarker } from './string-end.ts';
import type { Markers, StringPlace } from './string-end.ts';
import { PLAIN_OPENING, stringOpeningAt } from './string-opening.ts';
import type { StringOpening } from './string-opening.ts';
import { STRING_GOES_ON, StringReader } from './string-reader.ts';
import type { Delimiter } from './string-reader.ts';
import { ValueBuilder } from './value-builder.ts';
import type { JsonWatcher } from './value-builder.ts';
import { WORD_GOES_ON, WordReader } from './word-reader.ts';

/** What became of the text given so far. */
export type JsonStatus =
  | 'more'
  /** A value was read; `endOffset` says where it ended. */
  | 'done'
  /** This is not JSON, not even broken JSON; `failure` says why. */
  | 'failed';

export interface JsonReaderOptions {
  readonly maxDepth: number;
  /** What ends the text around the document, such as `</tool_call>`. Brackets open there are closed. */
  readonly endMarker?: string;
  /** What begins the next document, such as `<tool_call>`. It ends this one as the end marker does. */
  readonly nextMarker?: string;
}

/** The token the text so far ends in. */
type OpenToken = 'none' | 'string' | 'key-word' | 'value-word' | 'comment';

/**
 * The one JSON reader behind streaming and repair. It reads what local models write, in any number of
 * chunks, and lists every repair; on valid JSON it lists none and agrees with `JSON.parse`. A chunk costs
 * its own length: only the few characters a decision still waits for are looked at twice.
 */
export class JsonReader {
  /** Offset from the first character given, of the end of the value. */
  endOffset = 0;
  /** False when the text ended before the value did. */
  complete = true;
  /** Whether a brace at the end is all that keeps the text from being valid JSON. */
  lacksOnlyBrace = false;

  readonly #markers: Markers;
  readonly #markerCode: number;
  readonly #nextCode: number;
  readonly #findings = new Findings();
  readonly #builder = new ValueBuilder();
  readonly #structure: JsonStructure;
  readonly #string = new StringReader();
  readonly #word = new WordReader();
  readonly #comment = new CommentReader();
  #token: OpenToken = 'none';
  #stringRole: StringPlace['role'] = 'root';
  /** Where the string at hand stands; known once its first character is. */
  #place: StringPlace | undefined;
  #rootStringEnd = -1;
  /** Characters received whose meaning depends on what comes next. */
  #tail = '';
  /** The text being read, and the offset of its first character. */
  #text = '';
  #base = 0;
  /** Offset up to which the text is understood. */
  #offset = 0;

  constructor(options: JsonReaderOptions) {
    const { endMarker = '', nextMarker = '' } = options;
    this.#markers = { endMarker, nextMarker };
    this.#markerCode = endMarker.charCodeAt(0);
    this.#nextCode = nextMarker.charCodeAt(0);
    this.#structure = new JsonStructure(this.#builder, this.#findings, options.maxDepth);
  }

  /** What was read; whole once the status is `done`. */
  get value(): JsonValue | undefined {
    return this.#builder.root;
  }

  get repairs(): readonly Repair[] {
    return this.#findings.repairs;
  }

  get lossy(): boolean {
    return this.#findings.lossy;
  }

  /** The damage of each call, where the value is a list of calls or holds one. */
  get items(): readonly Damage[] {
    return this.#findings.items;
  }

  get failure(): string {
    return this.#findings.failure;
  }

  /** Offset of the character that made it fail. */
  get failedAt(): number {
    return this.#findings.failedAt;
  }

  /** Whether it failed over the limit on nesting. */
  get tooDeep(): boolean {
    return this.#findings.tooDeep;
  }

  /** Where a marker first stood inside a string: the string may have lost its closing quote before it. */
  get crossedAt(): number {
    return this.#findings.crossedAt;
  }

  /** Whether everything so far is valid JSON, as far as can be told. */
  get isClean(): boolean {
    const { repairs, crossedAt } = this.#findings;
    if (repairs.length > 0 || crossedAt >= 0) return false;
    if (this.#token === 'string') return this.#string.isClean;
    return this.#token !== 'value-word' || this.#word.isClean;
  }

  /** Whether the value that was read is valid JSON as it is written. */
  get isValid(): boolean {
    return this.complete && this.#findings.repairs.length === 0;
  }

  /** Offset up to which the text is understood; what lies behind it waits for more. */
  get offset(): number {
    return this.#offset;
  }

  /** The source between two offsets, of which the first lies no further back than the text read last. */
  source(from: number, to: number): string {
    return this.#text.slice(from - this.#base, to - this.#base);
  }

  /** Has `watcher` told where objects that are values of keys begin and end. */
  watch(watcher: JsonWatcher): void {
    this.#builder.watcher = watcher;
  }

  /** Reads on. Characters before `from` are not part of the document. */
  read(chunk: string, from = 0): JsonStatus {
    const text = from === 0 ? chunk : chunk.slice(from);
    return this.#run(this.#tail === '' ? text : this.#tail + text, false);
  }

  /** No more text comes. `closed` says that an end marker, not the end of the answer, stands here. */
  end(closed = false): JsonStatus {
    const status = this.#run(this.#tail, true);
    return status === 'more' ? this.#finishEarly(closed) : status;
  }

  #run(text: string, ending: boolean): JsonStatus {
    this.#tail = '';
    this.#text = text;
    this.#base = this.#offset;
    let at = 0;
    while (at < text.length) {
      const next = this.#step(text, at, ending);
      if (this.#findings.failure !== '') return this.#failed(this.#base + Math.max(at, next));
      if (this.#structure.expects === 'nothing') {
        this.#offset = this.#base + next;
        this.endOffset = this.#valueEnd();
        if (!this.isValid) this.#keepDigits();
        return 'done';
      }
      if (next === UNCLEAR) {
        this.#tail = text.slice(at);
        break;
      }
      at = next;
    }
    this.#offset = this.#base + at;
    return 'more';
  }

  /** Where a value that is over by now ended: a string at the top may be followed by space that was read. */
  #valueEnd(): number {
    return typeof this.#builder.root === 'string' && this.#rootStringEnd >= 0
      ? this.#rootStringEnd
      : this.#offset;
  }

  /** Reads one token or one run of characters. Returns the next index, or `UNCLEAR` when more text is needed. */
  #step(text: string, at: number, ending: boolean): number {
    switch (this.#token) {
      case 'string':
        return this.#readString(text, at, ending);
      case 'key-word':
        return this.#readKeyWord(text, at);
      case 'value-word':
        return this.#readValueWord(text, at, ending);
      case 'comment':
        return this.#readComment(text, at, ending);
      case 'none':
        return this.#readToken(text, at, ending);
    }
  }

  #readToken(text: string, at: number, ending: boolean): number {
    const code = text.charCodeAt(at);
    if (isSpace(code)) return this.#skipSpace(text, at);
    const offset = this.#base + at;
    // Most of what stands between strings and numbers is this, and means what it says.
    const mayBeMarker = code === this.#markerCode || code === this.#nextCode;
    if (isPunctuation(code) && !mayBeMarker) return this.#structure.read(text, at, offset, ending);
    const { expects } = this.#structure;
    // Nearly all the rest begins a string or a number.
    if ((expects === 'value' || expects === 'key') && !mayBeMarker) {
      if (code === DOUBLE_QUOTE) return this.#openString(PLAIN_OPENING, code, at);
      if (expects === 'value' && isDigit(code)) return this.#openWord('', at);
    }
    if (expects === 'root-colon') return this.#structure.read(text, at, offset, ending);
    const marker = startsEitherMarker(text, at, this.#markers, ending);
    if (marker === 'unclear') return UNCLEAR;
    if (marker === 'ends') {
      this.#structure.closeAtMarker(offset);
      return at;
    }
    if (code === SLASH || code === HASH) return this.#openComment(text, at, ending);
    if (code === BACKSLASH) return this.#readEscapedToken(text, at, ending);
    if (expects === 'value' || expects === 'key') {
      const opening = stringOpeningAt(text, at, ending);
      if (opening === 'unclear') return UNCLEAR;
      if (opening !== undefined) return this.#openString(opening, code, at);
    }
    const next = this.#structure.read(text, at, offset, ending);
    return next === WORD_BEGINS ? this.#openWord('', at) : next;
  }

  /** Space between tokens; inside brackets, any but JSON's own is noted. */
  #skipSpace(text: string, at: number): number {
    let next = at;
    let isOdd = false;
    for (; next < text.length; next++) {
      const code = text.charCodeAt(next);
      if (!isSpace(code)) break;
      isOdd ||= code >= NO_BREAK_SPACE;
    }
    if (isOdd && this.#builder.top !== undefined) this.#findings.note('odd-space');
    return next;
  }

  // ── strings ───────────────────────────────────────────────────────────────────────────────────

  #openString(opening: StringOpening, quote: number, at: number): number {
    this.#beginString(quote, opening.delimiter, this.#structure.stringRole, false);
    this.#string.entity = opening.entity;
    return at + opening.length;
  }

  #beginString(
    quote: number,
    delimiter: Delimiter,
    role: StringPlace['role'],
    isRaw: boolean,
  ): void {
    this.#string.begin(quote, delimiter, isRaw);
    this.#stringRole = role;
    this.#place = undefined;
    this.#token = 'string';
  }

  #readString(text: string, at: number, ending: boolean): number {
    const string = this.#string;
    this.#place ??= this.#placeOf(text.charCodeAt(at));
    const end = string.read(text, at, this.#place, ending);
    if (string.markerAt >= 0 && this.#findings.crossedAt < 0)
      this.#findings.crossedAt = this.#base + string.markerAt;
    if (end === STRING_GOES_ON) return string.consumed === at ? UNCLEAR : string.consumed;
    const { callBegan } = string;
    const stop = callBegan < 0 ? end : end - 1 - callBegan;
    if (this.#stringRole === 'root') this.#rootStringEnd = this.#base + stop;
    this.#finishString();
    if (callBegan < 0) return end;
    // The brace of the next call, and the space after it, were read as part of the string.
    this.#structure.endBeforeCall(this.#base + stop);
    if (this.#structure.expects === 'nothing') return stop;
    this.#structure.openCall(this.#base + stop);
    return end - 1;
  }

  #placeOf(firstCharacter: number): StringPlace {
    const { repairs } = this.#findings;
    return {
      role: this.#stringRole,
      depth: this.#builder.depth + (this.#builder.top?.doubled ?? 0),
      ...this.#markers,
      beginsWithBracket: firstCharacter === OPEN_BRACE || firstCharacter === OPEN_BRACKET,
      inTuple: this.#structure.hasTuple,
      isColonless: repairs.length > 0 && repairs.includes('missing-colon'),
    };
  }

  #finishString(): void {
    const string = this.#string;
    this.#token = 'none';
    if (!string.isClean) {
      for (const repair of string.repairs) this.#findings.note(repair);
      if (string.lossy) this.#findings.markLossy();
    }
    const isKey = this.#stringRole === 'key';
    // No key has a line break: it has lost its end, and that of another took its place.
    if (isKey && string.repairs.includes('raw-control-character')) this.#findings.markLossy();
    if (!isKey) {
      this.#structure.takeString(string.value, string.nextKey);
      return;
    }
    this.#structure.takeKey(string.value, false);
    if (string.opensValue) this.#beginString(DOUBLE_QUOTE, 'plain', 'member', false);
  }

  /** `\"` opens a string in a document that was escaped once too often; `\n` is space there. */
  #readEscapedToken(text: string, at: number, ending: boolean): number {
    if (at + 1 >= text.length && !ending) return UNCLEAR;
    const next = text.charAt(at + 1);
    const { expects, stringRole } = this.#structure;
    if (next === '"' && (expects === 'value' || expects === 'key')) {
      this.#beginString(DOUBLE_QUOTE, 'escaped', stringRole, false);
      return at + 2;
    }
    if (next !== 'n' && next !== 't' && next !== 'r')
      return this.#fail('a backslash outside a string', at);
    this.#findings.note('escaped-quotes');
    return at + 2;
  }

  // ── words: numbers, literals, and strings and keys without quotes ──────────────────────────────

  #openWord(start: string, next: number): number {
    this.#word.begin(start);
    this.#token = this.#structure.expects === 'key' ? 'key-word' : 'value-word';
    return next;
  }

  #readKeyWord(text: string, at: number): number {
    const end = this.#word.readKey(text, at);
    if (end === WORD_GOES_ON) return this.#word.consumed;
    this.#token = 'none';
    const { word } = this.#word;
    const code = text.charCodeAt(end);
    if (isEllipsis(word)) {
      this.#structure.takeEllipsis();
      return end;
    }
    if (isQuote(code) && isStringPrefix(word)) return this.#openPrefixed(word, code, end);
    if (code === COMMA || isCloser(code))
      return this.#fail(`the key ${JSON.stringify(word)} has no value`, end);
    this.#structure.takeKey(word, true);
    this.#findings.note(isQuote(code) ? 'missing-quote' : 'unquoted-key');
    return isQuote(code) ? end + 1 : end;
  }

  #readValueWord(text: string, at: number, ending: boolean): number {
    const reader = this.#word;
    const end = reader.readValue(text, at, this.#markers, this.#structure.hasTuple, ending);
    if (end === WORD_GOES_ON) return reader.consumed === at ? UNCLEAR : reader.consumed;
    this.#token = 'none';
    const { word } = reader;
    const code = text.charCodeAt(end);
    if (isQuote(code)) {
      if (isStringPrefix(word)) return this.#openPrefixed(word, code, end);
      if (!isSpace(word.charCodeAt(word.length - 1)) && !isLiteral(word)) {
        this.#structure.takeHalfQuoted(word);
        return end + 1;
      }
    }
    this.#structure.takeWord(this.#trimmed(word), this.#base + end);
    return end;
  }

  /** A word without the space behind it. */
  #trimmed(word: string): string {
    const trimmed = word.trim();
    if (trimmed.length < word.length && /[^ \t\r\n]/.test(word.replace(trimmed, '')))
      this.#findings.note('odd-space');
    return trimmed;
  }

  /** `r"…"`, `f'…'`: a Python string with a prefix. */
  #openPrefixed(prefix: string, quote: number, at: number): number {
    this.#findings.note('python-literal');
    const isRaw = prefix.toLowerCase().includes('r');
    this.#beginString(quote, 'plain', this.#structure.stringRole, isRaw);
    return at + 1;
  }

  // ── comments ──────────────────────────────────────────────────────────────────────────────────

  #openComment(text: string, at: number, ending: boolean): number {
    const isBeforeValue = this.#structure.expects === 'value';
    const kind = commentAt(text, at, isBeforeValue, ending);
    if (kind === 'unclear') return UNCLEAR;
    if (kind === 'none') {
      if (!isBeforeValue) return this.#fail('a lone slash', at);
      return this.#openWord(text.charAt(at), at + 1);
    }
    this.#findings.note('comment');
    this.#comment.begin(kind);
    this.#token = 'comment';
    return text.charCodeAt(at) === HASH ? at + 1 : at + 2;
  }

  #readComment(text: string, at: number, ending: boolean): number {
    const end = this.#comment.read(text, at, ending);
    if (end === COMMENT_GOES_ON) {
      const { consumed } = this.#comment;
      return consumed === at ? UNCLEAR : consumed;
    }
    this.#token = 'none';
    return end;
  }

  // ── the end of the text inside the value ──────────────────────────────────────────────────────

  #finishEarly(closed: boolean): JsonStatus {
    const isCut = this.#finishToken(closed);
    this.endOffset = this.#valueEnd();
    if (this.value === undefined) this.#findings.fail('there is nothing to read', this.#offset);
    if (this.failure !== '') return this.#failed(this.#offset);
    const { hasOpenBracket: isOpen, depth, top } = this.#builder;
    this.lacksOnlyBrace = this.isClean && !isCut && depth === 1 && top?.isArray === false;
    if (isOpen) this.#findings.note('missing-brace');
    if (isCut) this.#findings.note('truncated');
    this.complete = !isCut && (closed || !isOpen);
    this.#builder.closeAll(this.#offset);
    // With its brace the text is valid JSON, and keeps the digits itself.
    if (!this.isValid && !this.lacksOnlyBrace) this.#keepDigits();
    return 'done';
  }

  /** The text is not the value's: the value itself has to hold all digits. */
  #keepDigits(): void {
    if (this.#builder.keepDigits()) this.#findings.note('number');
  }

  /** Settles the token the text ended in. Returns whether part of it is missing. */
  #finishToken(closed: boolean): boolean {
    const { top } = this.#builder;
    switch (this.#token) {
      case 'string':
        return this.#finishCutString();
      case 'key-word':
        return true;
      case 'value-word': {
        const word = this.#trimmed(this.#word.word);
        if (!closed && isCutWord(word)) return true;
        this.#structure.takeWord(word, this.#offset);
        return !closed && top !== undefined && typeof this.#builder.lastValue === 'string';
      }
      case 'comment':
      case 'none': {
        const { expects } = this.#structure;
        return expects === 'colon' || (expects === 'value' && top?.isArray === false);
      }
    }
  }

  #finishCutString(): boolean {
    if (this.#stringRole === 'key' || this.#place === undefined) return true;
    const closers = this.#string.end(this.#place);
    this.#finishString();
    for (let count = 0; count < closers; count++) this.#builder.close(this.#offset);
    return closers === 0;
  }

  /** It failed, at `offset` where nothing else is said: over a repair that was noted. */
  #failed(offset: number): JsonStatus {
    this.#findings.failedAt ||= offset;
    return 'failed';
  }

  #fail(reason: string, at: number): number {
    this.#findings.fail(reason, this.#base + at);
    return UNCLEAR;
  }
}
