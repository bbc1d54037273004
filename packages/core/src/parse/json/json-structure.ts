import type { JsonValue } from '../../types.ts';
import { isEllipsis, isLiteral, isShortNumber, readBareWord } from './bare-word.ts';
import {
  BACKTICK,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  DOT,
  EQUALS,
  FULLWIDTH_COLON,
  FULLWIDTH_COMMA,
  GREATER_THAN,
  isQuote,
  isWord,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  PLUS,
  SEMICOLON,
} from './char-code.ts';
import { hasStrayBrackets } from './brackets.ts';
import { callBeginsAt } from './next-call.ts';
import type { Findings } from './findings.ts';
import { isCloser, isColon, startsMarker } from './string-end.ts';
import type { StringPlace } from './string-end.ts';
import type { Frame, ValueBuilder } from './value-builder.ts';

/** What `read` returns when it cannot go on without more text, or not at all. */
export const UNCLEAR = -1;
/** What `read` returns where no punctuation stands: an unquoted key or value begins here. */
export const WORD_BEGINS = -2;

type Expectation =
  | 'value'
  | 'key'
  | 'colon'
  /** A comma or a closing bracket. */
  | 'separator'
  /** After a string at the top: a colon would make it the first key of an object without braces. */
  | 'root-colon'
  | 'nothing';

/**
 * The grammar between strings and words: which punctuation may stand where, and what was meant when it
 * is another one or none.
 */
export class JsonStructure {
  expects: Expectation = 'value';
  /** Whether a `(` was opened; a `)` means nothing in a document without any. */
  hasTuple = false;

  readonly #builder: ValueBuilder;
  readonly #findings: Findings;
  readonly #maxDepth: number;
  #isAfterComma = false;
  #isKeyBare = false;
  /** A `+` was read between two strings. */
  #isJoining = false;

  constructor(builder: ValueBuilder, findings: Findings, maxDepth: number) {
    this.#builder = builder;
    this.#findings = findings;
    this.#maxDepth = maxDepth;
  }

  /** What a string that begins here would be. */
  get stringRole(): StringPlace['role'] {
    const { top } = this.#builder;
    if (top === undefined) return 'root';
    if (this.expects === 'key') return 'key';
    return top.isArray ? 'element' : 'member';
  }

  /** Reads the punctuation at `text[at]`, which is `offset` in the document. Returns the next index. */
  read(text: string, at: number, offset: number, ending: boolean): number {
    const code = text.charCodeAt(at);
    switch (this.expects) {
      case 'value':
        return this.#readForValue(code, at, offset);
      case 'key':
        return this.#readForKey(text, at, offset, ending);
      case 'colon':
        return this.#readForColon(text, at, offset, ending);
      case 'separator':
        return this.#readForSeparator(text, at, offset, ending);
      case 'root-colon':
        return this.#readForRootColon(code, at);
      case 'nothing':
        return at;
    }
  }

  takeKey(key: string, isBare: boolean): void {
    const { top } = this.#builder;
    if (top !== undefined) {
      const isNested = key === 'arguments' && this.#builder.isInArguments;
      if (isNested || Object.hasOwn(top.container, key)) this.#findings.doubt();
      top.key = key;
    }
    this.expects = 'colon';
    this.#isKeyBare = isBare;
  }

  /** `nextKey` is a key that was read as part of the string. */
  takeString(value: string, nextKey: string | undefined): void {
    if (this.#isJoining) {
      this.#isJoining = false;
      this.#builder.joinLast(value);
      this.expects = 'separator';
    } else this.#put(value);
    if (nextKey !== undefined) this.takeKey(nextKey, false);
  }

  /** `Paris"`: a string that lost its opening quote. */
  takeHalfQuoted(value: string): void {
    this.#findings.note('missing-quote');
    if (hasStrayBrackets(value)) this.#findings.markLossy();
    this.#put(value);
  }

  /** A value without quotes: a number, a literal or a string. */
  takeWord(word: string, offset: number): void {
    // Most words are short numbers, and right.
    if (isShortNumber(word)) {
      this.#put(Number(word));
      return;
    }
    const { top, depth } = this.#builder;
    const { value, digits, repair, lossy } = readBareWord(word);
    if (repair === 'unquoted-value') {
      if (isEllipsis(word)) {
        this.takeEllipsis();
        return;
      }
      // A long text without quotes is not taken apart for nothing.
      const parts = top?.isArray === true ? word.split(/\s+/) : NO_PARTS;
      if (parts.length > 1 && parts.every(isLiteral)) {
        this.#findings.note('missing-comma');
        for (const part of parts) this.takeWord(part, offset);
        return;
      }
      // `[TOOL_CALLS]` and `[text](url)` are not lists of strings.
      if (top === undefined || (top.isArray && depth === 1)) {
        this.#findings.fail(`${JSON.stringify(word)} is not a JSON value`, offset);
        return;
      }
    }
    if (repair !== undefined) this.#findings.note(repair);
    // A brace that the word leaves open may be that of another call.
    if (lossy || (repair === 'unquoted-value' && hasStrayBrackets(word)))
      this.#findings.markLossy();
    this.#put(value, digits);
  }

  /** `...` stands for what was left out. */
  takeEllipsis(): void {
    this.#findings.noteLoss('ellipsis');
    this.expects = 'separator';
  }

  /** The end marker stands where a bracket should: every open bracket is closed here. */
  closeAtMarker(offset: number): void {
    const { top, hasOpenBracket } = this.#builder;
    if (top === undefined) {
      this.#findings.fail('nothing stands before the end marker', offset);
    } else if (this.expects === 'colon') {
      this.#findings.fail(`the key ${JSON.stringify(top.key)} has no value`, offset);
    } else {
      if (this.expects === 'value' && !top.isArray) this.#dropMember();
      if (hasOpenBracket) this.#findings.note('missing-brace');
      this.#builder.closeAll(offset);
      this.expects = 'nothing';
    }
  }

  /** Another call begins at `offset`: what is open is closed, but for the list of calls it stands in. */
  endBeforeCall(offset: number): void {
    if (this.expects === 'colon') this.#dropMember();
    this.#findings.note('missing-brace');
    this.expects = this.#builder.closeToCalls(offset) ? 'value' : 'nothing';
  }

  /** Opens an object whose brace, at `offset`, was read already. */
  openCall(offset: number): void {
    this.#open(false, 0, offset);
  }

  #readForValue(code: number, at: number, offset: number): number {
    const { top } = this.#builder;
    if (code === OPEN_BRACE) return this.#open(false, at, offset);
    if (code === OPEN_BRACKET) return this.#open(true, at, offset);
    if (code === OPEN_PAREN && top !== undefined) {
      this.#findings.note('tuple');
      this.hasTuple = true;
      return this.#open(true, at, offset);
    }
    if (code === COMMA || code === FULLWIDTH_COMMA || isCloser(code)) {
      if (top === undefined) return this.#fail(`it begins with ${quoted(code)}`, offset);
      if (!top.isArray) this.#dropMember();
      else if (!isCloser(code) || this.#isAfterComma) this.#findings.note('trailing-comma');
      return isCloser(code) ? this.#close(top, code, at, offset) : this.#separate(top, at + 1);
    }
    if (code === COLON || code === EQUALS || code === GREATER_THAN) {
      if (top?.isArray !== false) return this.#fail('a colon stands where a value should', offset);
      this.#findings.note('wrong-separator');
      return at + 1;
    }
    return WORD_BEGINS;
  }

  #readForKey(text: string, at: number, offset: number, ending: boolean): number {
    const code = text.charCodeAt(at);
    const { top } = this.#builder;
    if (top === undefined) return this.#fail('a key stands outside any object', offset);
    if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (this.#isAfterComma) this.#findings.note('trailing-comma');
      return this.#close(top, code, at, offset);
    }
    if (code === COMMA || code === FULLWIDTH_COMMA || code === SEMICOLON) {
      this.#findings.note('trailing-comma');
      return at + 1;
    }
    if (code === OPEN_BRACE) return this.#openWhereKeyBelongs(top, text, at, offset, ending);
    if (mayBeginKey(code)) return WORD_BEGINS;
    return this.#fail(`${quoted(code)} stands where a key should`, offset);
  }

  #readForColon(text: string, at: number, offset: number, ending: boolean): number {
    const code = text.charCodeAt(at);
    if (code === COLON) {
      this.expects = 'value';
      return at + 1;
    }
    if (code === EQUALS || code === FULLWIDTH_COLON) {
      if (code === EQUALS && at + 1 >= text.length && !ending) return UNCLEAR;
      this.#findings.note('wrong-separator');
      this.expects = 'value';
      return code === EQUALS && text.charCodeAt(at + 1) === GREATER_THAN ? at + 2 : at + 1;
    }
    const key = JSON.stringify(this.#builder.top?.key ?? '');
    if (code === COMMA || isCloser(code)) return this.#fail(`the key ${key} has no value`, offset);
    // Two bare words side by side are prose: `{ in text: …`.
    const isWordAlone = !isQuote(code) && code !== OPEN_BRACE && code !== OPEN_BRACKET;
    if (this.#isKeyBare && (isWordAlone || !/^"[\w$.@-]+"$/.test(key)))
      return this.#fail(`no colon follows ${key}`, offset);
    this.#findings.note('missing-colon');
    this.expects = 'value';
    return at;
  }

  #readForSeparator(text: string, at: number, offset: number, ending: boolean): number {
    const code = text.charCodeAt(at);
    const { top, lastValue } = this.#builder;
    if (top === undefined) return this.#fail('text follows the value', offset);
    if (code === COMMA) return this.#separate(top, at + 1);
    if (isCloser(code)) return this.#close(top, code, at, offset);
    if (code === FULLWIDTH_COMMA || code === SEMICOLON) {
      this.#findings.note('wrong-separator');
      return this.#separate(top, at + 1);
    }
    if (code === PLUS && typeof lastValue === 'string') {
      this.#findings.note('joined-strings');
      this.#isJoining = true;
      this.expects = 'value';
      return at + 1;
    }
    if (code === BACKTICK) {
      const fence = startsMarker(text, at, '```', ending);
      if (fence === 'unclear') return UNCLEAR;
      if (fence === 'ends') {
        // A fence where a bracket should be: the document ended before its brackets did.
        this.closeAtMarker(offset);
        return at;
      }
    }
    if (code === OPEN_BRACE && !this.#builder.isCallList) {
      const begins = callBeginsAt(text, at + 1, ending);
      if (begins === 'unclear') return UNCLEAR;
      if (begins === 'yes') {
        this.endBeforeCall(offset);
        return at;
      }
    }
    if (code !== DOT) this.#findings.note('missing-comma');
    return this.#separate(top, at);
  }

  #readForRootColon(code: number, at: number): number {
    const { root } = this.#builder;
    if (!isColon(code) || typeof root !== 'string') {
      this.expects = 'nothing';
      return at;
    }
    this.#findings.note('missing-outer-braces');
    this.#builder.openImplicit(root);
    this.expects = 'value';
    return at + 1;
  }

  #separate(top: Frame, next: number): number {
    this.expects = top.isArray ? 'value' : 'key';
    this.#isAfterComma = true;
    return next;
  }

  #put(value: JsonValue, digits?: string): void {
    // `"x" + 5`: the string before the plus is not in what comes out.
    if (this.#isJoining) this.#findings.markLossy();
    this.#isJoining = false;
    this.#builder.put(value, digits);
    if (this.#builder.top !== undefined) this.expects = 'separator';
    else this.expects = typeof value === 'string' ? 'root-colon' : 'nothing';
  }

  #open(isArray: boolean, at: number, offset: number): number {
    if (this.#builder.depth >= this.#maxDepth) return this.#failDepth(offset);
    if (this.#isJoining) this.#findings.markLossy();
    this.#isJoining = false;
    this.#builder.open(isArray, offset);
    if (!isArray && this.#builder.isInCallList) this.#findings.beginItem();
    this.expects = isArray ? 'value' : 'key';
    this.#isAfterComma = false;
    return at + 1;
  }

  /** `{{"a": 1}}` doubles the braces; `{"a": {…}, {"b": 2}}` splits one object in two. */
  #openWhereKeyBelongs(
    top: Frame,
    text: string,
    at: number,
    offset: number,
    ending: boolean,
  ): number {
    const isEmpty = !this.#isAfterComma && Object.keys(top.container).length === 0;
    const { depth, isInCallList } = this.#builder;
    const isInside = depth > 1 && !isInCallList;
    const mayBeOpenTwice = isInside && !this.#findings.has('doubled-braces');
    if (!isEmpty || mayBeOpenTwice) {
      const begins = callBeginsAt(text, at + 1, ending);
      if (begins === 'unclear') return UNCLEAR;
      if (begins === 'yes') {
        // What the arguments were to be is not known.
        if (isEmpty) return this.#fail('another call begins in its arguments', offset);
        this.endBeforeCall(offset);
        return at;
      }
    }
    if (isEmpty) {
      this.#findings.hasDoubledInside ||= mayBeOpenTwice;
      this.#findings.note('doubled-braces');
      top.doubled++;
      const isTooDeep = this.#builder.depth + top.doubled > this.#maxDepth;
      return isTooDeep ? this.#failDepth(offset) : at + 1;
    }
    if (!this.#builder.reopenLast())
      return this.#fail('an object stands where a key should', offset);
    this.#findings.noteLoss('split-object');
    this.#isAfterComma = false;
    return at + 1;
  }

  #close(top: Frame, code: number, at: number, offset: number): number {
    const closesArray = code !== CLOSE_BRACE;
    this.expects = 'separator';
    if (top.isArray === closesArray) {
      this.#closeOne(top, offset);
    } else if (this.#builder.hasOpen(closesArray)) {
      // The other kind of bracket: what was left open inside the one it belongs to is closed with it.
      this.#findings.note('missing-brace');
      while (this.#builder.top?.isArray === !closesArray) this.#builder.close(offset);
      if (this.#builder.top !== undefined) this.#closeOne(this.#builder.top, offset);
    } else this.#findings.note('extra-brace');
    return at + 1;
  }

  #closeOne(top: Frame, offset: number): void {
    if (top.doubled > 0) top.doubled--;
    else {
      if (top.isImplicit) this.#findings.note('extra-brace');
      this.#builder.close(offset + 1);
    }
    if (this.#builder.top === undefined) this.expects = 'nothing';
  }

  /** A key with no value behind it says nothing; inventing one would. */
  #dropMember(): void {
    this.#findings.noteLoss('missing-value');
  }

  #fail(reason: string, offset: number): number {
    this.#findings.fail(reason, offset);
    return UNCLEAR;
  }

  #failDepth(offset: number): number {
    this.#findings.tooDeep = true;
    return this.#fail(`it is nested more than ${this.#maxDepth} deep`, offset);
  }
}

const NO_PARTS: readonly string[] = [];

/** A letter, or one of the few signs keys without quotes begin with. */
function mayBeginKey(code: number): boolean {
  return isWord(code) || code === DOT || code === 0x2d || code === 0x40;
}

function quoted(code: number): string {
  return JSON.stringify(String.fromCharCode(code));
}
