import type { JsonValue, Repair } from '../../types.ts';
import { isJsonObject, NAME_KEYS, ownKey } from '../call-keys.ts';
import { readCalls, withRepairs } from '../call-shape.ts';
import { EagerArguments } from '../eager-arguments.ts';
import type {
  CallReader,
  CallShape,
  EagerCall,
  RawCall,
  ReadContext,
  ReadStatus,
} from '../format.ts';
import { isSpace } from '../json/char-code.ts';
import { JsonReader } from '../json/json-reader.ts';
import { parseStrict } from '../json/parse-strict.ts';

export interface JsonBodyOptions {
  /** What ends the block. */
  readonly endMarker: string;
  /** Other markers that models end it with by mistake. */
  readonly otherEndMarkers?: readonly string[];
  /** What begins the next block, where the end marker of this one was forgotten. */
  readonly nextOpening?: string;
  readonly shape?: CallShape;
  /** Whether the opening is common in prose and code: then only a name makes what follows look like a call. */
  readonly isWeak?: boolean;
}

type Phase = 'lead' | 'json' | 'tail' | 'finished';

/** Reads `… JSON … end marker`: one call, a list of calls, or several calls one after the other. */
export class JsonBodyReader implements CallReader {
  calls: readonly RawCall[] = [];
  endOffset = 0;
  reason = '';
  resembledCall = false;
  cut = false;
  tooDeep = false;

  readonly #options: JsonBodyOptions;
  readonly #context: ReadContext;
  readonly #values: JsonValue[] = [];
  readonly #repairs: Repair[] = [];
  /** The body so far; a string that grows by appending is flattened once, at the end. */
  #body = '';
  #phase: Phase = 'lead';
  #lossy = false;
  #complete = true;
  /** Text that waits for more, in the phases around the JSON. */
  #waiting = '';
  #json: JsonReader | undefined;
  #jsonStart = 0;
  #valueEnd = 0;
  #eager: EagerArguments | undefined;

  constructor(options: JsonBodyOptions, context: ReadContext) {
    this.#options = options;
    this.#context = context;
  }

  get eager(): EagerCall[] {
    return this.#eager?.calls ?? NONE;
  }

  read(text: string, from: number): ReadStatus {
    if (this.#body === '') {
      const fast = this.#readWhole(text, from);
      if (fast !== undefined) return fast;
    }
    const chunk = from === 0 ? text : text.slice(from);
    this.#body += chunk;
    return this.#advance(chunk, false);
  }

  end(): ReadStatus {
    return this.#advance('', true);
  }

  /** The whole body is here and is valid JSON: nothing but native code touches it. */
  #readWhole(text: string, from: number): ReadStatus | undefined {
    const end = this.#context.find(text, this.#options.endMarker, from);
    if (end < 0 || end === from) return undefined;
    const first = text.charCodeAt(skip(text, from));
    if (first !== 0x7b && first !== 0x5b) return undefined;
    if (!this.#context.mayTryWhole(text, end)) return undefined;
    const strict = parseStrict(text.slice(from, end), this.#context.maxDepth);
    if (strict === 'invalid') return undefined;
    this.resembledCall = this.#options.isWeak !== true;
    this.endOffset = end - from + this.#options.endMarker.length;
    if (strict === 'too-deep') return this.#declineDepth();
    this.#values.push(strict.value);
    return this.#finish();
  }

  #advance(chunk: string, ending: boolean): ReadStatus {
    let text = chunk;
    for (;;) {
      const phase = this.#phase;
      if (phase === 'json') {
        const rest = this.#readJson(text, ending);
        if (typeof rest !== 'string') return rest.status;
        text = rest;
        continue;
      }
      if (phase === 'finished') return 'declined';
      text = this.#waiting + text;
      this.#waiting = '';
      const step = phase === 'lead' ? this.#readLead(text, ending) : this.#readTail(text, ending);
      if (typeof step === 'string') return step;
      text = text.slice(step.at);
    }
  }

  /** Space and an opening fence before the JSON. */
  #readLead(text: string, ending: boolean): ReadStatus | { at: number } {
    const at = skip(text, 0);
    if (at >= text.length) return ending ? this.#decline('the block is empty') : 'more';
    const char = text.charAt(at);
    if (char === '`') {
      const fence = /^```[\w-]*[ \t]*\r?\n/.exec(text.slice(at, at + 40));
      if (fence === null) {
        const mayGrow =
          !ending && text.length - at < 40 && /^`{1,3}[\w-]*[ \t]*\r?$/.test(text.slice(at));
        return mayGrow ? this.#wait(text.slice(at)) : this.#decline('no JSON follows the opening');
      }
      this.#note('code-fence');
      return { at: at + fence[0].length };
    }
    const { endMarker } = this.#options;
    if (text.startsWith(endMarker, at)) {
      this.resembledCall = true;
      return this.#decline('the block is empty');
    }
    // Also where the marker begins like JSON, as `[/TOOL_CALL]` does.
    if (!ending && text.length - at < endMarker.length && endMarker.startsWith(text.slice(at))) {
      return this.#wait(text.slice(at));
    }
    if (!BODY_STARTS.includes(char)) return this.#decline('no JSON follows the opening');
    this.resembledCall = this.#options.isWeak !== true && (char === '{' || char === '[');
    this.#beginJson(this.#body.length - (text.length - at));
    return { at };
  }

  #beginJson(start: number): void {
    this.#json = new JsonReader({
      maxDepth: this.#context.maxDepth,
      endMarker: this.#options.endMarker,
    });
    this.#eager ??= new EagerArguments(this.#json);
    this.#jsonStart = start;
    this.#phase = 'json';
  }

  /** Returns what follows the JSON, or the status when the text ran out or it is no JSON. */
  #readJson(text: string, ending: boolean): string | { status: ReadStatus } {
    const json = this.#json;
    if (json === undefined) return { status: 'declined' };
    let status = json.read(text);
    if (status === 'more' && ending) status = json.end();
    if (this.#values.length === 0 && status !== 'failed') this.#eager?.passOn();
    if (status === 'more') return NEEDS_MORE;
    if (status === 'failed' || (json.crossedAt >= 0 && !json.complete))
      return { status: this.#recover(json) };
    this.#take(json);
    this.#phase = 'tail';
    this.#valueEnd = this.#jsonStart + json.endOffset;
    return this.#body.slice(this.#valueEnd);
  }

  /** The end marker stood inside what was taken for a string: the string had lost its closing quote. */
  #recover(json: JsonReader): ReadStatus {
    this.endOffset = this.#jsonStart + json.failedAt;
    if (json.crossedAt < 0) {
      this.tooDeep = json.tooDeep;
      return this.#decline(json.failure);
    }
    const end = this.#jsonStart + json.crossedAt;
    const again = new JsonReader({ maxDepth: this.#context.maxDepth });
    let status = again.read(this.#body.slice(this.#jsonStart, end));
    if (status === 'more') status = again.end(true);
    if (status === 'failed') return this.#decline(again.failure);
    this.#take(again);
    this.endOffset = end + this.#options.endMarker.length;
    return this.#finish();
  }

  #take(json: JsonReader): void {
    this.#values.push(json.value ?? null);
    for (const repair of json.repairs) this.#note(repair);
    this.#lossy ||= json.lossy;
    this.#complete = json.complete;
  }

  /** Space, brackets too many, a closing fence and further values, up to the end marker. */
  #readTail(text: string, ending: boolean): ReadStatus | { at: number } {
    const offset = this.#body.length - text.length;
    for (let at = skip(text, 0); at < text.length; at = skip(text, at + 1)) {
      const marker = this.#readEndMarker(text, at, offset, ending);
      if (marker !== undefined) return marker;
      const char = text.charAt(at);
      if (char === '{' || char === '[') {
        this.#beginJson(offset + at);
        return { at };
      }
      if (char === '}' || char === ']') {
        this.#note('extra-brace');
        this.#valueEnd = offset + at + 1;
      } else if (text.startsWith('```', at)) at += 2;
      else if (char !== ',' && char !== ';') return this.#declineTail(text.slice(at), offset + at);
    }
    return ending ? this.#finishWithoutMarker() : 'more';
  }

  /** The status when an end marker, or the beginning of one, stands at `at`. */
  #readEndMarker(
    text: string,
    at: number,
    offset: number,
    ending: boolean,
  ): ReadStatus | undefined {
    const { endMarker, otherEndMarkers = NO_MARKERS, nextOpening } = this.#options;
    if (text.startsWith(endMarker, at)) {
      this.endOffset = offset + at + endMarker.length;
      return this.#finish();
    }
    const other = otherEndMarkers.find((marker) => text.startsWith(marker, at));
    if (other !== undefined) {
      this.#note('missing-end-marker');
      this.endOffset = offset + at + other.length;
      return this.#finish();
    }
    if (nextOpening !== undefined && text.startsWith(nextOpening, at))
      return this.#finishWithoutMarker();
    if (ending || text.length - at > LONGEST_MARKER) return undefined;
    const rest = text.slice(at);
    const mayGrow = [endMarker, ...otherEndMarkers, nextOpening ?? '', '```'].some((marker) =>
      marker.startsWith(rest),
    );
    return mayGrow ? this.#wait(rest) : undefined;
  }

  #declineTail(rest: string, offset: number): ReadStatus {
    this.endOffset = offset;
    const json = this.#json;
    if (json !== undefined && json.crossedAt >= 0) return this.#recoverAfterTail(json);
    return this.#decline(
      `expected ${this.#options.endMarker} after the JSON, got ${JSON.stringify(rest.charAt(0))}`,
    );
  }

  #recoverAfterTail(json: JsonReader): ReadStatus {
    this.#values.pop();
    return this.#recover(json);
  }

  /** Nothing but space follows the JSON; that space is not part of the call. */
  #finishWithoutMarker(): ReadStatus {
    this.endOffset = this.#valueEnd;
    if (this.#complete) this.#note('missing-end-marker');
    return this.#finish();
  }

  #finish(): ReadStatus {
    if (!this.#complete && !this.#context.keepsIncomplete) {
      this.cut = true;
      return this.#decline('the text ends inside the call');
    }
    const shape = this.#options.shape ?? readCalls;
    const all: RawCall[] = [];
    for (const value of this.#values) {
      const calls = shape(value, this.#context.maxDepth);
      if (typeof calls === 'string') return this.#decline(calls);
      for (const call of calls) all.push(this.#withBody(call));
    }
    if (!this.#complete) all.push(...all.splice(-1).map((call) => ({ ...call, complete: false })));
    this.calls = all;
    this.#phase = 'finished';
    return 'done';
  }

  #withBody(call: RawCall): RawCall {
    const read = withRepairs(call, this.#repairs);
    return this.#lossy && !read.lossy ? { ...read, lossy: true } : read;
  }

  #wait(text: string): ReadStatus {
    this.#waiting = text;
    return 'more';
  }

  #decline(reason: string): ReadStatus {
    this.reason = reason;
    const value = this.#values[0] ?? this.#json?.value;
    if (isJsonObject(value) && ownKey(value, NAME_KEYS) !== undefined) this.resembledCall = true;
    this.#phase = 'finished';
    return 'declined';
  }

  #declineDepth(): ReadStatus {
    this.tooDeep = true;
    return this.#decline(`it is nested more than ${this.#context.maxDepth} deep`);
  }

  #note(repair: Repair): void {
    if (!this.#repairs.includes(repair)) this.#repairs.push(repair);
  }
}

/** Whether no JSON can stand at `at`, nor the end marker of an empty block. */
export function declinesJsonBody(text: string, at: number, endMarker: string): boolean {
  // What is further away, or not here yet, a reader has to see.
  if (text.length - at < LONGEST_MARKER || isSpace(text.charCodeAt(at))) return false;
  return !BODY_STARTS.includes(text.charAt(at)) && !text.startsWith(endMarker, at);
}

/** What JSON in a block begins with, a fence included. */
const BODY_STARTS = '{["\'“\\&`';

const NONE: EagerCall[] = [];
const NEEDS_MORE = { status: 'more' } as const;
const NO_MARKERS: readonly string[] = [];
/** Beyond this no marker is still on its way. */
const LONGEST_MARKER = 64;

function skip(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}
