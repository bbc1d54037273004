import { hasStrayBrackets } from '../json/brackets.ts';
import { coerceValue, isStringOnly } from '../../internal/schema-values.ts';
import { readLiteral } from '../../internal/schema-text.ts';
import type { JsonObject, JsonValue } from '../../types.ts';
import { isJsonObject } from '../call-keys.ts';
import { isSpace } from '../json/char-code.ts';
import { setOwn } from '../../internal/set-own.ts';
import { isStringParameter, parameterSchema, parameterValue } from '../parameter-value.ts';
import type { CallDraft } from '../script/call-draft.ts';
import type { Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { HeldTail } from './held-tail.ts';
import type { KeyValueMarkup } from './key-value-markup.ts';
import { readQuotedText } from './read-quoted-text.ts';

/** How far is looked ahead to see whether a comma or a brace is text. */
const LOOK_AHEAD = 96;
const LONGEST_KEY = 128;
const LONGEST_LITERAL = 400;

/** It could not be read: see `failure` and `isCut`. */
const UNREAD: unique symbol = Symbol('unread');
/** There was none. */
const MISSING: unique symbol = Symbol('missing');

/** Reads `key:value,…}`: strings between the dialect's quotes, everything else without. */
export class KeyValueReader {
  /** Why it could not be read. */
  failure = '';
  /** Whether the text ended in it. */
  isCut = false;
  /** Where the block ends, when a string that lost its end ran past it. */
  endsAt: number | undefined;
  readonly #input: ScriptInput;
  readonly #markup: KeyValueMarkup;
  readonly #draft: CallDraft;
  /** The brackets that are open, as what closes them, the innermost first. */
  #closers: readonly string[] = [];

  constructor(input: ScriptInput, markup: KeyValueMarkup, draft: CallDraft) {
    this.#input = input;
    this.#markup = markup;
    this.#draft = draft;
  }

  /** Reads the arguments of the call from behind its `{`. Returns whether they are whole. */
  *arguments(): Script<boolean> {
    const { context } = this.#input;
    const tool = this.#draft.name;
    const properties = context.tools?.parametersOf(tool)?.['properties'];
    const isKey = isJsonObject(properties)
      ? (key: string): boolean => Object.hasOwn(properties, key)
      : isAnyKey;
    return yield* this.#members((key) => this.#argument(tool, key, isKey));
  }

  *#argument(tool: string, key: string, isKey: IsKey): Script<boolean> {
    const { context } = this.#input;
    const schema = parameterSchema(context, tool, key);
    const first = yield* this.#next();
    if (first === '<' && (yield* this.#input.take(this.#markup.quote))) {
      if (schema === undefined || isStringParameter(context, tool, key)) {
        this.#draft.openString(key);
        const text = yield* this.#string((piece) => this.#draft.append(piece));
        if (text !== UNREAD) this.#draft.closeString();
        return text !== UNREAD;
      }
      const text = yield* this.#string();
      if (text === UNREAD) return false;
      this.#draft.set(key, parameterValue(context, tool, key, text, 'text'));
      return true;
    }
    if (first !== '{' && first !== '[' && !isQuote(first)) {
      const bare = yield* this.#bare('object', isKey);
      if (bare === UNREAD) return false;
      if (bare.text === '') this.#missing();
      else if (schema === undefined) this.#draft.set(key, bare.literal);
      else this.#draft.set(key, parameterValue(context, tool, key, bare.text, 'literal'));
      return true;
    }
    const value = yield* this.#value(schema, 'object', first);
    if (value === UNREAD || value === MISSING) return false;
    const root = context.tools?.parametersOf(tool);
    this.#draft.set(key, schema === undefined ? value : coerceValue(value, schema, root).value);
    return true;
  }

  /** Members up to the closing brace. `readMember` reads the value of a key. */
  *#members(readMember: (key: string) => Script<boolean>): Script<boolean> {
    const input = this.#input;
    if (!this.#open('}')) return false;
    for (let isFirst = true; ; isFirst = false) {
      const hasComma = !isFirst && (yield* this.#next()) === ',';
      if (hasComma) input.skip(1);
      const next = yield* this.#next();
      if (next === '') return this.#cut() !== UNREAD;
      if (next === '}') {
        if (hasComma) this.#draft.note('trailing-comma');
        input.skip(1);
        break;
      }
      if (next === '<' && (yield* input.startsWith(this.#markup.end))) {
        this.#draft.note('missing-brace');
        break;
      }
      if (!isFirst && !hasComma) this.#draft.note('missing-comma');
      const key = yield* this.#key(next);
      if (key === UNREAD || !(yield* readMember(key))) return false;
      if (this.endsAt !== undefined) break;
    }
    this.#closers = this.#closers.slice(1);
    return true;
  }

  /** A key that begins with `first`, and what separates it from its value. */
  *#key(first: string): Script<string | typeof UNREAD> {
    const input = this.#input;
    const { quote, quotes } = this.#markup;
    let key: string;
    if (first === '<' && (yield* input.take(quote))) {
      const { text, marker } = yield* input.until(quotes);
      if (marker === undefined) return this.#cut();
      input.skip(marker.length);
      key = text;
    } else {
      key = this.#unquotedKey((yield* input.takeWhile(isKeyCharacter, LONGEST_KEY)).trim());
      if (key === '') return this.#fail('a key is missing');
    }
    const separator = yield* this.#next();
    if (separator === '') return this.#cut();
    if (separator !== ':' && separator !== '=')
      return this.#fail(`no value follows ${JSON.stringify(key)}`);
    if (separator === '=') this.#draft.note('wrong-separator');
    input.skip(1);
    return key;
  }

  #unquotedKey(written: string): string {
    const quoted = /^(["'`])(.*)\1$/.exec(written);
    if (quoted !== null) this.#draft.note(quoted[1] === "'" ? 'single-quotes' : 'odd-quotes');
    return quoted?.[2] ?? written;
  }

  /** The next character that is no space, which is left standing; '' where the text ends. */
  *#next(): Script<string> {
    yield* this.#input.skipSpace();
    return yield* this.#input.peek(1);
  }

  /** A value that begins with `first`. */
  *#value(
    schema: JsonValue | undefined,
    within: 'object' | 'list',
    first: string,
  ): Script<JsonValue | typeof UNREAD | typeof MISSING> {
    const input = this.#input;
    if (first === '<' && (yield* input.take(this.#markup.quote))) return yield* this.#string();
    if (first === '{') return yield* this.#object(schema);
    if (first === '[') return yield* this.#list(schema);
    if (isQuote(first)) return yield* this.#quoted();
    const bare = yield* this.#bare(within, isAnyKey);
    if (bare === UNREAD) return UNREAD;
    if (bare.text === '') return this.#missing();
    if (schema === undefined) return bare.literal;
    const root = input.context.tools?.parametersOf(this.#draft.name);
    return isStringOnly(schema, root) ? bare.text : bare.literal;
  }

  *#object(schema: JsonValue | undefined): Script<JsonObject | typeof UNREAD> {
    const object: Record<string, JsonValue> = {};
    this.#input.skip(1);
    const isWhole = yield* this.#members((key) => this.#member(object, key, schema));
    return isWhole ? object : UNREAD;
  }

  *#member(
    object: Record<string, JsonValue>,
    key: string,
    schema: JsonValue | undefined,
  ): Script<boolean> {
    const properties = isJsonObject(schema) ? schema['properties'] : undefined;
    const isKnown = isJsonObject(properties) && Object.hasOwn(properties, key);
    const part = isKnown ? properties[key] : undefined;
    const value = yield* this.#value(part, 'object', yield* this.#next());
    if (value === UNREAD) return false;
    if (value !== MISSING) setOwn(object, key, value);
    return true;
  }

  *#list(schema: JsonValue | undefined): Script<readonly JsonValue[] | typeof UNREAD> {
    const input = this.#input;
    const items: JsonValue[] = [];
    const part = isJsonObject(schema) ? schema['items'] : undefined;
    if (!this.#open(']')) return UNREAD;
    input.skip(1);
    // Whether an item may come next, and whether there was a comma before it.
    for (let isDue = true, hasComma = false; ; isDue = hasComma) {
      const next = yield* this.#next();
      if (next === '') return this.#cut();
      if (next === ']') {
        if (hasComma) this.#draft.note('trailing-comma');
        input.skip(1);
        break;
      }
      const isUnclosed = !isDue && next === '}';
      if (isUnclosed || (next === '<' && (yield* input.startsWith(this.#markup.end)))) {
        this.#draft.note('missing-brace');
        break;
      }
      if (!isDue) return this.#fail('a list has no comma between its items');
      const value = yield* this.#value(part, 'list', next);
      if (value === UNREAD) return UNREAD;
      if (value !== MISSING) items.push(value);
      if (this.endsAt !== undefined) break;
      hasComma = (yield* this.#next()) === ',';
      if (hasComma) input.skip(1);
    }
    this.#closers = this.#closers.slice(1);
    return items;
  }

  /** A string up to its quote. The end marker in it is text, unless the quote was forgotten. */
  *#string(onPiece: (piece: string) => void = ignore): Script<string | typeof UNREAD> {
    const input = this.#input;
    const { end, quote, quotes, inString } = this.#markup;
    const tail = new HeldTail(onPiece);
    let before = yield* input.until(inString, (piece) => tail.add(piece));
    let text = before.text;
    while (before.marker === end) {
      input.skip(end.length);
      const endsAt = input.offset;
      const rest = yield* input.until(quotes);
      // Behind a string that lost its quote, the next quote begins another.
      const isLost = rest.marker === undefined || /[:=[,{]\s*$/.test(rest.text.slice(-LOOK_AHEAD));
      if (isLost && /[}\]]\s*$/.test(text.slice(-LOOK_AHEAD))) {
        this.#draft.note('missing-quote');
        this.#draft.markLossy();
        this.endsAt = endsAt;
        const kept = withoutClosers(text, this.#closers);
        tail.finish(kept.length);
        return kept;
      }
      tail.add(end + rest.text);
      text += end + rest.text;
      before = rest;
    }
    if (before.marker === undefined) return this.#cut();
    input.skip(quote.length);
    tail.finish(text.length);
    return text;
  }

  /** A string in ordinary quotes. */
  *#quoted(): Script<string | typeof UNREAD> {
    const read = yield* readQuotedText(this.#input, this.#markup);
    if (read === 'cut') return this.#cut();
    if (read === 'broken') return this.#fail('a string has no end');
    this.#draft.note(read.repair);
    if (read.isRaw) this.#draft.note('bad-escape');
    return read.text;
  }

  /** A value without quotes: a number, a word, or text whose quotes were forgotten. */
  *#bare(within: 'object' | 'list', isKey: IsKey): Script<BareValue | typeof UNREAD> {
    const input = this.#input;
    const { begin, inObject, inList } = this.#markup;
    let text = '';
    for (;;) {
      const part = yield* input.until(within === 'list' ? inList : inObject);
      text += part.text;
      if (part.marker === undefined) return this.#cut();
      if (part.marker === begin) return this.#fail('another call begins in a value');
      const literal = literalOf(text);
      const isText =
        within === 'object' &&
        literal === undefined &&
        ((part.marker === ',' && !(yield* this.#endsMember(isKey))) ||
          (part.marker === '}' && !(yield* this.#endsObject())));
      if (!isText)
        return literal === undefined ? this.#unquoted(text.trim()) : { text: text.trim(), literal };
      text += part.marker;
      input.skip(1);
    }
  }

  /** A text without quotes, or with the second of them only. */
  #unquoted(text: string): BareValue {
    const { quote } = this.#markup;
    const isHalf = text.endsWith(quote);
    this.#draft.note(isHalf ? 'missing-quote' : 'unquoted-value');
    const literal = isHalf ? text.slice(0, -quote.length) : text;
    if (hasStrayBrackets(literal)) this.#draft.markLossy();
    return { text: literal, literal };
  }

  /** Whether the comma that comes next stands before another member. */
  *#endsMember(isKey: IsKey): Script<boolean> {
    const ahead = (yield* this.#input.peek(LOOK_AHEAD)).slice(1).trimStart();
    if (ahead === '' || ahead.startsWith('}') || ahead.startsWith(this.#markup.quote)) return true;
    const key = /^["'`]?([\w.$-]+)["'`]?\s*[:=]/.exec(ahead)?.[1];
    return key !== undefined && isKey(key);
  }

  /** Whether the brace that comes next ends the object, rather than being text. */
  *#endsObject(): Script<boolean> {
    const ahead = (yield* this.#input.peek(LOOK_AHEAD)).slice(1).trimStart();
    const { begin, end } = this.#markup;
    if (ahead === '' || [begin, end, 'call:'].some((next) => ahead.startsWith(next))) return true;
    return this.#closers.length > 1 && /^[,}\]]/.test(ahead);
  }

  #open(closer: string): boolean {
    if (this.#closers.length >= this.#input.context.maxDepth) {
      this.#input.isTooDeep = true;
      this.failure = `it is nested more than ${this.#input.context.maxDepth} deep`;
      return false;
    }
    this.#closers = [closer, ...this.#closers];
    return true;
  }

  #missing(): typeof MISSING {
    this.#draft.note('missing-value');
    this.#draft.markLossy();
    return MISSING;
  }

  #fail(reason: string): typeof UNREAD {
    this.failure = reason;
    return UNREAD;
  }

  #cut(): typeof UNREAD {
    this.isCut = true;
    return UNREAD;
  }
}

/** A value without quotes, and what it is where no schema says. */
interface BareValue {
  readonly text: string;
  readonly literal: JsonValue;
}

type IsKey = (key: string) => boolean;

const isAnyKey: IsKey = () => true;

function ignore(): void {
  // Nobody is told.
}

function isQuote(character: string): boolean {
  return character === '"' || character === "'" || character === '`';
}

/** The number or word that a text is; '' when it is nothing, undefined when it is text. */
function literalOf(text: string): JsonValue | undefined {
  // No number is longer, and a long text must not be looked at again at each of its commas.
  if (text.length > LONGEST_LITERAL) return undefined;
  const literal = readLiteral(text);
  if (typeof literal !== 'string') return literal;
  return literal.trim() === '' ? '' : undefined;
}

function isKeyCharacter(code: number): boolean {
  // Not `: = , { } [ ] <` and no line break, which no key has and any value may.
  return !(
    code === 0x3a ||
    code === 0x3d ||
    code === 0x2c ||
    code === 0x7b ||
    code === 0x7d ||
    code === 0x5b ||
    code === 0x5d ||
    code === 0x3c ||
    code === 0x0a
  );
}

/** The text of a string that ran on to the end of its block, without the brackets that closed the block. */
function withoutClosers(text: string, closers: readonly string[]): string {
  let end = text.length;
  for (const closer of closers) {
    let at = end;
    while (at > 0 && isSpace(text.charCodeAt(at - 1))) at--;
    if (text.charAt(at - 1) !== closer) break;
    end = at - 1;
  }
  return text.slice(0, end);
}
