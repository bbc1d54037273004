import type { JsonValue, Repair } from '../../types.ts';
import { holdsUnsafeNumber, quoteLostNumbers } from '../../internal/schema-text.ts';
import { isJsonObject, NAME_KEYS, ownKey } from '../call-keys.ts';
import { checkText } from '../check-text.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import {
  COMMA,
  DOUBLE_QUOTE,
  isQuote,
  isSpace,
  OPEN_BRACE,
  SEMICOLON,
  skipSpace,
} from './char-code.ts';
import { JsonReader } from './json-reader.ts';
import { isCloser } from './string-end.ts';
import { checkParseJsonOptions, NO_JSON_OPTIONS } from './parse-json-options.ts';
import type { ParseJsonOptions } from './parse-json-options.ts';
import { parseBracketed, parseStrict } from './parse-strict.ts';
import { unwrapCall } from './unwrap-call.ts';

/** The value of a text with what was mended in it, or why there is none. */
export type ParseJsonResult =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      readonly repairs: readonly Repair[];
      /** False when the text ended before the value did. */
      readonly complete: boolean;
      /** True when a repair may have lost or guessed content. */
      readonly lossy: boolean;
    }
  | { readonly ok: false; readonly message: string };

interface Found {
  value: JsonValue;
  repairs: Repair[];
  complete: boolean;
  lossy: boolean;
  start: number;
  end: number;
}

/**
 * Reads JSON as models write it. What `JSON.parse` accepts is returned as `JSON.parse` returns it; anything
 * else is mended, and `repairs` lists how. Text around the value and a Markdown fence are passed over.
 */
export function parseJson(
  text: string,
  options: ParseJsonOptions = NO_JSON_OPTIONS,
): ParseJsonResult {
  checkText(text);
  checkParseJsonOptions(options);
  const maxDepth = options.maxDepth ?? DEFAULT_LIMITS.maxDepth;
  const expectsCall = options.expect === 'call';
  const strict = parseStrict(text, maxDepth);
  if (strict === 'too-deep')
    return { ok: false, message: `it is nested more than ${maxDepth} deep` };
  if (strict !== 'invalid') {
    const found: Found = {
      value: strict.value,
      repairs: [],
      complete: true,
      lossy: false,
      start: 0,
      end: text.length,
    };
    return result(found, expectsCall, maxDepth);
  }
  const search = new Search(text, maxDepth, expectsCall);
  const found = search.run();
  return found === undefined
    ? { ok: false, message: `expected a JSON value, but ${search.firstFailure}` }
    : result(found, expectsCall, maxDepth);
}

function result(found: Found, expectsCall: boolean, maxDepth: number): ParseJsonResult {
  const { complete, lossy } = found;
  if (!expectsCall)
    return { ok: true, value: found.value, repairs: found.repairs, complete, lossy };
  const unwrapped = unwrapCall(found.value, maxDepth);
  const repairs = unwrapped.repairs.filter((repair) => !found.repairs.includes(repair));
  return {
    ok: true,
    value: unwrapped.value,
    repairs: [...found.repairs, ...repairs],
    complete: complete && unwrapped.complete,
    lossy: lossy || unwrapped.lossy,
  };
}

/** How many characters may be read again per character of text before the search gives up. */
const REREADS = 8;
/** What beginning to read costs, in characters. */
const ATTEMPT_COST = 64;
/** From here on it is worth a look forward to save one backward. */
const LONG_TEXT = 4096;

/** Finds the value in text that is not all JSON. */
class Search {
  firstFailure = 'the text holds none';
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #expectsCall: boolean;
  #work = 0;
  #isTooDeep = false;
  #triedNatively = false;
  /** Brackets that could not be read: counted up to here, and how many of them are open there. */
  #countedTo = -1;
  #openBrackets = 0;

  constructor(text: string, maxDepth: number, expectsCall: boolean) {
    this.#text = text;
    this.#maxDepth = maxDepth;
    this.#expectsCall = expectsCall;
  }

  run(): Found | undefined {
    const amidProse = this.#readAmidProse();
    if (amidProse !== undefined) return amidProse;
    const from = skipSpace(this.#text, afterReasoning(this.#text));
    const found = this.#search(from);
    if (found === undefined) return undefined;
    const before = this.#text.slice(from, found.start).trim();
    const around = repairsAround(before, this.#text.slice(found.end).trim());
    for (const repair of around) note(found, repair);
    return found;
  }

  /** Valid JSON with nothing but prose around it: by far the most common. */
  #readAmidProse(): Found | undefined {
    const text = this.#text;
    const start = firstBracket(text);
    if (start < 0) return undefined;
    const head = text.slice(0, start);
    const before = head.slice(afterReasoning(head)).trim();
    if (beginsString(before.charCodeAt(0))) return undefined;
    const native = this.#readNatively(start);
    if (native === undefined) return undefined;
    const after = text.slice(native.end).trim();
    if (goesOn(after) || afterReasoning(after) > 0) return undefined;
    const around = repairsAround(before, after);
    if (native.repairs.length === 0) native.repairs = around;
    else native.repairs.push(...around);
    return native;
  }

  #search(from: number): Found | undefined {
    const text = this.#text;
    // Anything may stand at the very start; further on only brackets begin a value.
    const atStart = beginsString(text.charCodeAt(from)) ? this.#readAt(from) : undefined;
    if (
      atStart !== undefined &&
      (typeof atStart.value !== 'string' || skipSpace(text, atStart.end) === text.length)
    ) {
      return this.#withRest(atStart);
    }
    let fallback: Found | undefined;
    const brackets = new OpeningBrackets(text);
    for (let at = brackets.next(from); at >= 0 && this.#hasWorkLeft;) {
      const found = this.#readAt(at);
      if (found === undefined) {
        // What is nested too deep is refused; a part of it would be another answer.
        if (this.#isTooDeep) return undefined;
        if (this.#isOutside(at)) this.#beginUnread(at);
        at = brackets.next(at + 1);
        continue;
      }
      const whole = this.#withRest(found);
      if (this.#expectsCall && namesTool(whole.value)) return whole;
      // Inside brackets that could not be read it is a part, and a part is another answer than the whole.
      const isPart = !this.#isOutside(at);
      if (!isPart && !this.#expectsCall) return whole;
      if (!isPart) fallback ??= whole;
      at = brackets.next(whole.end);
    }
    return fallback;
  }

  /** Valid JSON with prose around it reaches to the last bracket of the text: that is tried once, natively. */
  #readNatively(start: number): Found | undefined {
    const closer = this.#text.charCodeAt(start) === OPEN_BRACE ? '}' : ']';
    if (this.#triedNatively || this.#text.charCodeAt(start) === DOUBLE_QUOTE) return undefined;
    this.#triedNatively = true;
    // Searching backward is far slower than forward, which shows in a long text that closes nothing.
    const mayClose = this.#text.length < LONG_TEXT || this.#text.includes(closer, start);
    const end = mayClose ? this.#text.lastIndexOf(closer) + 1 : 0;
    const strict =
      end > start ? parseBracketed(this.#text.slice(start, end), this.#maxDepth) : 'invalid';
    if (typeof strict === 'string') return undefined;
    return keepDigits(this.#text, {
      value: strict.value,
      repairs: [],
      complete: true,
      lossy: false,
      start,
      end,
    });
  }

  get #hasWorkLeft(): boolean {
    return this.#work <= this.#text.length * REREADS + 4096;
  }

  #beginUnread(at: number): void {
    this.#countedTo = at;
    this.#openBrackets = 0;
  }

  /** Whether `at` lies behind the closing brackets of everything that could not be read before it. */
  #isOutside(at: number): boolean {
    if (this.#countedTo < 0) return true;
    for (; this.#countedTo < at; this.#countedTo++) {
      const char = this.#text.charAt(this.#countedTo);
      if (char === '{' || char === '[') this.#openBrackets++;
      else if (char === '}' || char === ']') this.#openBrackets--;
    }
    return this.#openBrackets <= 0;
  }

  #readAt(start: number): Found | undefined {
    const native = this.#readNatively(start);
    if (native !== undefined) return native;
    const reader = new JsonReader({ maxDepth: this.#maxDepth });
    let status = reader.read(this.#text, start);
    if (status === 'more') status = reader.end();
    this.#work += status === 'failed' ? reader.failedAt + ATTEMPT_COST : 0;
    if (status === 'failed') {
      this.#isTooDeep = reader.tooDeep;
      if (this.firstFailure === 'the text holds none') this.firstFailure = reader.failure;
      return undefined;
    }
    const { value, repairs, complete, lossy } = reader;
    if (value === undefined) return undefined;
    const end = start + reader.endOffset;
    const found = { value, repairs: [...repairs], complete, lossy, start, end };
    return reader.isValid ? keepDigits(this.#text, found) : found;
  }

  /** `{"name": "f"}, "arguments": {…}}`: the brace came too early, and the members behind it belong to the object. */
  #withMembersBehind(first: Found): Found {
    const comma = skipSpace(this.#text, first.end);
    const start = skipSpace(this.#text, comma + 1);
    const isMember = this.#text.charAt(comma) === ',' && isQuote(this.#text.charCodeAt(start));
    const behind = isMember && isJsonObject(first.value) ? this.#readAt(start) : undefined;
    const isBehind = behind?.repairs.includes('missing-outer-braces') === true;
    if (behind !== undefined && !isBehind) this.#work += behind.end - start + ATTEMPT_COST;
    if (!isBehind || !isJsonObject(behind.value) || !isJsonObject(first.value)) return { ...first };
    const repairs = behind.repairs.filter((repair) => repair !== 'missing-outer-braces');
    return {
      ...behind,
      start: first.start,
      value: { ...first.value, ...behind.value },
      repairs: [...new Set<Repair>([...first.repairs, 'extra-brace', ...repairs])],
      lossy: true,
    };
  }

  /** Takes in what follows a value: brackets too many, a fence, or more values right behind it. */
  #withRest(first: Found): Found {
    const text = this.#text;
    const found = this.#withMembersBehind(first);
    const all: JsonValue[] = [found.value];
    for (;;) {
      const { next, closers } = skipBetween(text, found.end);
      if (closers > 0) note(found, 'extra-brace');
      const more =
        isBracket(text.charCodeAt(next)) && found.complete ? this.#readAt(next) : undefined;
      if (more === undefined) {
        found.end = next;
        break;
      }
      all.push(more.value);
      for (const repair of more.repairs) note(found, repair);
      found.complete = more.complete;
      found.lossy ||= more.lossy;
      found.end = more.end;
    }
    if (all.length > 1) {
      note(found, 'concatenated');
      found.value = all.flat<JsonValue[]>();
    }
    return found;
  }
}

/** What stands amid other text cannot be taken for its own text: the value itself has to hold all digits. */
function keepDigits(text: string, found: Found): Found {
  if (!holdsUnsafeNumber(found.value)) return found;
  const json = text.slice(found.start, found.end);
  const quoted = quoteLostNumbers(json);
  if (quoted === json) return found;
  const strict = parseStrict(quoted, Infinity);
  return typeof strict === 'string'
    ? found
    : { ...found, value: strict.value, repairs: ['number'] };
}

/** Whether separators, brackets too many or more values follow a value. */
function goesOn(after: string): boolean {
  const code = after.charCodeAt(0);
  if (code === COMMA || code === SEMICOLON || isCloser(code)) return true;
  return after.includes('{') || after.includes('[');
}

/** What was passed over around a value. */
function repairsAround(before: string, after: string): Repair[] {
  const isFenced = before.includes('```') && isFence(before.slice(before.lastIndexOf('\n') + 1));
  const isInText = !isOnlyFence(before) || !isOnlyFence(after);
  if (isFenced) return isInText ? ['code-fence', 'surrounding-text'] : ['code-fence'];
  return isInText ? ['surrounding-text'] : [];
}

function note(found: Found, repair: Repair): void {
  if (!found.repairs.includes(repair)) found.repairs.push(repair);
}

function isOnlyFence(text: string): boolean {
  return text === '' || isFence(text);
}

function isFence(text: string): boolean {
  return text.startsWith('```') && /^```\w*$/.test(text);
}

const REASONING_ENDS = ['</think>', '</thinking>', '</reasoning>'];

/** The end of the last reasoning block: an example inside it is not the answer. */
function afterReasoning(text: string): number {
  let end = 0;
  if (!text.includes('</')) return end;
  for (const tag of REASONING_ENDS) {
    // Forward first: most texts hold none.
    const at = text.includes(tag) ? text.lastIndexOf(tag) : -1;
    if (at >= 0) end = Math.max(end, at + tag.length);
  }
  return end;
}

function beginsString(code: number): boolean {
  return isQuote(code) || code === 0x5c || code === 0x26;
}

/** Where the first bracket opens, or -1. */
function firstBracket(text: string): number {
  const brace = text.indexOf('{');
  const bracket = (brace < 0 ? text : text.slice(0, brace)).indexOf('[');
  return bracket < 0 ? brace : bracket;
}

/** So that no index is behind it. */
const NONE = Number.POSITIVE_INFINITY;

/**
 * Finds brackets that open, further on each time. What was found stays found: many of one kind do not search the
 * rest of the text for the other each time.
 */
class OpeningBrackets {
  readonly #text: string;
  #brace = -1;
  #bracket = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next at or behind `from`, or -1. */
  next(from: number): number {
    if (this.#brace < from) this.#brace = indexFrom(this.#text, '{', from);
    if (this.#bracket < from) this.#bracket = indexFrom(this.#text, '[', from);
    const next = Math.min(this.#brace, this.#bracket);
    return next === NONE ? -1 : next;
  }
}

function indexFrom(text: string, bracket: string, from: number): number {
  const at = text.indexOf(bracket, from);
  return at < 0 ? NONE : at;
}

function isBracket(code: number): boolean {
  return code === 0x7b || code === 0x5b;
}

/** Skips space, separators and closing brackets between two values. */
function skipBetween(text: string, from: number): { next: number; closers: number } {
  let closers = 0;
  let next = from;
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '}' || char === ']') {
      closers++;
      next = at + 1;
    } else if (char !== ',' && char !== ';' && !isSpace(text.charCodeAt(at))) {
      if (char === '{' || char === '[') next = at;
      break;
    }
  }
  return { next, closers };
}

function namesTool(value: JsonValue): boolean {
  const first = Array.isArray(value) ? (value as readonly JsonValue[])[0] : value;
  return first !== undefined && isJsonObject(first) && ownKey(first, NAME_KEYS) !== undefined;
}
