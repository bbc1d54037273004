import type { JsonValue, Repair } from '../../types.ts';
import { isSpace } from '../json/char-code.ts';
import { setOwn } from '../../internal/set-own.ts';
import { MarkerSet } from '../script/marker-set.ts';
import type { Script } from '../script/script.ts';
import { ScriptInput } from '../script/script-input.ts';
import { closingQuote, followersIn } from './closing-quote.ts';
import { readPythonNumber } from './python-number.ts';
import { PythonString } from './python-string.ts';
import { isTypeName } from './value-slot.ts';
import type { ValueSlot } from './value-slot.ts';
import { hasStrayBrackets } from '../json/brackets.ts';

/** It could not be read: see `failure` and `isCut` of the reader. */
export const UNREAD: unique symbol = Symbol('unread');

/** What is told of a value while it is being read. */
export interface ValueTeller {
  /** It is a string, whatever comes. */
  beginString(): void;
  piece(text: string): void;
}

/** Who is told how a value was mended. */
export interface RepairNotes {
  note(repair: Repair): void;
  markLossy(): void;
}

const LINE_ENDS = new MarkerSet(['\n']);
const PUNCTUATION = [':', '=', '#', '(', ')', '[', ']', '{', '}', '"', "'"];
/** Where a row of numbers and words ends. */
const ROW_STOPS = new MarkerSet(PUNCTUATION);
/** Where a number or a word ends. */
export const VALUE_STOPS: MarkerSet = new MarkerSet([',', ...PUNCTUATION]);
/** Longer ones are no numbers anyone means. */
const LONGEST_NUMBER = 400;
/** Longer ones are no values that anyone writes without quotes. */
const LONGEST_WRITTEN = 400;
/** How far is looked ahead to see whether something is computed of a string. */
const LOOK_AHEAD = 48;

const WORDS: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['True', true],
  ['False', false],
  ['None', null],
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Reads the literals of Python, and nothing that would have to be computed. */
export class PythonReader {
  /** Why it could not be read. */
  failure = '';
  /** Whether the text ended in it. */
  isCut = false;
  /** Who is told of repairs. */
  notes: RepairNotes | undefined;
  /** How many values were the name of a type. */
  typeNames = 0;
  /** Whether underscores are escaped as in Markdown. */
  isMarkdown = false;
  readonly #block: ScriptInput;
  readonly #blockEnds: MarkerSet | undefined;
  #input: ScriptInput;
  /** The brackets that are open, the outermost first. */
  readonly #open: string[] = [];

  /** Up to `blockEnds`, quotes inside a string are told from the one that ends it. */
  constructor(block: ScriptInput, blockEnds?: MarkerSet) {
    this.#block = block;
    this.#input = block;
    this.#blockEnds = blockEnds;
  }

  /** Where it reads: the block, or the rest of it, taken ahead to find the end of a string. */
  get input(): ScriptInput {
    return this.#input;
  }

  /** How much of what was taken ahead is not read yet. */
  get ahead(): number {
    return this.#input === this.#block ? 0 : this.#input.left;
  }

  fail(reason: string): typeof UNREAD {
    this.failure = reason;
    return UNREAD;
  }

  cut(): typeof UNREAD {
    // What was taken ahead ends before the text does.
    if (this.#input !== this.#block) return this.fail('a call has no end');
    this.isCut = true;
    return UNREAD;
  }

  open(bracket: string): boolean {
    // The list of calls and the parentheses of a call count for nothing.
    const { maxDepth } = this.#block.context;
    if (this.#open.length >= maxDepth + 2) {
      this.#block.isTooDeep = true;
      this.fail(`it is nested more than ${maxDepth} deep`);
      return false;
    }
    this.#open.push(bracket);
    return true;
  }

  close(): void {
    this.#open.pop();
  }

  /** Goes on behind what was taken ahead. Returns false when not all of that was read. */
  *leaveRest(): Script<boolean> {
    if (this.#input === this.#block) return true;
    if ((yield* this.next()) !== '') return false;
    this.#input = this.#block;
    return true;
  }

  /** The next character behind space and comments, which is left standing; '' where the text ends. */
  *next(): Script<string> {
    for (;;) {
      yield* this.#input.skipSpace();
      const next = yield* this.#input.peek(1);
      if (next !== '#') return next;
      yield* this.#input.until(LINE_ENDS);
    }
  }

  *skipComment(): Script<void> {
    yield* this.#input.until(LINE_ENDS);
  }

  /** Reads one value. `slot` says what one that is no literal means. */
  *value(teller?: ValueTeller, slot?: ValueSlot): Script<JsonValue | typeof UNREAD> {
    for (;;) {
      const { text, marker } = yield* this.#input.until(VALUE_STOPS);
      if (marker === '#' && text.trim() === '') yield* this.skipComment();
      else return yield* this.valueFrom(text, marker, teller, slot);
    }
  }

  /** Reads a value of which `text` was taken, up to a stop. */
  *valueFrom(
    text: string,
    stop: string | undefined,
    teller?: ValueTeller,
    slot?: ValueSlot,
  ): Script<JsonValue | typeof UNREAD> {
    if (stop === undefined) return this.cut();
    const word = text.trimStart();
    if ((stop === '"' || stop === "'") && (word === '' || isPrefix(word)))
      return yield* this.#string(word, teller);
    if (word !== '') {
      const scalar = this.#scalar(word.trimEnd());
      return scalar === UNREAD && slot !== undefined ? yield* this.#written(word, slot) : scalar;
    }
    if (stop === '(' && slot?.isNumber === true) return yield* this.#written('', slot);
    if (stop === '[') return yield* this.#list('[', ']', slot);
    if (stop === '(') return yield* this.#list('(', ')', slot);
    return stop === '{' ? yield* this.#braces(slot) : this.fail('a value is missing');
  }

  /** A value that is no literal and begins with `start`, up to the comma or the bracket behind it. */
  *#written(start: string, slot: ValueSlot): Script<JsonValue | typeof UNREAD> {
    let text = start;
    let depth = 0;
    for (;;) {
      const next = yield* this.#input.peek(1);
      if (next === '') return this.cut();
      if (depth === 0 && ',)]}'.includes(next)) return this.#meaning(text.trim(), slot);
      if (next === '(' && slot.isNumber) depth++;
      else if (next === ')') depth--;
      else if (next !== ':' || text.length > LONGEST_WRITTEN)
        return this.fail(slot.refuse((text + next).trim()).problem);
      this.#input.skip(1);
      text += next + (yield* this.#input.until(VALUE_STOPS)).text;
    }
  }

  #meaning(source: string, slot: ValueSlot): JsonValue | typeof UNREAD {
    const written = this.isMarkdown ? source.replaceAll('\\_', '_') : source;
    const read = slot.read(written);
    if ('problem' in read) return this.fail(read.problem);
    this.notes?.note(read.repair);
    if (read.repair === 'unquoted-value' && isTypeName(written)) this.typeNames++;
    return read.value;
  }

  /** A number, with signs or not, or a word. */
  #scalar(text: string): JsonValue | typeof UNREAD {
    const word = WORDS.get(text);
    if (word !== undefined) return word;
    let isNegative = false;
    let at = 0;
    for (; at < text.length && '+- \t\n'.includes(text.charAt(at)); at++)
      isNegative = isNegative !== (text.charAt(at) === '-');
    const number =
      text.length > LONGEST_NUMBER ? undefined : readPythonNumber(at === 0 ? text : text.slice(at));
    if (number === undefined)
      return this.fail(`the value ${JSON.stringify(text.slice(0, LOOK_AHEAD))} is no literal`);
    const { value, isMended } = number;
    if (isMended || typeof value === 'string') this.notes?.note('number');
    if (!isNegative) return value;
    // JSON has no negative zero.
    return typeof value === 'string' ? `-${value}` : 0 - value;
  }

  /** A list, or what stands in parentheses: a tuple, or one value in parentheses, which is that value. */
  *#list(
    opener: '[' | '(',
    closer: ']' | ')',
    slot?: ValueSlot,
  ): Script<JsonValue | typeof UNREAD> {
    const items: JsonValue[] = [];
    // Whether a value may come next, and whether there was a comma at all.
    let isDue = true;
    let isTuple = opener === '[';
    if (!this.open(opener)) return UNREAD;
    this.#input.skip(1);
    for (;;) {
      const { text, marker } = yield* this.#input.until(ROW_STOPS);
      if (marker === undefined) return this.cut();
      const row = text.split(',');
      const last = row.pop() ?? '';
      for (const part of row) {
        if ((part.trim() === '') === isDue) return this.fail('a value is missing');
        const value = isDue ? this.#item(part.trim(), slot) : null;
        if (value === UNREAD) return UNREAD;
        if (isDue) items.push(value);
        isDue = true;
        isTuple = true;
      }
      const hasValue = last.trim() !== '' || (marker !== closer && marker !== '#');
      if (hasValue) {
        if (!isDue) return this.fail('a value is no literal');
        const isScalar = marker === closer || marker === '#';
        const value = isScalar
          ? this.#item(last.trim(), slot)
          : yield* this.valueFrom(last, marker, undefined, slot?.item);
        if (value === UNREAD) return UNREAD;
        items.push(value);
        isDue = false;
      }
      if (marker === '#') yield* this.skipComment();
      else if (marker === closer) break;
    }
    this.#input.skip(1);
    this.close();
    const [only] = items;
    return isTuple || only === undefined ? items : only;
  }

  /** An item of a list of which all is there. */
  #item(text: string, slot: ValueSlot | undefined): JsonValue | typeof UNREAD {
    const scalar = this.#scalar(text);
    return scalar === UNREAD && slot !== undefined ? this.#meaning(text, slot.item) : scalar;
  }

  /** A dictionary, or a set, which is a list here. */
  *#braces(slot?: ValueSlot): Script<JsonValue | typeof UNREAD> {
    const members: Record<string, JsonValue> = {};
    const items: JsonValue[] = [];
    let isSet: boolean | undefined;
    if (!this.open('{')) return UNREAD;
    this.#input.skip(1);
    let next = yield* this.next();
    while (next !== '}') {
      const key = yield* this.value();
      if (key === UNREAD) return UNREAD;
      const isMember = (yield* this.next()) === ':';
      if (isSet === isMember) return this.fail('a key has no value');
      isSet = !isMember;
      if (!isMember) items.push(key);
      else if (!(yield* this.#member(members, key, slot))) return UNREAD;
      next = yield* this.next();
      if (next === '') return this.cut();
      if (next !== ',' && next !== '}') return this.fail('a value is no literal');
      if (next === ',') {
        this.#input.skip(1);
        next = yield* this.next();
      }
    }
    this.#input.skip(1);
    this.close();
    return isSet === true ? items : members;
  }

  /** The value of a key, from the colon on. */
  *#member(
    members: Record<string, JsonValue>,
    key: JsonValue,
    slot: ValueSlot | undefined,
  ): Script<boolean> {
    if (typeof key === 'object' && key !== null) {
      this.fail('a key is no text');
      return false;
    }
    this.#input.skip(1);
    const value = yield* this.value(undefined, slot?.member(String(key)));
    if (value !== UNREAD) setOwn(members, String(key), value);
    return value !== UNREAD;
  }

  /** One string, or several that follow one another and are one. */
  *#string(firstPrefix: string, teller?: ValueTeller): Script<string | typeof UNREAD> {
    let text = '';
    const onPiece = (piece: string): void => {
      text += piece;
      teller?.piece(piece);
    };
    teller?.beginString();
    for (let prefix: string | undefined = firstPrefix; prefix !== undefined;) {
      if (/b/i.test(prefix)) return this.fail('bytes are no text');
      const string: PythonString = new PythonString(prefix, onPiece, this.isMarkdown);
      const problem = yield* string.read(this.#input);
      if (problem === 'cut') return this.cut();
      if (problem !== undefined) return this.fail(problem);
      const next: string | typeof UNREAD | undefined = yield* this.#endString(string);
      if (next === UNREAD) return UNREAD;
      this.#noteEscapes(string);
      this.#input.skip(next?.length ?? 0);
      prefix = next;
    }
    return text;
  }

  /**
   * Makes sure that the quote just taken ends the string, and finds the one that does where it does not.
   * Returns the prefix of another string, where one follows that belongs to it.
   */
  *#endString(string: PythonString): Script<string | typeof UNREAD | undefined> {
    const gap = yield* this.#input.takeWhile(isSpace, Number.MAX_SAFE_INTEGER);
    const next = yield* this.#input.peek(1);
    if (next === '' || followersIn(this.#open).includes(next)) return undefined;
    const prefix = yield* this.#nextPrefix(gap !== '');
    if (prefix !== undefined) return prefix;
    const isMendable =
      this.#blockEnds !== undefined && string.isPlain && this.#input === this.#block;
    if (!isMendable || isOperation(gap, yield* this.#input.peek(LOOK_AHEAD)))
      return this.fail('a string is followed by what is no literal');
    const { text } = yield* this.#block.until(this.#blockEnds);
    const rest = string.quote + gap + text;
    const end = closingQuote(rest, string.quote, this.#open);
    if (end < 0) return this.fail('it is not clear which quote ends a string');
    this.notes?.note('inner-quotes');
    string.add(rest.slice(0, end));
    // A bracket that nothing in the string opened may be that of the call.
    if (hasStrayBrackets(string.source, true)) this.notes?.markLossy();
    this.#input = new ScriptInput(this.#block.context);
    this.#input.push(rest, end + 1);
    this.#input.isEnded = true;
    return undefined;
  }

  #noteEscapes(string: PythonString): void {
    if (string.hasRawBreaks) this.notes?.note('raw-control-character');
    if (string.isBroken) this.notes?.note('bad-escape');
    if (string.isDoubtful) this.notes?.markLossy();
  }

  /** The prefix of the string that comes next; undefined when none comes. */
  *#nextPrefix(isApart: boolean): Script<string | undefined> {
    const prefix = /^([a-z]{0,2})["']/i.exec(yield* this.#input.peek(3))?.[1];
    // Nobody writes `'a'r'b'` and means two strings: there, quotes stand in a string.
    return prefix === '' || (prefix !== undefined && isApart && isPrefix(prefix))
      ? prefix
      : undefined;
  }
}

/** Whether what follows a string and a gap is valid Python: an operator, a method, an index. */
function isOperation(gap: string, ahead: string): boolean {
  if (/^[-+*/%@|&^<>=!]{1,2}\s*["']/.test(ahead) || /^\.[a-z_]\w*\(/i.test(ahead)) return true;
  if (/^\[[^\]]*\]\s*[,)\]}]/.test(ahead)) return true;
  return gap !== '' && /^(?:[-+*/%@|&^<>=!]{1,2}|if|in|is|and|or|not|for)\s/.test(ahead);
}

function isPrefix(word: string): boolean {
  return /^(?:[rubf]|br|rb|fr|rf)$/i.test(word);
}
