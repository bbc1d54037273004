import type { Repair } from '../../types.ts';
import {
  countClosers,
  hasStrayBrackets,
  isOnlyClosers,
  openBrackets,
  trailingClosers,
} from './brackets.ts';
import {
  BACKSLASH,
  BACKTICK,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  DOUBLE_QUOTE,
  isSpace,
  SINGLE_QUOTE,
  skipSpace,
  SPACE,
} from './char-code.ts';
import { closingAlternative } from './closing-alternative.ts';
import { readDoubledEscape } from './doubled-escape.ts';
import { decodeEntities } from './entities.ts';
import { readEscape, SIMPLE_ESCAPES } from './escape.ts';
import {
  callBeginsAt,
  CallTrail,
  endOfCall,
  endsInCallKey,
  LONGEST_CALL_KEY,
} from './next-call.ts';
import { decideStringEnd, endsInColon, isColon, startsEitherMarker } from './string-end.ts';
import type { StringPlace } from './string-end.ts';
import { closesPath, mayStartPath } from './windows-path.ts';

/** How a string is delimited. */
export type Delimiter =
  | 'plain'
  /** `"""` or `'''` */
  | 'triple'
  /** `\"`, in a document that was escaped once too often */
  | 'escaped'
  /** `&quot;` and its kin */
  | 'entity';

/** What `read` returns when the text ran out inside the string. */
export const STRING_GOES_ON = -1;
/** How many of the last characters are kept at most. */
const MOST_RECENT = 4 * LONGEST_CALL_KEY;

/**
 * Reads one string, from after its opening quote to after its closing one, over any number of chunks.
 * What was decoded is never looked at again, so a chunk costs its own length.
 */
export class StringReader {
  value = '';
  readonly repairs: Repair[] = [];
  lossy = false;
  /** Set when the string turned out to hold the next key: `"Paris, "unit": …` */
  nextKey: string | undefined;
  /** Set when a key lost its closing quote, so that the quote just read opened the value: `"city: "Paris"` */
  opensValue = false;
  /** How much of the text given to `read` is done with when it returns `STRING_GOES_ON`. */
  consumed = 0;
  /** The escaped quote that delimits the string, where one does. */
  entity = '';
  /** Where in the text given to the last `read` a marker stood that ends the document, or begins the next; or -1. */
  markerAt = -1;
  /** How many characters before the end of the string another call began: its quote was lost. -1 where none did. */
  callBegan = -1;

  #quote = DOUBLE_QUOTE;
  /** The other character that may close it. */
  #alternative = DOUBLE_QUOTE;
  #delimiter: Delimiter = 'plain';
  #isRaw = false;
  /** Nothing of it was read yet. */
  #isNew = true;
  #innerQuotes = 0;
  /** Whether one of them closes a key that calls have. */
  #hasCallKey = false;
  /** The last characters, as many as such a key may have. */
  #recent = '';
  #pieces = 0;
  /** Asking `value` for its end would cost its length. */
  #lastPiece = '';
  /** The string as written, kept only while it may be a Windows path with single backslashes. */
  #path: string | undefined;
  #badEscape = false;
  /** The last escape turned out to be a path's backslash and the closing quote. */
  #closedByEscape = false;
  /** In a string that begins with a bracket: how many are open. JSON pasted in unescaped ends when none is. */
  #openBrackets = 0;
  #countsBrackets = false;
  /** How long `value` was behind the last escape. One stands only in a string, and so does all that comes before it. */
  #escapedTo = 0;
  /** Where in `value` the last `\"` stands: it may have been a path's backslash and the closing quote. */
  #lastEscapedQuote = -1;
  readonly #trail = new CallTrail();

  get isClean(): boolean {
    return this.repairs.length === 0 && this.#innerQuotes === 0;
  }

  begin(quote: number, delimiter: Delimiter, isRaw: boolean): void {
    this.value = '';
    if (this.repairs.length > 0) this.repairs.length = 0;
    this.lossy = false;
    this.nextKey = undefined;
    this.opensValue = false;
    this.callBegan = -1;
    this.#quote = quote;
    this.#alternative = closingAlternative(quote);
    this.#delimiter = delimiter;
    this.#isRaw = isRaw;
    this.#isNew = true;
    this.#innerQuotes = 0;
    this.#hasCallKey = false;
    this.#recent = '';
    this.#pieces = 0;
    this.#lastPiece = '';
    this.#path = undefined;
    this.#badEscape = false;
    this.#openBrackets = 0;
    this.#countsBrackets = false;
    this.#escapedTo = 0;
    this.#lastEscapedQuote = -1;
    this.#trail.clear();
    if (quote === DOUBLE_QUOTE && delimiter === 'plain') return;
    if (quote === SINGLE_QUOTE && delimiter === 'plain') this.#note('single-quotes');
    else if (quote === BACKTICK) this.#note('odd-quotes');
    else if (quote > 0x7f) this.#note('smart-quotes');
    // That there are three quotes shows only when the second and the third have come.
    if (delimiter === 'escaped') this.#note('escaped-quotes');
    else if (delimiter === 'entity') this.#note('entity-quotes');
  }

  /**
   * Reads on from `text[from]`. Returns the index after the closing quote, or `STRING_GOES_ON` with
   * `consumed` set; what lies behind `consumed` has to be given again together with more text.
   */
  read(text: string, from: number, place: StringPlace, ending: boolean): number {
    this.markerAt = -1;
    if (this.#isNew) {
      this.#isNew = false;
      if (text.charCodeAt(from) === this.#quote)
        return this.#readSecondQuote(text, from, place, ending);
    }
    return this.#readOn(text, from, place, ending);
  }

  /** Two quotes are an empty string, unless a third follows. */
  #readSecondQuote(text: string, from: number, place: StringPlace, ending: boolean): number {
    const mayBeTriple = this.#quote === DOUBLE_QUOTE || this.#quote === SINGLE_QUOTE;
    if (this.#delimiter !== 'plain' || !mayBeTriple) return this.#readOn(text, from, place, ending);
    if (from + 1 >= text.length && !ending) {
      this.#isNew = true;
      return this.#goOn(from);
    }
    if (text.charCodeAt(from + 1) !== this.#quote) return this.#readOn(text, from, place, ending);
    this.#delimiter = 'triple';
    this.repairs.length = 0;
    this.#note('triple-quotes');
    return this.#readOn(text, from + 2, place, ending);
  }

  #readOn(text: string, from: number, place: StringPlace, ending: boolean): number {
    switch (this.#delimiter) {
      case 'plain':
        return this.#readPlain(text, from, place, ending);
      case 'triple':
        return this.#readUntil(text, from, String.fromCharCode(this.#quote).repeat(3), ending);
      case 'entity':
        return this.#readUntil(text, from, this.entity, ending);
      case 'escaped':
        return this.#readEscaped(text, from, ending);
    }
  }

  /** The text ended inside the string. Returns how many closing brackets at its end were not part of it. */
  end(place: StringPlace): number {
    const mark = this.#lastEscapedQuote;
    if (mark >= 0 && this.#escapedTo === mark + 1 && isOnlyClosers(this.value, mark + 1)) {
      // `"C:\Program Files\"}}`: the backslash belonged to the path and the quote closed the string.
      const closers = countClosers(this.value, mark + 1);
      const path = this.#badEscape ? this.#path : undefined;
      this.value = `${path === undefined ? this.value.slice(0, mark) : path.slice(0, path.lastIndexOf('"'))}\\`;
      this.#path = undefined;
      this.#note('bad-escape');
      return closers;
    }
    const content = this.#content();
    const escaped = content.length - (this.value.length - this.#escapedTo);
    const tail = this.#mayEndInClosers() ? trailingClosers(content.slice(escaped)) : 0;
    const text = content.length - tail;
    const lostQuote = tail > 0 && countClosers(content, text) === place.depth;
    if (lostQuote) this.#endBefore(content.slice(0, text));
    this.#finish();
    return lostQuote ? place.depth : 0;
  }

  #readPlain(text: string, from: number, place: StringPlace, ending: boolean): number {
    this.#countsBrackets = place.beginsWithBracket;
    const quote = this.#quote;
    const alternative = this.#alternative;
    // A marker of one character is too common in strings to mean anything there.
    const markerCode = place.endMarker.length > 1 ? place.endMarker.charCodeAt(0) : -1;
    const nextCode = place.nextMarker.length > 1 ? place.nextMarker.charCodeAt(0) : -1;
    let start = from;
    let at = from;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === quote || code === alternative) {
        this.#take(text, start, at);
        const end = this.#decideQuote(text, at, place, ending);
        if (end === QUOTE_UNCLEAR) return this.#goOn(at);
        if (end > at) return end;
        start = at;
        continue;
      }
      if (code === BACKSLASH && !this.#isRaw) {
        this.#take(text, start, at);
        const next = this.#readBackslash(text, at, place, ending);
        if (next < 0) return this.#goOn(at);
        if (this.#closedByEscape) {
          this.#closedByEscape = false;
          this.#finish();
          return next;
        }
        at = next - 1;
        start = next;
        continue;
      }
      if (code < SPACE) this.#note('raw-control-character');
      if (code === markerCode || code === nextCode) {
        const marker = startsEitherMarker(text, at, place, ending);
        if (marker === 'unclear') {
          this.#take(text, start, at);
          return this.#goOn(at);
        }
        if (marker === 'ends' && this.markerAt < 0) this.markerAt = at;
      }
    }
    this.#take(text, start, at);
    return this.#goOn(at);
  }

  /** What the quote at `at` is. Returns the index after it when it ends the string, `at` when it does not. */
  #decideQuote(text: string, at: number, place: StringPlace, ending: boolean): number {
    const isOpenJson = this.#innerQuotes > 0 && this.#openBrackets > 0;
    const decision = isOpenJson ? 'inside' : decideStringEnd(text, at + 1, place, ending);
    if (decision === 'unclear') return QUOTE_UNCLEAR;
    if (decision === 'ends') {
      this.#finish();
      return at + 1;
    }
    const isInJson = this.#countsBrackets && this.#openBrackets > 1;
    if (this.#trail.mayFollowCall && !isInJson) {
      const begins = callBeginsAt(text, at, ending);
      if (begins === 'unclear') return QUOTE_UNCLEAR;
      if (begins === 'yes') {
        this.#endBeforeCall();
        return at + 1;
      }
    }
    if (place.role === 'key' && this.value.length <= LONGEST_KEY && endsInColon(this.value)) {
      this.value = this.value.slice(0, this.value.indexOf(':')).trimEnd();
      this.opensValue = true;
      this.#note('missing-quote');
      return at + 1;
    }
    if (place.role === 'member') {
      const splits = this.#splitsOffKey(text, at, ending);
      if (splits === undefined) return QUOTE_UNCLEAR;
      if (splits) return at + 1;
    }
    const isKeyEnd = text.charCodeAt(skipSpace(text, at + 1)) === COLON;
    if (isKeyEnd && !isOpenJson) this.#hasCallKey ||= endsInCallKey(this.#recent);
    this.#innerQuotes++;
    return at;
  }

  /**
   * `"city": "Paris, "unit": "c"`: the value lost its closing quote and this quote ends the next key. Undefined while
   * what follows the quote is not there.
   */
  #splitsOffKey(text: string, at: number, ending: boolean): boolean | undefined {
    // Only a first inner quote can have opened the key; that also keeps this from searching the string again and again.
    if (this.#innerQuotes !== 1) return false;
    const content = this.#content();
    const opening = content.lastIndexOf(String.fromCharCode(this.#quote));
    const key = content.slice(opening + 1);
    const before = content.slice(0, opening).trimEnd();
    const isSplit = before.charCodeAt(before.length - 1) === COMMA && /^[\w$-]+$/.test(key);
    if (!isSplit) return false;
    const next = skipSpace(text, at + 1);
    if (next - at > LONGEST_SPACE) return false;
    if (next >= text.length && !ending) return undefined;
    if (!isColon(text.charCodeAt(next))) return false;
    this.#endBefore(before.slice(0, -1));
    this.nextKey = key;
    this.#innerQuotes = 0;
    this.#finish();
    return true;
  }

  /** `"ls}}\n{"name": …`: another call begins, so the closing quote was lost before the brackets. */
  #endBeforeCall(): void {
    const { brace, end, isQuoted } = endOfCall(this.value, this.#quote);
    this.callBegan = this.value.length - brace;
    if (isQuoted) this.#innerQuotes--;
    this.#endBefore(this.value.slice(0, end));
    this.#finish();
  }

  /** The closing quote was lost where `content` ends: what follows was no part of the string. */
  #endBefore(content: string): void {
    this.value = content.trimEnd();
    this.#path = undefined;
    this.lossy = true;
    this.#note('missing-quote');
  }

  /** Reads the escape at `at`. Returns the index after it, or -1 when it is not all there yet. */
  #readBackslash(text: string, at: number, place: StringPlace, ending: boolean): number {
    const next = text.charCodeAt(at + 1);
    if (next === this.#quote && place.role === 'member') {
      const closes = closesPath(text, at + 2, ending);
      if (closes === undefined) return -1;
      if (closes) {
        this.value += '\\';
        if (this.#path !== undefined) this.#path += '\\';
        this.#badEscape = true;
        this.#note('bad-escape');
        this.#closedByEscape = true;
        return at + 2;
      }
    }
    if (next === this.#quote) this.#lastEscapedQuote = this.value.length;
    // Past the beginning of the string, where a path would show, most escapes are these.
    const simple =
      this.#path === undefined && this.value.length > 2 ? SIMPLE_ESCAPES.get(next) : undefined;
    if (simple !== undefined) {
      this.#appendEscape(simple);
      return at + 2;
    }
    const escape = readEscape(text, at, this.#quote, ending);
    if (escape === undefined) return -1;
    if (this.#path !== undefined) this.#extendPath(escape.pathText);
    else if (mayStartPath(this.value, next))
      this.#path = this.value + text.slice(at, at + escape.length);
    this.#appendEscape(escape.text);
    if (!escape.valid) {
      this.#badEscape ||= escape.keptBackslash;
      this.#note(escape.truncated ? 'truncated' : 'bad-escape');
    }
    return at + escape.length;
  }

  #readUntil(text: string, from: number, delimiter: string, ending: boolean): number {
    const end = text.indexOf(delimiter, from);
    if (end >= 0) {
      this.value += text.slice(from, end);
      if (this.#delimiter === 'entity') this.value = decodeEntities(this.value);
      return end + delimiter.length;
    }
    const keep = ending ? 0 : Math.min(delimiter.length - 1, text.length - from);
    const stop = text.length - keep;
    this.value += text.slice(from, stop);
    if (ending && this.#delimiter === 'entity') this.value = decodeEntities(this.value);
    return this.#goOn(stop);
  }

  /** A string in a document escaped once too often: `\"` closes it, `\\n` is a newline, `\\\"` a quote. */
  #readEscaped(text: string, from: number, ending: boolean): number {
    let start = from;
    for (let at = from; at < text.length; at++) {
      if (text.charCodeAt(at) !== BACKSLASH) continue;
      this.#take(text, start, at);
      // The longest escape of an escaped document is `\\\\` or `\\u12345`: wait for it whole.
      if (!ending && text.length - at < 7 && text.charCodeAt(at + 1) !== DOUBLE_QUOTE)
        return this.#goOn(at);
      if (text.charCodeAt(at + 1) === DOUBLE_QUOTE) return at + 2;
      const escape =
        text.charCodeAt(at + 1) === BACKSLASH
          ? readDoubledEscape(text, at)
          : readEscape(text, at, DOUBLE_QUOTE, true);
      if (escape === undefined) return this.#goOn(at);
      this.#appendEscape(escape.text);
      at += escape.length - 1;
      start = at + 1;
    }
    this.#take(text, start, text.length);
    return this.#goOn(text.length);
  }

  #take(text: string, start: number, end: number): void {
    if (end <= start) return;
    const piece = start === 0 && end === text.length ? text : text.slice(start, end);
    this.#append(piece);
    this.#trail.see(piece);
    this.#remember(piece);
    if (this.#path !== undefined) this.#extendPath(piece);
    if (this.#countsBrackets) this.#openBrackets += openBrackets(piece);
  }

  /** Keeps the last characters. Pieces are often short: cutting the text after each would cost most. */
  #remember(piece: string): void {
    const recent = piece.length < LONGEST_CALL_KEY ? this.#recent + piece : piece;
    this.#recent = recent.length > MOST_RECENT ? recent.slice(-LONGEST_CALL_KEY) : recent;
  }

  /**
   * A string that grows by appending is a tree of its pieces until somebody looks into it. One made of very
   * many small pieces is looked into now and then, so that it does not fill the memory with them.
   */
  #append(piece: string): void {
    this.value += piece;
    this.#lastPiece = piece;
    if (++this.#pieces < MANY_PIECES || this.#pieces * 8 < this.value.length) return;
    this.#pieces = 0;
    this.value.charCodeAt(0);
  }

  #appendEscape(text: string): void {
    this.#append(text);
    this.#escapedTo = this.value.length;
  }

  #mayEndInClosers(): boolean {
    if (this.#delimiter !== 'plain' || this.#lastPiece === '') return true;
    const last = this.#lastPiece.charCodeAt(this.#lastPiece.length - 1);
    return last === CLOSE_BRACE || last === CLOSE_BRACKET || isSpace(last);
  }

  #extendPath(text: string): void {
    const path = (this.#path ?? '') + text;
    this.#path = path.length > LONGEST_PATH ? undefined : path;
  }

  #goOn(consumed: number): number {
    this.consumed = consumed;
    return STRING_GOES_ON;
  }

  #finish(): void {
    this.value = this.#content();
    if (this.#innerQuotes === 0) return;
    this.#note('inner-quotes');
    this.lossy ||= this.#hasCallKey || hasStrayBrackets(this.value);
  }

  /** One escape no JSON has, in what looks like a Windows path: then no backslash in it was an escape. */
  #content(): string {
    return this.#path !== undefined && this.#badEscape ? this.#path : this.value;
  }

  #note(repair: Repair): void {
    if (!this.repairs.includes(repair)) this.repairs.push(repair);
  }
}

const QUOTE_UNCLEAR = -1;
const MANY_PIECES = 1024;
/** How much space may stand between a key and its colon, where that decides where a string ends. */
const LONGEST_SPACE = 160;
/** As long as Windows lets a path be. */
const LONGEST_PATH = 32_767;
/** Longer strings are not looked at for a key inside them; looking again and again would cost their length each time. */
const LONGEST_KEY = 80;
