import type { JsonValue, Repair } from '../../types.ts';
import { readBareWord } from './bare-word.ts';
import {
  AMPERSAND,
  ASTERISK,
  BACKSLASH,
  BACKTICK,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
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
  NEWLINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  PLUS,
  SEMICOLON,
  SINGLE_QUOTE,
  SLASH,
} from './char-code.ts';
import { ENTITY_QUOTE } from './entities.ts';
import { isCloser, isColon, startsMarker } from './string-end.ts';
import type { StringPlace } from './string-end.ts';
import { STRING_GOES_ON, StringReader } from './string-reader.ts';
import type { Delimiter } from './string-reader.ts';

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

type Members = Readonly<Record<string, JsonValue>>;

/** Follows the reading of a document without waiting for its end. */
export interface JsonWatcher {
  /** An object begins as the value of `key`. `members` and `outerMembers` are what its parents have so far. */
  memberObject(
    key: string,
    members: Members,
    outerMembers: Members,
    depth: number,
    offset: number,
  ): void;
  memberObjectEnd(depth: number, endOffset: number): void;
}

type Container = Record<string, JsonValue> | JsonValue[];

interface Frame {
  readonly container: Container;
  readonly isArray: boolean;
  key: string;
  /** `{{` opened it: as many closing braces more belong to it. */
  doubled: number;
  /** Opened without a bracket: `"name": …` at the top. */
  readonly implicit: boolean;
}

type State =
  | 'value'
  | 'key'
  | 'colon'
  | 'after'
  /** After a string at the top: a colon would make it the first key of an object without braces. */
  | 'root-string'
  | 'string'
  | 'key-word'
  | 'value-word'
  | 'line-comment'
  | 'block-comment';

/** The states in which the next token decides. */
type TokenState = 'value' | 'key' | 'colon' | 'after' | 'root-string';

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
  failure = '';
  /** Offset of the character that made it fail. */
  failedAt = 0;
  /** Whether it failed over the limit on nesting. */
  tooDeep = false;
  readonly repairs: Repair[] = [];
  /** Where the end marker first stood inside a string: the string may have lost its closing quote before it. */
  crossedAt = -1;
  /** Told where objects that are values of keys begin and end. */
  watcher: JsonWatcher | undefined;

  readonly #maxDepth: number;
  readonly #endMarker: string;
  readonly #stack: Frame[] = [];
  readonly #string = new StringReader();
  #top: Frame | undefined;
  #state: State = 'value';
  #resume: TokenState = 'value';
  #stringRole: StringPlace['role'] = 'root';
  #place: StringPlace | undefined;
  #word = '';
  #root: JsonValue | undefined;
  #rootDone = false;
  #rootStringEnd = -1;
  /** A `+` was read between two strings. */
  #joining = false;
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
    return this.#root;
  }

  /** Whether everything so far is valid JSON, as far as can be told. */
  get isClean(): boolean {
    return (
      this.repairs.length === 0 &&
      this.crossedAt < 0 &&
      (this.#state !== 'string' || this.#string.isClean)
    );
  }

  /** Offset up to which the text is understood; what lies behind it waits for more. */
  get offset(): number {
    return this.#base;
  }

  /** Reads on. Characters before `from` are not part of the document. */
  read(chunk: string, from = 0): JsonStatus {
    const text =
      this.#tail === '' ? (from === 0 ? chunk : chunk.slice(from)) : this.#tail + chunk.slice(from);
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
        this.endOffset = this.#rootStringEnd >= 0 ? this.#rootStringEnd : this.#base + next;
        this.#base += next;
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

  /** Reads one token or one run of characters. Returns the next index, or `UNCLEAR` when more text is needed. */
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
    if (isSpace(code)) {
      let end = at + 1;
      while (end < text.length && isSpace(text.charCodeAt(end))) end++;
      return end;
    }
    if (this.#endMarker !== '' && code === this.#endMarker.charCodeAt(0)) {
      const marker = startsMarker(text, at, this.#endMarker, ending);
      if (marker === 'unclear') return UNCLEAR;
      if (marker === 'ends') return this.#closeAtMarker(at);
    }
    if (state === 'root-string') return this.#readAfterRootString(at, code);
    if (code === SLASH || (code === HASH && state !== 'value'))
      return this.#openComment(text, at, state, ending);
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
    const top = this.#top;
    if (code === OPEN_BRACE) return this.#open(false, at);
    if (code === OPEN_BRACKET) return this.#open(true, at);
    if (isQuote(code) || (code === AMPERSAND && this.#atEntity(text, at))) {
      return this.#openString(text, at, code, this.#valueRole(), ending);
    }
    if (code === AMPERSAND && !ending && ENTITY_QUOTE.startsWith(text.slice(at))) return UNCLEAR;
    if (code === OPEN_PAREN && top !== undefined) {
      this.#note('tuple');
      this.#tuples++;
      return this.#open(true, at);
    }
    if (code === COMMA || code === FULLWIDTH_COMMA) {
      if (top === undefined) return this.#fail('it begins with a comma', at);
      if (top.isArray) this.#note('trailing-comma');
      else this.#dropMember();
      this.#state = top.isArray ? 'value' : 'key';
      return at + 1;
    }
    if (isCloser(code)) {
      if (top === undefined) return this.#fail('it begins with a closing bracket', at);
      if (top.isArray && Array.isArray(top.container) && top.container.length > 0)
        this.#note('trailing-comma');
      if (!top.isArray) this.#dropMember();
      return this.#close(code, at);
    }
    if (code === COLON || code === EQUALS || code === GREATER_THAN) {
      if (top === undefined || top.isArray)
        return this.#fail('a colon stands where a value should', at);
      this.#note('wrong-separator');
      return at + 1;
    }
    this.#state = 'value-word';
    this.#word = '';
    return this.#readValueWord(text, at, ending);
  }

  #readKey(text: string, at: number, code: number, ending: boolean): number {
    const top = this.#top;
    if (top === undefined) return this.#fail('a key stands outside any object', at);
    if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (this.#afterComma) this.#note('trailing-comma');
      return this.#close(code, at);
    }
    if (code === COMMA || code === FULLWIDTH_COMMA || code === SEMICOLON) {
      this.#note('trailing-comma');
      return at + 1;
    }
    if (isQuote(code) || (code === AMPERSAND && this.#atEntity(text, at))) {
      return this.#openString(text, at, code, 'key', ending);
    }
    if (code === AMPERSAND && !ending && ENTITY_QUOTE.startsWith(text.slice(at))) return UNCLEAR;
    if (code === OPEN_BRACE) return this.#openWhereKeyBelongs(top, at);
    if (isColon(code) || code === OPEN_BRACKET || code === OPEN_PAREN) {
      return this.#fail(`${JSON.stringify(text.charAt(at))} stands where a key should`, at);
    }
    this.#state = 'key-word';
    this.#word = '';
    return this.#readKeyWord(text, at);
  }

  /** `{{"a": 1}}` doubles the braces; `{"a": {…}, {"b": 2}}` splits one object in two. */
  #openWhereKeyBelongs(top: Frame, at: number): number {
    if (!this.#afterComma && isEmpty(top.container)) {
      this.#note('doubled-braces');
      top.doubled++;
      if (this.#stack.length + top.doubled > this.#maxDepth) return this.#failDepth(at);
      return at + 1;
    }
    // Own members only: `__proto__` leads to the prototype of every object.
    const hasMember = !Array.isArray(top.container) && Object.hasOwn(top.container, top.key);
    const previous = hasMember ? top.container[top.key] : undefined;
    if (!isObject(previous)) return this.#fail('an object stands where a key should', at);
    this.#note('split-object');
    this.lossy = true;
    this.#push({ container: previous, isArray: false, key: '', doubled: 0, implicit: false });
    this.#state = 'key';
    this.#afterComma = false;
    return at + 1;
  }

  #readColon(text: string, at: number, code: number, ending: boolean): number {
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
    if (code === COMMA || isCloser(code)) {
      return this.#fail(`the key ${JSON.stringify(this.#top?.key ?? '')} has no value`, at);
    }
    // Two bare words side by side are prose: `{ in text: …`.
    if (this.#keyWasBare && !isQuote(code) && code !== OPEN_BRACE && code !== OPEN_BRACKET) {
      return this.#fail(`no colon follows ${JSON.stringify(this.#top?.key ?? '')}`, at);
    }
    this.#note('missing-colon');
    this.#state = 'value';
    return this.#readValue(text, at, code, ending);
  }

  #keyWasBare = false;

  #readAfter(text: string, at: number, code: number, ending: boolean): number {
    const top = this.#top;
    if (top === undefined) return this.#fail('text follows the value', at);
    if (code === COMMA) return this.#separate(top, at);
    if (isCloser(code)) return this.#close(code, at);
    if (code === FULLWIDTH_COMMA || code === SEMICOLON) {
      this.#note('wrong-separator');
      return this.#separate(top, at);
    }
    if (code === PLUS && typeof this.#lastValue === 'string') {
      this.#note('joined-strings');
      this.#joining = true;
      this.#state = 'value';
      return at + 1;
    }
    if (code === BACKTICK) {
      const fence = startsMarker(text, at, '```', ending);
      if (fence === 'unclear') return UNCLEAR;
      // A fence where a bracket should be: the document ended before its brackets did.
      if (fence === 'ends') return this.#closeAtMarker(at);
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
    const key = this.#string.value;
    const container: Container = {};
    this.#root = container;
    this.#push({ container, isArray: false, key, doubled: 0, implicit: true });
    this.#state = 'value';
    return at + 1;
  }

  #afterComma = false;

  #separate(top: Frame, at: number): number {
    this.#state = top.isArray ? 'value' : 'key';
    this.#afterComma = true;
    return at + 1;
  }

  // ── strings ───────────────────────────────────────────────────────────────────────────────────

  #openString(
    text: string,
    at: number,
    code: number,
    role: StringPlace['role'],
    ending: boolean,
  ): number {
    let delimiter: Delimiter = 'plain';
    let length = 1;
    if (code === AMPERSAND) {
      delimiter = 'entity';
      length = ENTITY_QUOTE.length;
    } else if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      const triple = startsMarker(text, at, String.fromCharCode(code, code, code), ending);
      if (triple === 'unclear') return UNCLEAR;
      if (triple === 'ends') {
        delimiter = 'triple';
        length = 3;
      }
    }
    this.#beginString(code, delimiter, role, false);
    return at + length;
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
    let place = this.#place;
    if (place === undefined) {
      if (at >= text.length) return at;
      const first = text.charCodeAt(at);
      place = {
        role: this.#stringRole,
        depth: this.#stack.length + (this.#top?.doubled ?? 0),
        endMarker: this.#endMarker,
        beginsWithBracket: first === OPEN_BRACE || first === OPEN_BRACKET,
        inTuple: this.#tuples > 0,
        isColonless: this.repairs.includes('missing-colon'),
      };
      this.#place = place;
    }
    const end = string.read(text, at, place, ending, this.#onMarker);
    if (this.#markerAt >= 0) {
      if (this.crossedAt < 0) this.crossedAt = this.#base + this.#markerAt;
      this.#markerAt = -1;
    }
    if (end === STRING_GOES_ON) {
      return string.consumed === at ? UNCLEAR : string.consumed;
    }
    if (this.#stringRole === 'root') this.#rootStringEnd = this.#base + end;
    this.#finishString();
    if (this.failure !== '') this.failedAt = this.#base + end;
    return end;
  }

  #markerAt = -1;
  readonly #onMarker = (at: number): void => {
    if (this.#markerAt < 0) this.#markerAt = at;
  };

  #finishString(): void {
    const string = this.#string;
    for (const repair of string.repairs) this.#note(repair);
    this.lossy ||= string.lossy;
    if (this.#stringRole === 'key') {
      const top = this.#top;
      if (top !== undefined) top.key = string.value;
      this.#state = 'colon';
      this.#keyWasBare = false;
      if (string.opensValue) this.#beginString(DOUBLE_QUOTE, 'plain', 'member', false);
      return;
    }
    if (this.#joining) {
      this.#joining = false;
      this.#replaceLast(string.value);
      return;
    }
    const nextKey = string.nextKey;
    this.#put(string.value);
    if (nextKey !== undefined && this.#top !== undefined) {
      this.#top.key = nextKey;
      this.#state = 'colon';
    }
  }

  // ── words: numbers, literals, and strings and keys without quotes ──────────────────────────────

  #readKeyWord(text: string, at: number): number {
    let end = at;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (isColon(code) || isSpace(code) || isQuote(code) || isCloser(code)) break;
      if (code === COMMA || code === FULLWIDTH_COMMA || code === OPEN_BRACE) break;
    }
    this.#word += text.slice(at, end);
    return end >= text.length ? end : this.#finishKeyWord(text, end);
  }

  #finishKeyWord(text: string, end: number): number {
    const word = this.#word;
    const code = text.charCodeAt(end);
    if (isEllipsis(word)) {
      this.#noteEllipsis();
      return end;
    }
    if (isStringPrefix(word) && isQuote(code)) return this.#openPrefixed(word, code, 'key', end);
    if (code === COMMA || isCloser(code))
      return this.#fail(`the key ${JSON.stringify(word)} has no value`, end);
    if (this.#top !== undefined) this.#top.key = word;
    this.#state = 'colon';
    this.#keyWasBare = true;
    this.#note(isQuote(code) ? 'missing-quote' : 'unquoted-key');
    return isQuote(code) ? end + 1 : end;
  }

  #readValueWord(text: string, at: number, ending: boolean): number {
    let end = at;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || code === NEWLINE)
        break;
      if (code === FULLWIDTH_COMMA || (code === CLOSE_PAREN && this.#tuples > 0)) break;
      if (isQuote(code) || code === SLASH || code === HASH) {
        const afterSpace = isSpace(
          end > at ? text.charCodeAt(end - 1) : this.#word.charCodeAt(this.#word.length - 1),
        );
        if (afterSpace) break;
        if (isQuote(code) && isStringPrefix(this.#word + text.slice(at, end))) break;
      }
      const marker = startsMarker(text, end, this.#endMarker, ending);
      if (marker === 'ends') break;
      if (marker === 'unclear') {
        this.#word += text.slice(at, end);
        return end === at ? UNCLEAR : end;
      }
    }
    this.#word += text.slice(at, end);
    if (end >= text.length) return end;
    const code = text.charCodeAt(end);
    if (isStringPrefix(this.#word) && isQuote(code))
      return this.#openPrefixed(this.#word, code, this.#valueRole(), end);
    this.#putWord(this.#word.trim(), end);
    return end;
  }

  /** `r"…"`, `f'…'`: a Python string with a prefix. */
  #openPrefixed(prefix: string, quote: number, role: StringPlace['role'], at: number): number {
    this.#note('python-literal');
    this.#beginString(quote, 'plain', role, prefix.toLowerCase().includes('r'));
    return at + 1;
  }

  #valueRole(): StringPlace['role'] {
    if (this.#top === undefined) return 'root';
    return this.#top.isArray ? 'element' : 'member';
  }

  #putWord(word: string, at: number): void {
    if (isEllipsis(word)) {
      this.#noteEllipsis();
      return;
    }
    const bare = readBareWord(word);
    if (bare.repair !== undefined) {
      // `[TOOL_CALLS]` and `[text](url)` are not lists of strings.
      const isBareList =
        bare.repair === 'unquoted-value' &&
        (this.#top === undefined || (this.#stack.length === 1 && this.#top.isArray));
      if (isBareList) {
        this.#fail(`${JSON.stringify(word)} is not a JSON value`, at);
        return;
      }
      this.#note(bare.repair);
    }
    this.lossy ||= bare.lossy;
    this.#put(bare.value);
  }

  #noteEllipsis(): void {
    this.#note('ellipsis');
    this.lossy = true;
    this.#state = 'after';
  }

  // ── comments and escaped documents ────────────────────────────────────────────────────────────

  #openComment(text: string, at: number, state: TokenState, ending: boolean): number {
    if (text.charCodeAt(at) === HASH) return this.#enterComment(state, 'line-comment', at + 1);
    if (at + 1 >= text.length && !ending) return UNCLEAR;
    const next = text.charCodeAt(at + 1);
    if (next === SLASH) return this.#enterComment(state, 'line-comment', at + 2);
    if (next === ASTERISK) return this.#enterComment(state, 'block-comment', at + 2);
    if (state !== 'value') return this.#fail('a lone slash', at);
    this.#state = 'value-word';
    this.#word = '/';
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
    if (at + 1 >= text.length) return ending ? this.#fail('a lone backslash', at) : UNCLEAR;
    const next = text.charAt(at + 1);
    if (next === '"' && (state === 'value' || state === 'key')) {
      this.#beginString(
        DOUBLE_QUOTE,
        'escaped',
        state === 'key' ? 'key' : this.#valueRole(),
        false,
      );
      return at + 2;
    }
    if (next !== 'n' && next !== 't' && next !== 'r')
      return this.#fail('a backslash outside a string', at);
    this.#note('escaped-quotes');
    return at + 2;
  }

  #atEntity(text: string, at: number): boolean {
    return text.startsWith(ENTITY_QUOTE, at);
  }

  // ── building the value ────────────────────────────────────────────────────────────────────────

  #lastValue: JsonValue | undefined;
  /** How many `(` were opened; a `)` means nothing in a document without any. */
  #tuples = 0;

  #open(isArray: boolean, at: number): number {
    if (this.#stack.length >= this.#maxDepth) return this.#failDepth(at);
    const container: Container = isArray ? [] : {};
    const parent = this.#top;
    if (!isArray && parent !== undefined && !Array.isArray(parent.container)) {
      const outer = this.#stack.at(-2)?.container;
      const outerMembers = outer === undefined || Array.isArray(outer) ? NO_MEMBERS : outer;
      this.watcher?.memberObject(
        parent.key,
        parent.container,
        outerMembers,
        this.#stack.length,
        this.#base + at,
      );
    }
    this.#attach(container);
    this.#push({ container, isArray, key: '', doubled: 0, implicit: false });
    this.#state = isArray ? 'value' : 'key';
    this.#afterComma = false;
    return at + 1;
  }

  #push(frame: Frame): void {
    this.#stack.push(frame);
    this.#top = frame;
  }

  #pop(endOffset: number): void {
    const frame = this.#stack.pop();
    this.#top = this.#stack.at(-1);
    this.#lastValue = frame?.container;
    if (frame?.isArray === false) this.watcher?.memberObjectEnd(this.#stack.length, endOffset);
    this.#state = 'after';
    if (this.#top === undefined) this.#rootDone = true;
  }

  #close(code: number, at: number): number {
    const top = this.#top;
    if (top === undefined) return this.#fail('a closing bracket too many', at);
    if (code === CLOSE_BRACE && !top.isArray) {
      if (top.doubled > 0) {
        top.doubled--;
        this.#state = 'after';
        return at + 1;
      }
      if (top.implicit) {
        this.#note('extra-brace');
        return at + 1;
      }
      this.#pop(this.#base + at + 1);
      return at + 1;
    }
    if (code !== CLOSE_BRACE && top.isArray) {
      this.#pop(this.#base + at + 1);
      return at + 1;
    }
    // The other kind of bracket: close what was left open inside the one it belongs to, if there is one.
    const wantsArray = code !== CLOSE_BRACE;
    if (!this.#stack.some((frame) => frame.isArray === wantsArray && !frame.implicit)) {
      this.#note('extra-brace');
      this.#state = 'after';
      return at + 1;
    }
    this.#note('missing-brace');
    while (this.#top !== undefined && this.#top.isArray !== wantsArray) this.#pop(this.#base + at);
    return this.#close(code, at);
  }

  /** The end marker stands where a bracket should: every open bracket is closed here. */
  #closeAtMarker(at: number): number {
    if (this.#top === undefined) return this.#fail('nothing stands before the end marker', at);
    if (this.#state === 'colon')
      return this.#fail(`the key ${JSON.stringify(this.#top.key)} has no value`, at);
    if (this.#state === 'value' && !this.#top.isArray) this.#dropMember();
    if (!this.#top.implicit || this.#stack.length > 1) this.#note('missing-brace');
    while (this.#top !== undefined) this.#pop(this.#base + at);
    return at;
  }

  #put(value: JsonValue): void {
    this.#attach(value);
    this.#lastValue = value;
    this.#state = 'after';
    if (this.#top === undefined) this.#putRoot(value);
  }

  /** A string or a word at the top. A colon after it means that the braces around the members are missing. */
  #putRoot(value: JsonValue): void {
    if (typeof value === 'string') this.#state = 'root-string';
    else this.#rootDone = true;
  }

  #attach(value: JsonValue): void {
    const top = this.#top;
    if (top === undefined) {
      this.#root = value;
      return;
    }
    if (Array.isArray(top.container)) top.container.push(value);
    else setOwn(top.container, top.key, value);
  }

  #replaceLast(text: string): void {
    const joined = (typeof this.#lastValue === 'string' ? this.#lastValue : '') + text;
    const top = this.#top;
    if (top === undefined) this.#root = joined;
    else if (Array.isArray(top.container)) top.container[top.container.length - 1] = joined;
    else setOwn(top.container, top.key, joined);
    this.#lastValue = joined;
    this.#state = 'after';
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
    if (this.failure !== '') return 'failed';
    if (this.#root === undefined) {
      this.failure = 'there is nothing to read';
      return 'failed';
    }
    const isOpen = this.#stack.some((frame) => !frame.implicit);
    if (isOpen) this.#note('missing-brace');
    if (isCut) this.#note('truncated');
    this.complete = !isCut && (closed || !isOpen);
    while (this.#top !== undefined) this.#pop(this.#base);
    return 'done';
  }

  /** Settles the token the text ended in. Returns whether part of it is missing. */
  #finishToken(closed: boolean): boolean {
    switch (this.#state) {
      case 'string':
        return this.#finishCutString();
      case 'value-word': {
        const word = this.#word.trim();
        if (!closed && isCutWord(word)) return true;
        this.#putWord(word, 0);
        return !closed && this.#top !== undefined && typeof this.#lastValue === 'string';
      }
      case 'key-word':
      case 'colon':
        return true;
      case 'value':
        return this.#top !== undefined && !this.#top.isArray;
      default:
        return false;
    }
  }

  #finishCutString(): boolean {
    if (this.#stringRole === 'key' || this.#place === undefined) return true;
    const closers = this.#string.end(this.#place);
    this.#finishString();
    for (let count = 0; count < closers && this.#top !== undefined; count++) this.#pop(this.#base);
    return closers === 0;
  }

  #note(repair: Repair): void {
    if (this.repairs.includes(repair)) return;
    this.repairs.push(repair);
    // Past an end marker only valid JSON shows that the marker really was inside a string.
    if (this.crossedAt >= 0 && repair !== 'raw-control-character')
      this.failure = 'a string holds the end marker';
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

const UNCLEAR = -1;
const NO_MEMBERS: Members = {};

/** The beginning of a literal or a number, with its end still to come. */
function isCutWord(word: string): boolean {
  if (word === '' || word === '-' || word === '+') return true;
  if (/[.eE+-]$/.test(word) && /^[+-]?\d/.test(word)) return true;
  return ['true', 'false', 'null', 'True', 'False', 'None'].some(
    (literal) => literal !== word && literal.startsWith(word),
  );
}

function isEllipsis(word: string): boolean {
  return word === '...' || word === '…';
}

function isStringPrefix(word: string): boolean {
  return /^(?:[rubf]|rb|br|fr|rf)$/i.test(word);
}

function isEmpty(container: Container): boolean {
  return Object.keys(container).length === 0;
}

function isObject(value: JsonValue | undefined): value is Record<string, JsonValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Assigning to `__proto__` would set the prototype; it is data like any other key. */
function setOwn(container: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(container, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  } else container[key] = value;
}
