import type { JsonValue, Repair } from '../../types.ts';
import { isCutWord, isEllipsis, isLiteral, isStringPrefix, readBareWord } from './bare-word.ts';
import {
  AMPERSAND,
  ASTERISK,
  BACKSLASH,
  BACKTICK,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  DOT,
  DOUBLE_QUOTE,
  EQUALS,
  FULLWIDTH_COLON,
  FULLWIDTH_COMMA,
  GREATER_THAN,
  HASH,
  isQuote,
  isSpace,
  isWord,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  PLUS,
  SEMICOLON,
  SINGLE_QUOTE,
  SLASH,
  skipSpace,
} from './char-code.ts';
import { entityQuoteAt } from './entities.ts';
import { isCloser, isColon, startsMarker } from './string-end.ts';
import type { StringPlace } from './string-end.ts';
import { STRING_GOES_ON, StringReader } from './string-reader.ts';
import type { Delimiter } from './string-reader.ts';
import { ValueBuilder } from './value-builder.ts';
import type { Frame, JsonWatcher } from './value-builder.ts';
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
}

/** The states in which the next token decides. */
type TokenState =
  | 'value'
  | 'key'
  | 'colon'
  | 'after'
  /** After a string at the top: a colon would make it the first key of an object without braces. */
  | 'root-string';

type State = TokenState | 'string' | 'key-word' | 'value-word' | 'line-comment' | 'block-comment';

/** What a step returns when it cannot go on without more text, or not at all. */
const UNCLEAR = -1;

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
  lossy = false;
  readonly repairs: Repair[] = [];
  failure = '';
  /** Offset of the character that made it fail. */
  failedAt = 0;
  /** Whether it failed over the limit on nesting. */
  tooDeep = false;
  /** Where the end marker first stood inside a string: the string may have lost its closing quote before it. */
  crossedAt = -1;

  readonly #maxDepth: number;
  readonly #endMarker: string;
  readonly #builder = new ValueBuilder();
  readonly #string = new StringReader();
  readonly #words = new WordReader();
  #state: State = 'value';
  /** The state a comment interrupted. */
  #resume: TokenState = 'value';
  #stringRole: StringPlace['role'] = 'root';
  #place: StringPlace | undefined;
  #rootDone = false;
  #rootStringEnd = -1;
  #afterComma = false;
  #keyWasBare = false;
  /** A `+` was read between two strings. */
  #joining = false;
  /** How many `(` were opened; a `)` means nothing in a document without any. */
  #tuples = 0;
  /** Characters received whose meaning depends on what comes next. */
  #tail = '';
  /** Offset of the first character of the text being read. */
  #base = 0;

  constructor(options: JsonReaderOptions) {
    this.#maxDepth = options.maxDepth;
    this.#endMarker = options.endMarker ?? '';
  }

  /** What was read; whole once the status is `done`. */
  get value(): JsonValue | undefined {
    return this.#builder.root;
  }

  /** Whether everything so far is valid JSON, as far as can be told. */
  get isClean(): boolean {
    if (this.repairs.length > 0 || this.crossedAt >= 0) return false;
    return this.#state !== 'string' || this.#string.isClean;
  }

  /** Offset up to which the text is understood; what lies behind it waits for more. */
  get offset(): number {
    return this.#base;
  }

  watch(watcher: JsonWatcher): void {
    this.#builder.watcher = watcher;
  }

  /** Reads on. Characters before `from` are not part of the document. */
  read(chunk: string, from = 0): JsonStatus {
    const piece = from === 0 ? chunk : chunk.slice(from);
    const text = this.#tail === '' ? piece : this.#tail + piece;
    this.#tail = '';
    return this.#run(text, false);
  }

  /** No more text comes. `closed` says that an end marker, not the end of the answer, stands here. */
  end(closed = false): JsonStatus {
    const text = this.#tail;
    this.#tail = '';
    const status = this.#run(text, true);
    return status === 'more' ? this.#finishEarly(closed) : status;
  }

  #run(text: string, ending: boolean): JsonStatus {
    let at = 0;
    while (at < text.length) {
      const next = this.#step(text, at, ending);
      if (this.failure !== '') return 'failed';
      if (this.#rootDone) {
        this.#base += next;
        this.endOffset = this.#rootStringEnd >= 0 ? this.#rootStringEnd : this.#base;
        return 'done';
      }
      if (next === UNCLEAR) {
        this.#tail = text.slice(at);
        break;
      }
      at = next;
    }
    this.#base += at;
    return 'more';
  }

  /** Reads one token or one run of characters. Returns the next index, or `UNCLEAR`. */
  #step(text: string, at: number, ending: boolean): number {
    switch (this.#state) {
      case 'string':
        return this.#readString(text, at, ending);
      case 'key-word':
        return this.#readKeyWord(text, at);
      case 'value-word':
        return this.#readValueWord(text, at, ending);
      case 'line-comment':
        return this.#readLineComment(text, at);
      case 'block-comment':
        return this.#readBlockComment(text, at, ending);
      default:
        return this.#readToken(text, at, this.#state, ending);
    }
  }

  #readToken(text: string, at: number, state: TokenState, ending: boolean): number {
    const code = text.charCodeAt(at);
    if (isSpace(code)) return skipSpace(text, at + 1);
    if (state === 'root-string') return this.#readAfterRootString(at, code);
    const marker = startsMarker(text, at, this.#endMarker, ending);
    if (marker === 'unclear') return UNCLEAR;
    if (marker === 'ends') return this.#closeAtMarker(at, state);
    if (code === SLASH || (code === HASH && state !== 'value')) {
      return this.#openComment(text, at, state, ending);
    }
    if (code === BACKSLASH) return this.#readEscapedToken(text, at, state, ending);
    switch (state) {
      case 'value':
        return this.#readValue(text, at, code, ending);
      case 'key':
        return this.#readKey(text, at, code, ending);
      case 'colon':
        return this.#readColon(text, at, code, ending);
      case 'after':
        return this.#readAfter(text, at, code, ending);
    }
  }

  #readValue(text: string, at: number, code: number, ending: boolean): number {
    const { top } = this.#builder;
    if (code === OPEN_BRACE) return this.#open(false, at);
    if (code === OPEN_BRACKET) return this.#open(true, at);
    const quote = this.#opensString(text, at, code, ending);
    if (quote === 'yes') return this.#openString(text, at, code, this.#valueRole(), ending);
    if (quote === 'unclear') return UNCLEAR;
    if (code === OPEN_PAREN && top !== undefined) {
      this.#note('tuple');
      this.#tuples++;
      return this.#open(true, at);
    }
    if (code === COMMA || code === FULLWIDTH_COMMA || isCloser(code)) {
      if (top === undefined)
        return this.#fail(`it begins with ${JSON.stringify(text.charAt(at))}`, at);
      if (!top.isArray) this.#dropMember();
      else if (!isCloser(code) || this.#afterComma) this.#note('trailing-comma');
      return isCloser(code) ? this.#close(code, at) : this.#separate(top, at);
    }
    if (code === COLON || code === EQUALS || code === GREATER_THAN) {
      if (top?.isArray !== false) return this.#fail('a colon stands where a value should', at);
      this.#note('wrong-separator');
      return at + 1;
    }
    this.#words.begin();
    this.#state = 'value-word';
    return this.#readValueWord(text, at, ending);
  }

  #readKey(text: string, at: number, code: number, ending: boolean): number {
    const { top } = this.#builder;
    if (top === undefined) return this.#fail('a key stands outside any object', at);
    if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (this.#afterComma) this.#note('trailing-comma');
      return this.#close(code, at);
    }
    if (code === COMMA || code === FULLWIDTH_COMMA || code === SEMICOLON) {
      this.#note('trailing-comma');
      return at + 1;
    }
    const quote = this.#opensString(text, at, code, ending);
    if (quote === 'yes') return this.#openString(text, at, code, 'key', ending);
    if (quote === 'unclear') return UNCLEAR;
    if (code === OPEN_BRACE) return this.#openWhereKeyBelongs(top, at);
    if (!mayBeginKey(code)) {
      return this.#fail(`${JSON.stringify(text.charAt(at))} stands where a key should`, at);
    }
    this.#words.begin();
    this.#state = 'key-word';
    return this.#readKeyWord(text, at);
  }

  /** `{{"a": 1}}` doubles the braces; `{"a": {…}, {"b": 2}}` splits one object in two. */
  #openWhereKeyBelongs(top: Frame, at: number): number {
    if (!this.#afterComma && Object.keys(top.container).length === 0) {
      this.#note('doubled-braces');
      top.doubled++;
      return this.#builder.depth + top.doubled > this.#maxDepth ? this.#failDepth(at) : at + 1;
    }
    if (!this.#builder.reopenLast()) return this.#fail('an object stands where a key should', at);
    this.#note('split-object');
    this.lossy = true;
    this.#afterComma = false;
    return at + 1;
  }

  #readColon(text: string, at: number, code: number, ending: boolean): number {
    const key = JSON.stringify(this.#builder.top?.key ?? '');
    if (code === COLON) {
      this.#state = 'value';
      return at + 1;
    }
    if (code === EQUALS || code === FULLWIDTH_COLON) {
      if (code === EQUALS && at + 1 >= text.length && !ending) return UNCLEAR;
      this.#note('wrong-separator');
      this.#state = 'value';
      return text.charCodeAt(at + 1) === GREATER_THAN ? at + 2 : at + 1;
    }
    if (code === COMMA || isCloser(code)) return this.#fail(`the key ${key} has no value`, at);
    // Two bare words side by side are prose: `{ in text: …`.
    if (this.#keyWasBare && !isQuote(code) && code !== OPEN_BRACE && code !== OPEN_BRACKET) {
      return this.#fail(`no colon follows ${key}`, at);
    }
    this.#note('missing-colon');
    this.#state = 'value';
    return at;
  }

  #readAfter(text: string, at: number, code: number, ending: boolean): number {
    const { top, lastValue } = this.#builder;
    if (top === undefined) return this.#fail('text follows the value', at);
    if (code === COMMA) return this.#separate(top, at);
    if (isCloser(code)) return this.#close(code, at);
    if (code === FULLWIDTH_COMMA || code === SEMICOLON) {
      this.#note('wrong-separator');
      return this.#separate(top, at);
    }
    if (code === PLUS && typeof lastValue === 'string') {
      this.#note('joined-strings');
      this.#joining = true;
      this.#state = 'value';
      return at + 1;
    }
    if (code === BACKTICK) {
      const fence = startsMarker(text, at, '```', ending);
      if (fence === 'unclear') return UNCLEAR;
      // A fence where a bracket should be: the document ended before its brackets did.
      if (fence === 'ends') return this.#closeAtMarker(at, 'after');
    }
    if (code !== DOT) this.#note('missing-comma');
    this.#separate(top, at);
    return at;
  }

  #readAfterRootString(at: number, code: number): number {
    if (!isColon(code)) {
      this.#rootDone = true;
      return at;
    }
    this.#note('missing-outer-braces');
    this.#rootStringEnd = -1;
    this.#builder.openImplicit(this.#string.value);
    this.#state = 'value';
    return at + 1;
  }

  #separate(top: Frame, at: number): number {
    this.#state = top.isArray ? 'value' : 'key';
    this.#afterComma = true;
    return at + 1;
  }

  // ── strings ───────────────────────────────────────────────────────────────────────────────────

  #opensString(text: string, at: number, code: number, ending: boolean): 'yes' | 'no' | 'unclear' {
    if (isQuote(code)) return 'yes';
    const entity = code === AMPERSAND ? entityQuoteAt(text, at, ending) : undefined;
    if (entity === undefined) return 'no';
    return entity === 'unclear' ? 'unclear' : 'yes';
  }

  #openString(
    text: string,
    at: number,
    code: number,
    role: StringPlace['role'],
    ending: boolean,
  ): number {
    if (code === AMPERSAND) {
      const entity = entityQuoteAt(text, at, ending) ?? '';
      this.#beginString(code, 'entity', role, false);
      this.#string.entity = entity;
      return at + entity.length;
    }
    const mayBeTriple = code === DOUBLE_QUOTE || code === SINGLE_QUOTE;
    const triple = mayBeTriple
      ? startsMarker(text, at, String.fromCharCode(code, code, code), ending)
      : 'inside';
    if (triple === 'unclear') return UNCLEAR;
    this.#beginString(code, triple === 'ends' ? 'triple' : 'plain', role, false);
    return triple === 'ends' ? at + 3 : at + 1;
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
    this.#state = 'string';
  }

  #readString(text: string, at: number, ending: boolean): number {
    const string = this.#string;
    this.#place ??= this.#describePlace(text.charCodeAt(at));
    const end = string.read(text, at, this.#place, ending);
    if (string.markerAt >= 0 && this.crossedAt < 0) this.crossedAt = this.#base + string.markerAt;
    if (end === STRING_GOES_ON) return string.consumed === at ? UNCLEAR : string.consumed;
    if (this.#stringRole === 'root') this.#rootStringEnd = this.#base + end;
    this.#finishString();
    if (this.failure !== '') this.failedAt = this.#base + end;
    return end;
  }

  #describePlace(first: number): StringPlace {
    return {
      role: this.#stringRole,
      depth: this.#builder.depth + (this.#builder.top?.doubled ?? 0),
      endMarker: this.#endMarker,
      beginsWithBracket: first === OPEN_BRACE || first === OPEN_BRACKET,
      inTuple: this.#tuples > 0,
      isColonless: this.repairs.includes('missing-colon'),
    };
  }

  #finishString(): void {
    const { repairs, lossy, value, nextKey, opensValue } = this.#string;
    for (const repair of repairs) this.#note(repair);
    this.lossy ||= lossy;
    if (this.#stringRole === 'key') {
      this.#keyWasBare = false;
      this.#setKey(value);
      if (opensValue) this.#beginString(DOUBLE_QUOTE, 'plain', 'member', false);
      return;
    }
    if (this.#joining) {
      this.#joining = false;
      this.#builder.joinLast(value);
      this.#state = 'after';
    } else this.#put(value);
    if (nextKey !== undefined) this.#setKey(nextKey);
  }

  #setKey(key: string): void {
    if (this.#builder.top !== undefined) this.#builder.top.key = key;
    this.#state = 'colon';
  }

  #valueRole(): StringPlace['role'] {
    const { top } = this.#builder;
    if (top === undefined) return 'root';
    return top.isArray ? 'element' : 'member';
  }

  // ── words: numbers, literals, and strings and keys without quotes ──────────────────────────────

  #readKeyWord(text: string, at: number): number {
    const end = this.#words.readKey(text, at);
    if (end === WORD_GOES_ON) return this.#words.consumed;
    const { word } = this.#words;
    const code = text.charCodeAt(end);
    if (isEllipsis(word)) {
      this.#noteEllipsis();
      return end;
    }
    if (isStringPrefix(word) && isQuote(code)) return this.#openPrefixed(code, 'key', end);
    if (code === COMMA || isCloser(code))
      return this.#fail(`the key ${JSON.stringify(word)} has no value`, end);
    this.#keyWasBare = true;
    this.#setKey(word);
    this.#note(isQuote(code) ? 'missing-quote' : 'unquoted-key');
    return isQuote(code) ? end + 1 : end;
  }

  #readValueWord(text: string, at: number, ending: boolean): number {
    const end = this.#words.readValue(text, at, this.#endMarker, this.#tuples > 0, ending);
    if (end === WORD_GOES_ON) return this.#words.consumed === at ? UNCLEAR : this.#words.consumed;
    const { word } = this.#words;
    const isQuoted = isQuote(text.charCodeAt(end));
    if (isQuoted && isStringPrefix(word))
      return this.#openPrefixed(text.charCodeAt(end), this.#valueRole(), end);
    const lostQuote = isQuoted && !isSpace(word.charCodeAt(word.length - 1)) && !isLiteral(word);
    if (lostQuote) {
      this.#note('missing-quote');
      this.#put(word);
      return end + 1;
    }
    this.#putWord(word.trim(), end);
    return end;
  }

  /** `r"…"`, `f'…'`: a Python string with a prefix. */
  #openPrefixed(quote: number, role: StringPlace['role'], at: number): number {
    this.#note('python-literal');
    this.#beginString(quote, 'plain', role, this.#words.word.toLowerCase().includes('r'));
    return at + 1;
  }

  #putWord(word: string, at: number): void {
    const { top, depth } = this.#builder;
    if (isEllipsis(word)) {
      this.#noteEllipsis();
      return;
    }
    const bare = readBareWord(word);
    if (bare.repair === 'unquoted-value') {
      const parts = word.split(/\s+/);
      if (top?.isArray === true && parts.length > 1 && parts.every(isLiteral)) {
        this.#note('missing-comma');
        for (const part of parts) this.#putWord(part, at);
        return;
      }
      // `[TOOL_CALLS]` and `[text](url)` are not lists of strings.
      if (top === undefined || (top.isArray && depth === 1)) {
        this.#fail(`${JSON.stringify(word)} is not a JSON value`, at);
        return;
      }
    }
    if (bare.repair !== undefined) this.#note(bare.repair);
    this.lossy ||= bare.lossy;
    this.#put(bare.value);
  }

  #noteEllipsis(): void {
    this.#note('ellipsis');
    this.lossy = true;
    this.#state = 'after';
  }

  // ── comments, and documents escaped once too often ────────────────────────────────────────────

  #openComment(text: string, at: number, state: TokenState, ending: boolean): number {
    if (text.charCodeAt(at) === HASH) return this.#enterComment(state, 'line-comment', at + 1);
    if (at + 1 >= text.length && !ending) return UNCLEAR;
    const next = text.charCodeAt(at + 1);
    if (next === SLASH) return this.#enterComment(state, 'line-comment', at + 2);
    if (next === ASTERISK) return this.#enterComment(state, 'block-comment', at + 2);
    if (state !== 'value') return this.#fail('a lone slash', at);
    this.#words.begin();
    this.#words.word = '/';
    this.#state = 'value-word';
    return at + 1;
  }

  #enterComment(from: TokenState, kind: 'line-comment' | 'block-comment', next: number): number {
    this.#note('comment');
    this.#resume = from;
    this.#state = kind;
    return next;
  }

  #readLineComment(text: string, at: number): number {
    const end = text.indexOf('\n', at);
    if (end < 0) return text.length;
    this.#state = this.#resume;
    return end + 1;
  }

  #readBlockComment(text: string, at: number, ending: boolean): number {
    const end = text.indexOf('*/', at);
    if (end >= 0) {
      this.#state = this.#resume;
      return end + 2;
    }
    // Keep a last `*`: its slash may be in the next chunk.
    const stop = !ending && text.endsWith('*') ? text.length - 1 : text.length;
    return stop <= at ? UNCLEAR : stop;
  }

  /** `\"` opens a string in a document that was escaped once too often; `\n` is space there. */
  #readEscapedToken(text: string, at: number, state: TokenState, ending: boolean): number {
    if (at + 1 >= text.length && !ending) return UNCLEAR;
    const next = text.charAt(at + 1);
    if (next === '"' && (state === 'value' || state === 'key')) {
      const role = state === 'key' ? 'key' : this.#valueRole();
      this.#beginString(DOUBLE_QUOTE, 'escaped', role, false);
      return at + 2;
    }
    if (next !== 'n' && next !== 't' && next !== 'r')
      return this.#fail('a backslash outside a string', at);
    this.#note('escaped-quotes');
    return at + 2;
  }

  // ── opening and closing ───────────────────────────────────────────────────────────────────────

  #open(isArray: boolean, at: number): number {
    if (this.#builder.depth >= this.#maxDepth) return this.#failDepth(at);
    this.#builder.open(isArray, this.#base + at);
    this.#state = isArray ? 'value' : 'key';
    this.#afterComma = false;
    return at + 1;
  }

  #put(value: JsonValue): void {
    this.#builder.put(value);
    this.#state = 'after';
    if (this.#builder.top !== undefined) return;
    if (typeof value === 'string') this.#state = 'root-string';
    else this.#rootDone = true;
  }

  #close(code: number, at: number): number {
    const { top } = this.#builder;
    if (top === undefined) return this.#fail('a closing bracket too many', at);
    const closesArray = code !== CLOSE_BRACE;
    if (top.isArray === closesArray) return this.#closeTop(top, at);
    // The other kind of bracket: close what was left open inside the one it belongs to, if there is one.
    if (!this.#builder.hasOpen(closesArray)) {
      this.#note('extra-brace');
      this.#state = 'after';
      return at + 1;
    }
    this.#note('missing-brace');
    while (this.#builder.top?.isArray === !closesArray) this.#builder.close(this.#base + at);
    return this.#close(code, at);
  }

  #closeTop(top: Frame, at: number): number {
    this.#state = 'after';
    if (top.doubled > 0) top.doubled--;
    else if (top.isImplicit) this.#note('extra-brace');
    else {
      this.#builder.close(this.#base + at + 1);
      this.#rootDone = this.#builder.top === undefined;
    }
    return at + 1;
  }

  /** The end marker stands where a bracket should: every open bracket is closed here. */
  #closeAtMarker(at: number, state: TokenState): number {
    const { top, hasOpenBracket } = this.#builder;
    if (top === undefined) return this.#fail('nothing stands before the end marker', at);
    if (state === 'colon') return this.#fail(`the key ${JSON.stringify(top.key)} has no value`, at);
    if (state === 'value' && !top.isArray) this.#dropMember();
    if (hasOpenBracket) this.#note('missing-brace');
    this.#builder.closeAll(this.#base + at);
    this.#rootDone = true;
    return at;
  }

  /** A key with no value behind it says nothing; inventing one would. */
  #dropMember(): void {
    this.#note('missing-value');
    this.lossy = true;
  }

  // ── the end of the text inside the value ──────────────────────────────────────────────────────

  #finishEarly(closed: boolean): JsonStatus {
    const isCut = this.#finishToken(closed);
    this.endOffset = this.#rootStringEnd >= 0 ? this.#rootStringEnd : this.#base;
    if (this.#builder.root === undefined) this.#fail('there is nothing to read', 0);
    if (this.failure !== '') return 'failed';
    const isOpen = this.#builder.hasOpenBracket;
    if (isOpen) this.#note('missing-brace');
    if (isCut) this.#note('truncated');
    this.complete = !isCut && (closed || !isOpen);
    this.#builder.closeAll(this.#base);
    return 'done';
  }

  /** Settles the token the text ended in. Returns whether part of it is missing. */
  #finishToken(closed: boolean): boolean {
    const { top } = this.#builder;
    switch (this.#state) {
      case 'string':
        return this.#finishCutString();
      case 'value-word': {
        const word = this.#words.word.trim();
        if (!closed && isCutWord(word)) return true;
        this.#putWord(word, 0);
        return !closed && top !== undefined && typeof this.#builder.lastValue === 'string';
      }
      case 'key-word':
      case 'colon':
        return true;
      case 'value':
        return top?.isArray === false;
      default:
        return false;
    }
  }

  #finishCutString(): boolean {
    if (this.#stringRole === 'key' || this.#place === undefined) return true;
    const closers = this.#string.end(this.#place);
    this.#finishString();
    for (let count = 0; count < closers; count++) this.#builder.close(this.#base);
    return closers === 0;
  }

  #note(repair: Repair): void {
    if (this.repairs.includes(repair)) return;
    this.repairs.push(repair);
    // Past an end marker only valid JSON shows that the marker really was inside a string.
    if (this.crossedAt >= 0 && repair !== 'raw-control-character') {
      this.failure = 'a string holds the end marker';
    }
  }

  #fail(reason: string, at: number): number {
    this.failure = reason;
    this.failedAt = this.#base + at;
    return UNCLEAR;
  }

  #failDepth(at: number): number {
    this.tooDeep = true;
    return this.#fail(`it is nested more than ${this.#maxDepth} deep`, at);
  }
}

/** A letter, or one of the few signs keys without quotes begin with. */
function mayBeginKey(code: number): boolean {
  return isWord(code) || code === DOT || code === 0x2d || code === 0x40;
}
