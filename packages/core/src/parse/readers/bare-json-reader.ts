import { withRepairs } from '../call-shape.ts';
import { EagerArguments } from '../eager-arguments.ts';
import type {
  CallReader,
  CallShape,
  EagerCall,
  RawCall,
  ReadContext,
  ReadStatus,
} from '../format.ts';
import { isQuote, skipSpace } from '../json/char-code.ts';
import { JsonReader } from '../json/json-reader.ts';
import { parseStrict } from '../json/parse-strict.ts';

export interface BareJsonOptions {
  /** Keys a call's first object may begin with: JSON that begins otherwise is let go at once. */
  readonly firstKeys: ReadonlySet<string>;
  /** Of those, the keys that only a call has: such JSON is reported when it cannot be read. */
  readonly tellingKeys: ReadonlySet<string>;
  /** Whether the JSON stands in a Markdown fence, which then belongs to the call. */
  readonly fenced: boolean;
  readonly shape: CallShape;
}

/** How much text may come before the first key is known. */
const HEAD_LIMIT = 120;

/** Reads JSON that stands in the text with no marker around it but, at most, a Markdown fence. */
export class BareJsonReader implements CallReader {
  calls: readonly RawCall[] = [];
  endOffset = 0;
  reason = '';
  resembledCall = false;
  cut = false;
  tooDeep = false;

  readonly #options: BareJsonOptions;
  readonly #context: ReadContext;
  /** The text until the JSON begins. */
  #head = '';
  #body = '';
  #jsonStart = -1;
  #json: JsonReader | undefined;
  #eager: EagerArguments | undefined;
  #isDone = false;

  constructor(options: BareJsonOptions, context: ReadContext) {
    this.#options = options;
    this.#context = context;
  }

  get eager(): EagerCall[] {
    return this.#eager?.calls ?? NONE;
  }

  read(text: string, from: number): ReadStatus {
    if (this.#json !== undefined) {
      const chunk = from === 0 ? text : text.slice(from);
      this.#body += chunk;
      return this.#isDone ? this.#readFence(false) : this.#readJson(chunk, false);
    }
    return this.#readHead(text, from, false);
  }

  end(): ReadStatus {
    if (this.#json === undefined) return this.#readHead('', 0, true);
    return this.#isDone ? this.#readFence(true) : this.#readJson('', true);
  }

  #readHead(text: string, from: number, ending: boolean): ReadStatus {
    const isFirst = this.#head === '';
    const seen = isFirst ? text : this.#head + text.slice(from);
    const start = isFirst ? from : 0;
    const head = findHead(seen, start, this.#options);
    if (head === 'no' || (head === 'unclear' && ending)) {
      return this.#decline('it begins like no call', 0);
    }
    if (head === 'unclear') {
      this.#head = isFirst ? seen.slice(start) : seen;
      return 'more';
    }
    this.resembledCall = this.#options.tellingKeys.has(head.key);
    this.#jsonStart = head.at - start;
    const fast = isFirst ? this.#readWhole(seen, start, head.at) : undefined;
    if (fast !== undefined) return fast;
    this.#body = seen.slice(start);
    this.#json = new JsonReader({ maxDepth: this.#context.maxDepth });
    this.#eager = new EagerArguments(this.#json);
    return this.#readJson(seen.slice(head.at), ending);
  }

  /** The JSON runs to the last bracket of the text, or to the closing fence, and is valid. */
  #readWhole(text: string, start: number, at: number): ReadStatus | undefined {
    const closer = text.charAt(at) === '{' ? '}' : ']';
    const fence = this.#options.fenced ? this.#context.find(text, '```', at) : -1;
    if (this.#options.fenced && fence < 0) return undefined;
    const end = this.#options.fenced ? fence : this.#context.findLast(text, closer) + 1;
    if (end <= at || !this.#context.mayTryWhole(text, end)) return undefined;
    const strict = parseStrict(text.slice(at, end), this.#context.maxDepth);
    if (strict === 'invalid') return undefined;
    this.endOffset = end - start + (this.#options.fenced ? 3 : 0);
    if (strict === 'too-deep') return this.#declineDepth();
    const calls = this.#options.shape(strict.value, this.#context.maxDepth);
    if (typeof calls === 'string') return this.#decline(calls, this.endOffset);
    this.calls = calls;
    return 'done';
  }

  #readJson(text: string, ending: boolean): ReadStatus {
    const json = this.#json;
    if (json === undefined) return 'declined';
    let status = json.read(text);
    if (status === 'more' && ending) status = json.end();
    if (status === 'failed') {
      this.tooDeep = json.tooDeep;
      return this.#decline(json.failure, this.#jsonStart + json.failedAt);
    }
    this.#eager?.passOn();
    if (status === 'more') return 'more';
    this.#isDone = true;
    this.endOffset = this.#jsonStart + json.endOffset;
    return this.#readFence(ending);
  }

  #readFence(ending: boolean): ReadStatus {
    const json = this.#json;
    if (json === undefined) return 'declined';
    if (this.#options.fenced) {
      const jsonEnd = this.#jsonStart + json.endOffset;
      const at = skipSpace(this.#body, jsonEnd);
      const isFence = this.#body.startsWith('```', at);
      if (!isFence && !ending && '```'.startsWith(this.#body.slice(at))) return 'more';
      if (!isFence && at < this.#body.length)
        return this.#decline('text follows the JSON in the fence', at);
      if (isFence) this.endOffset = at + 3;
    }
    return this.#finish(json);
  }

  #finish(json: JsonReader): ReadStatus {
    if (!json.complete && !this.#context.keepsIncomplete) {
      this.cut = true;
      return this.#decline('the text ends inside the call', this.endOffset);
    }
    const { maxDepth } = this.#context;
    const calls = this.#options.shape(json.value ?? null, maxDepth);
    if (typeof calls === 'string') return this.#decline(calls, this.endOffset);
    this.calls = calls.map((call, index) => {
      const read = withRepairs(call, json.repairs);
      const isCut = !json.complete && index === calls.length - 1;
      return json.lossy || isCut
        ? { ...read, lossy: json.lossy || read.lossy, complete: read.complete && !isCut }
        : read;
    });
    return 'done';
  }

  #decline(reason: string, at: number): ReadStatus {
    this.reason = reason;
    this.endOffset = at;
    return 'declined';
  }

  #declineDepth(): ReadStatus {
    this.tooDeep = true;
    return this.#decline(`it is nested more than ${this.#context.maxDepth} deep`, this.endOffset);
  }
}

/** Whether what stands at `at` begins like no call. */
export function declinesBareJson(text: string, at: number, options: BareJsonOptions): boolean {
  return findHead(text, at, options) === 'no';
}

const NONE: EagerCall[] = [];

interface Head {
  /** Where the JSON begins. */
  readonly at: number;
  /** Its first key, and where that ends. */
  readonly key: string;
  readonly keyEnd: number;
}

/** The beginning of the JSON, once its first key is known to be one a call can begin with. */
function findHead(text: string, from: number, options: BareJsonOptions): Head | 'no' | 'unclear' {
  const head = locateHead(text, from, options);
  // The limit counts from the opening, so that it falls in the same place however the text arrives.
  const reached = typeof head === 'object' ? head.keyEnd : head === 'unclear' ? text.length : from;
  return reached - from > HEAD_LIMIT ? 'no' : head;
}

function locateHead(text: string, from: number, options: BareJsonOptions): Head | 'no' | 'unclear' {
  let at = from;
  if (options.fenced) {
    while (at < text.length && isLanguageLetter(text.charCodeAt(at))) at++;
    const lineEnd = skipSpace(text, at);
    if (lineEnd >= text.length) return 'unclear';
    if (!text.slice(at, lineEnd).includes('\n')) return 'no';
    at = lineEnd;
  }
  const start = at;
  if (text.charAt(at) === '[') at = skipSpace(text, at + 1);
  if (at >= text.length) return 'unclear';
  if (text.charAt(at) !== '{') return 'no';
  at = skipSpace(text, at + 1);
  if (at >= text.length) return 'unclear';
  if (isQuote(text.charCodeAt(at))) at++;
  let end = at;
  while (end < text.length && isKeyLetter(text.charCodeAt(end))) end++;
  if (end >= text.length) return mayBecomeKey(text.slice(at), options.firstKeys) ? 'unclear' : 'no';
  const key = text.slice(at, end);
  return options.firstKeys.has(key) ? { at: start, key, keyEnd: end } : 'no';
}

function mayBecomeKey(prefix: string, keys: ReadonlySet<string>): boolean {
  for (const key of keys) if (key.startsWith(prefix)) return true;
  return false;
}

function isKeyLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || code === 0x5f;
}

function isLanguageLetter(code: number): boolean {
  return isKeyLetter(code) || code === 0x2d || (code >= 0x30 && code <= 0x39);
}
