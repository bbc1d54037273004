import { coerceValue, isStringOnly } from '../../internal/schema-values.ts';
import { readLiteral } from '../../internal/schema-text.ts';
import type { JsonObject, JsonValue } from '../../types.ts';
import { isJsonObject } from '../call-keys.ts';
import { isSpace } from '../json/char-code.ts';
import { setOwn } from '../json/set-own.ts';
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

/** It could not be read: see `failure` and `isCut`. */
const UNREAD: unique symbol = Symbol('unread');

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
    if (yield* this.#input.take(this.#markup.quote)) {
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
    const next = yield* this.#input.peek(1);
    if (next !== '{' && next !== '[' && !isQuote(next)) {
      const text = yield* this.#bare('object', isKey);
      if (text === UNREAD) return false;
      if (text === '') this.#noteMissing();
      else this.#draft.set(key, parameterValue(context, tool, key, text, 'literal'));
      return true;
    }
    const value = yield* this.#value(schema, 'object');
    if (value === UNREAD) return false;
    this.#draft.set(key, coerceValue(value, schema, context.tools?.parametersOf(tool)).value);
    return true;
  }

  /** Members up to the closing brace. `readMember` reads the value of a key. */
  *#members(readMember: (key: string) => Script<boolean>): Script<boolean> {
    const input = this.#input;
    if (!this.#open('}')) return false;
    for (let isFirst = true; ; isFirst = false) {
      yield* input.skipSpace();
      const hasComma = !isFirst && (yield* input.take(','));
      yield* input.skipSpace();
      if (yield* input.take('}')) {
        if (hasComma) this.#draft.note('trailing-comma');
        break;
      }
      if (yield* input.startsWith(this.#markup.end)) {
        this.#draft.note('missing-brace');
        break;
      }
      if (yield* input.isAtEnd()) {
        this.#cut();
        return false;
      }
      if (!isFirst && !hasComma) this.#draft.note('missing-comma');
      const key = yield* this.#key();
      if (key === UNREAD) return false;
      yield* input.skipSpace();
      if (yield* input.isAtEnd()) {
        this.#cut();
        return false;
      }
      if (!(yield* readMember(key))) return false;
      if (this.endsAt !== undefined) break;
    }
    this.#closers = this.#closers.slice(1);
    return true;
  }

  *#key(): Script<string | typeof UNREAD> {
    const input = this.#input;
    let key: string;
    if (yield* input.take(this.#markup.quote)) {
      const { text, marker } = yield* input.until(this.#markup.quotes);
      if (marker === undefined) return this.#fail('a key has no end');
      input.skip(marker.length);
      key = text;
    } else {
      const written = (yield* input.takeWhile(isKeyCharacter, LONGEST_KEY)).trim();
      const quoted = /^(["'`])(.*)\1$/.exec(written);
      if (quoted !== null) this.#draft.note(quoted[1] === "'" ? 'single-quotes' : 'odd-quotes');
      key = quoted?.[2] ?? written;
      if (key === '') return this.#fail('a key is missing');
    }
    yield* input.skipSpace();
    if (yield* input.take(':')) return key;
    if (yield* input.isAtEnd()) return this.#cut();
    if (!(yield* input.take('='))) return this.#fail(`no value follows ${JSON.stringify(key)}`);
    this.#draft.note('wrong-separator');
    return key;
  }

  *#value(
    schema: JsonValue | undefined,
    within: 'object' | 'list',
  ): Script<JsonValue | typeof UNREAD> {
    const input = this.#input;
    if (yield* input.take(this.#markup.quote)) return yield* this.#string();
    const next = yield* input.peek(1);
    if (next === '{') return yield* this.#object(schema);
    if (next === '[') return yield* this.#list(schema);
    if (isQuote(next)) return yield* this.#quoted();
    const text = yield* this.#bare(within, isAnyKey);
    if (text === UNREAD) return UNREAD;
    if (text === '') {
      this.#noteMissing();
      return null;
    }
    const root = input.context.tools?.parametersOf(this.#draft.name);
    return schema !== undefined && isStringOnly(schema, root) ? text : readLiteral(text);
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
    const value = yield* this.#value(isKnown ? properties[key] : undefined, 'object');
    if (value !== UNREAD) setOwn(object, key, value);
    return value !== UNREAD;
  }

  *#list(schema: JsonValue | undefined): Script<readonly JsonValue[] | typeof UNREAD> {
    const input = this.#input;
    const items: JsonValue[] = [];
    const part = isJsonObject(schema) ? schema['items'] : undefined;
    if (!this.#open(']')) return UNREAD;
    input.skip(1);
    for (let hasComma = false; ;) {
      yield* input.skipSpace();
      if (yield* input.take(']')) {
        if (hasComma) this.#draft.note('trailing-comma');
        break;
      }
      const mayGoOn = items.length === 0 || hasComma;
      const isUnclosed = !mayGoOn && (yield* input.startsWith('}'));
      if (isUnclosed || (yield* input.startsWith(this.#markup.end))) {
        this.#draft.note('missing-brace');
        break;
      }
      if (yield* input.isAtEnd()) return this.#cut();
      if (!mayGoOn) return this.#fail('a list has no comma between its items');
      const value = yield* this.#value(part, 'list');
      if (value === UNREAD) return UNREAD;
      items.push(value);
      if (this.endsAt !== undefined) break;
      yield* input.skipSpace();
      hasComma = yield* input.take(',');
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
  *#bare(within: 'object' | 'list', isKey: IsKey): Script<string | typeof UNREAD> {
    const input = this.#input;
    const { begin, inObject, inList } = this.#markup;
    let text = '';
    for (;;) {
      const part = yield* input.until(within === 'list' ? inList : inObject);
      text += part.text;
      if (part.marker === undefined) return this.#cut();
      if (part.marker === begin) return this.#fail('another call begins in a value');
      const isLiteral = isLiteralText(text);
      const isText =
        within === 'object' &&
        !isLiteral &&
        ((part.marker === ',' && !(yield* this.#endsMember(isKey))) ||
          (part.marker === '}' && !(yield* this.#endsObject())));
      if (!isText) {
        if (!isLiteral) this.#draft.note('unquoted-value');
        return text.trim();
      }
      text += part.marker;
      input.skip(1);
    }
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

  #noteMissing(): void {
    this.#draft.note('missing-value');
    this.#draft.markLossy();
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

type IsKey = (key: string) => boolean;

const isAnyKey: IsKey = () => true;

function ignore(): void {
  // Nobody is told.
}

function isQuote(character: string): boolean {
  return character === '"' || character === "'" || character === '`';
}

/** Whether it is a number, a word of JSON or Python, or nothing. No number is longer. */
function isLiteralText(text: string): boolean {
  return text.length < 400 && (typeof readLiteral(text) !== 'string' || text.trim() === '');
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
