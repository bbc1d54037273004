import type { JsonObject, JsonValue } from '../types.ts';
import { keepDigit, keptDigits, parseExactJson, writeExactJson } from './exact-json.ts';
import { skipJsonSpace } from './json-source.ts';
import { isList } from './schema-walk.ts';
import { setOwn } from './set-own.ts';

/** How many characters are read or written in one step. */
const STEP = 65_536;

/**
 * Parses JSON as `parseExactJson` does, in steps of about a millisecond, so that other work can run between them. What
 * is no JSON throws a `SyntaxError`.
 */
export function* parseExactJsonInSteps(
  text: string,
  step: number = STEP,
): Generator<undefined, JsonValue, undefined> {
  const reader = new StepReader(text, step);
  const value = yield* reader.value();
  reader.end();
  return value;
}

/** Writes a JSON value as `writeExactJson` does, piece by piece. */
export function* writeExactJsonInSteps(
  value: JsonValue,
  step: number = STEP,
): Generator<string, void, undefined> {
  let pending = '';
  for (const piece of piecesOf(value, step)) {
    pending += piece;
    if (pending.length < step) continue;
    yield pending;
    pending = '';
  }
  yield pending;
}

class StepReader {
  readonly #text: string;
  readonly #step: number;
  #at = 0;

  constructor(text: string, step: number) {
    this.#text = text;
    this.#step = step;
  }

  /** What follows: read at once if it is short, otherwise member by member. */
  *value(): Generator<undefined, JsonValue, undefined> {
    this.#space();
    const at = this.#at;
    const end = endWithin(this.#text, at, at + this.#step);
    if (end >= 0) {
      this.#at = end;
      return this.#parse(this.#text.slice(at, end), at);
    }
    yield;
    switch (this.#text[at]) {
      case '"':
        return yield* this.#string();
      case '[':
        return yield* this.#list();
      case '{':
        return yield* this.#object();
      default:
        return this.#word(at);
    }
  }

  end(): void {
    this.#space();
    if (this.#at < this.#text.length) throw this.#invalid(this.#at);
  }

  /** A number that is longer than a step. */
  #word(at: number): JsonValue {
    let end = at;
    while (end < this.#text.length && !WORD_ENDS.includes(this.#text.charAt(end))) end++;
    if (end === at) throw this.#invalid(at);
    this.#at = end;
    return this.#parse(this.#text.slice(at, end), at);
  }

  *#string(): Generator<undefined, string, undefined> {
    let read = '';
    for (let from = this.#at + 1; ; yield) {
      const end = endOfPiece(this.#text, from, from + this.#step);
      read += this.#parse(`"${this.#text.slice(from, end)}"`, from) as string;
      from = end;
      if (this.#text[end] !== '"') {
        if (end >= this.#text.length) throw this.#invalid(end);
        continue;
      }
      this.#at = end + 1;
      return read;
    }
  }

  *#list(): Generator<undefined, JsonValue[], undefined> {
    const list: JsonValue[] = [];
    this.#at++;
    for (let isFirst = true; ; isFirst = false) {
      this.#space();
      const run = this.#run();
      if (run === undefined) {
        const from = this.#at;
        const item = yield* this.value();
        keepDigit(list, String(list.length), this.#digitsOf(item, from));
        list.push(item);
      } else if (run.trim() !== '' || !isFirst) {
        const items = this.#parse(`[${run}]`, this.#at) as JsonValue[];
        if (items.length === 0) throw this.#invalid(this.#at);
        for (const [index, item] of items.entries()) {
          keepDigit(list, String(list.length), keptDigits(items, String(index)));
          list.push(item);
        }
      }
      if (this.#closes(']')) return list;
      yield;
    }
  }

  *#object(): Generator<undefined, JsonObject, undefined> {
    const object: Record<string, JsonValue> = {};
    this.#at++;
    for (let isFirst = true; ; isFirst = false) {
      this.#space();
      const run = this.#run();
      if (run === undefined) {
        const key = yield* this.value();
        this.#space();
        if (typeof key !== 'string' || this.#text[this.#at] !== ':') throw this.#invalid(this.#at);
        const from = ++this.#at;
        const member = yield* this.value();
        setOwn(object, key, member);
        keepDigit(object, key, this.#digitsOf(member, from));
      } else if (run.trim() !== '' || !isFirst) {
        const members = this.#parse(`{${run}}`, this.#at) as JsonObject;
        const entries = Object.entries(members);
        if (entries.length === 0) throw this.#invalid(this.#at);
        for (const [key, member] of entries) {
          setOwn(object, key, member);
          keepDigit(object, key, keptDigits(members, key));
        }
      }
      if (this.#closes('}')) return object;
      yield;
    }
  }

  /** The digits of a value that was read from `from` on, if it is a number that a double cannot hold. */
  #digitsOf(value: JsonValue, from: number): string | undefined {
    if (typeof value !== 'number') return undefined;
    const list = this.#parse(`[${this.#text.slice(from, this.#at)}]`, from) as JsonValue[];
    return keptDigits(list, '0');
  }

  /** The members of a container that end within a step, without the comma after them; undefined if none does. */
  #run(): string | undefined {
    const text = this.#text;
    const from = this.#at;
    let last = -1;
    let at = skipJsonSpace(text, from);
    for (; at < from + this.#step && at < text.length; at++) {
      const char = text[at];
      if (char === ',') last = at;
      else if (char === ']' || char === '}') {
        last = at;
        break;
      } else {
        const end = endWithin(text, at, from + this.#step);
        if (end < 0) break;
        at = end - 1;
      }
    }
    if (last < 0) return undefined;
    this.#at = last;
    return text.slice(from, last);
  }

  /** Whether the container ends here; if not, a comma has to follow. */
  #closes(end: string): boolean {
    this.#space();
    const char = this.#text[this.#at];
    if (char !== end && char !== ',') throw this.#invalid(this.#at);
    this.#at++;
    return char === end;
  }

  #space(): void {
    this.#at = skipJsonSpace(this.#text, this.#at);
  }

  #parse(json: string, at: number): JsonValue {
    try {
      return parseExactJson(json);
    } catch {
      throw this.#invalid(at, at + json.length);
    }
  }

  #invalid(from: number, to = from): SyntaxError {
    const where = to > from ? `between characters ${from} and ${to}` : `at character ${from}`;
    return new SyntaxError(`invalid JSON ${where}`);
  }
}

/** Where the value or word ends that begins at `at`, if that is before `limit`; otherwise -1. */
function endWithin(text: string, at: number, limit: number): number {
  const most = Math.min(limit, text.length);
  let depth = 0;
  for (let next = at; next < most; next++) {
    const code = text.charCodeAt(next);
    if (code === QUOTE) {
      next = endOfPiece(text, next + 1, most);
      if (next >= most) return -1;
    } else if (code === 0x5b || code === 0x7b) depth++;
    else if (code === 0x5d || code === 0x7d) depth--;
    else if (depth === 0) {
      // A word or a number goes on; what follows it does not belong to it.
      if (isPartOfWord(code)) continue;
      return next > at ? next : next + 1;
    }
    if (depth > 0) continue;
    if (depth < 0) return next > at ? next : next + 1;
    if (code === QUOTE || code === 0x5d || code === 0x7d) return next + 1;
  }
  return text.length <= limit ? text.length : -1;
}

function isPartOfWord(code: number): boolean {
  return code > 0x20 && code !== 0x2c && code !== 0x3a;
}

/** The closing quote of a string, or the first place from `limit` on where no escape sequence is split. */
function endOfPiece(text: string, from: number, limit: number): number {
  let at = from;
  while (at < limit && at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code !== BACKSLASH) at++;
    else at += text[at + 1] === 'u' ? 6 : 2;
  }
  return Math.min(at, text.length);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const WORD_ENDS = ',]}:" \t\r\n';

/** Short pieces of the JSON of a value. */
function* piecesOf(value: JsonValue, step: number): Generator<string, void, undefined> {
  if (typeof value === 'string' && value.length > step) yield* piecesOfText(value, step);
  else if (typeof value !== 'object' || value === null || isShort(value, step))
    yield writeExactJson(value);
  else if (isList(value)) {
    let before = '[';
    for (const [index, item] of value.entries()) {
      yield before;
      yield* piecesOfMember(value, String(index), item, step);
      before = ',';
    }
    yield before === '[' ? '[]' : ']';
  } else {
    let before = '{';
    for (const [key, member] of Object.entries<JsonValue | undefined>(value)) {
      if (member === undefined) continue;
      yield `${before}${JSON.stringify(key)}:`;
      yield* piecesOfMember(value, key, member, step);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  }
}

function* piecesOfMember(
  holder: JsonObject | readonly JsonValue[],
  key: string,
  member: JsonValue,
  step: number,
): Generator<string, void, undefined> {
  const digits = keptDigits(holder, key);
  if (digits === undefined) yield* piecesOf(member, step);
  else yield digits;
}

function* piecesOfText(text: string, step: number): Generator<string, void, undefined> {
  yield '"';
  for (let from = 0; from < text.length;) {
    let end = Math.min(from + step, text.length);
    // Half of a surrogate pair would be written as an escape sequence.
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++;
    yield JSON.stringify(text.slice(from, end)).slice(1, -1);
    from = end;
  }
  yield '"';
}

/** Whether a value can be written in one step. Looks at no more of it than a step holds. */
function isShort(value: JsonValue, step: number): boolean {
  return roomAfter(value, step) > 0;
}

function roomAfter(value: JsonValue, room: number): number {
  if (typeof value === 'string') return room - value.length;
  if (typeof value !== 'object' || value === null) return room - 8;
  let left = room - 8;
  if (isList(value)) {
    for (const item of value) {
      if (left <= 0) return left;
      left = roomAfter(item, left);
    }
    return left;
  }
  for (const key in value) {
    if (left <= 0) return left;
    left = roomAfter(value[key] ?? null, left - key.length);
  }
  return left;
}
