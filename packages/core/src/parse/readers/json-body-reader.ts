import type { JsonValue, Repair } from '../../types.ts';
import { withArgumentsText } from '../arguments-text.ts';
import { hasArguments, hasName, isJsonObject } from '../call-keys.ts';
import { proveFlatArguments, readCalls, withRepairs } from '../call-shape.ts';
import { EagerArguments } from '../eager-arguments.ts';
import type { CallReader, EagerCall, RawCall, ReadContext, ReadStatus, Unread } from '../format.ts';
import { isSpace, skipSpace } from '../json/char-code.ts';
import { JsonReader } from '../json/json-reader.ts';
import { parseStrict } from '../json/parse-strict.ts';
import { closingTagsOf } from './closing-tags.ts';
import type { JsonBodyOptions } from './json-body-options.ts';
import { readPieces } from './read-pieces.ts';
import { hasLostArguments, withDamage } from './read-value.ts';
import type { ReadValue } from './read-value.ts';

type Phase = 'lead' | 'json' | 'tail' | 'broken' | 'finished';

/** Reads `… JSON … end marker`: one call, a list of calls, or several calls one after the other. */
export class JsonBodyReader implements CallReader {
  calls: readonly RawCall[] = [];
  endOffset = 0;
  reach = 0;
  reason = '';
  resembledCall = false;
  cut = false;
  tooDeep = false;
  unread: Unread | undefined;

  readonly #options: JsonBodyOptions;
  readonly #endMarker: string;
  readonly #end: 'required' | 'forgettable' | 'optional';
  readonly #context: ReadContext;
  #values: ReadValue[] = [];
  /** Whether the JSON stands in a code fence. */
  #isFenced = false;
  /** Whether something between the values was passed over. */
  #isSurrounded = false;
  /** The body so far; a string that grows by appending is flattened once, at the end. */
  #body = '';
  #isBegun = false;
  #phase: Phase = 'lead';
  #complete = true;
  /** Text that waits for more, in the phases around the JSON. */
  #waiting = '';
  #json: JsonReader | undefined;
  #jsonStart = 0;
  #firstStart = -1;
  /** Where closing brackets end that have no other half, as far as nothing but such follows. */
  #extraEnd = 0;
  #eager: EagerArguments | undefined;

  constructor(options: JsonBodyOptions, context: ReadContext) {
    this.#options = options;
    this.#endMarker = options.endMarker ?? '';
    this.#end = options.end ?? (this.#endMarker === '' ? 'optional' : 'required');
    this.#context = context;
  }

  get body(): string {
    return this.#body;
  }

  get eager(): EagerCall[] {
    return this.#eager?.calls ?? NONE;
  }

  read(text: string, from: number): ReadStatus {
    if (!this.#isBegun) return this.#begin(text, from);
    const chunk = from === 0 ? text : text.slice(from);
    // Where the text has all that was given before too, nothing is copied.
    const start = from - this.#body.length;
    this.#body = start >= 0 ? text.slice(start) : this.#body + chunk;
    return this.#advance(chunk, false);
  }

  #begin(text: string, from: number): ReadStatus {
    const whole = this.#readWhole(text, from);
    if (typeof whole === 'string') {
      // A chunk of its own, behind an opening that came alone. Otherwise whoever has the text needs no body.
      if (from === 0) this.#body = text;
      return whole;
    }
    this.#body = text.slice(from);
    this.#isBegun = this.#body !== '';
    return this.#advance(whole === undefined ? this.#body : this.#body.slice(whole), false);
  }

  end(): ReadStatus {
    return this.#advance('', true);
  }

  /**
   * The whole JSON is here and is valid: nothing but native code touches it. Returns the status, or how
   * much was read where something may follow.
   */
  #readWhole(text: string, from: number): ReadStatus | number | undefined {
    const start = skipSpace(text, from);
    const first = text.charAt(start);
    if (first !== '{' && first !== '[') return undefined;
    const context = this.#context;
    const marker = this.#endMarker === '' ? -1 : context.find(text, this.#endMarker, from);
    if (marker < 0 && this.#end !== 'optional') return undefined;
    const end = marker >= 0 ? marker : context.findLast(text, first === '{' ? '}' : ']') + 1;
    if (end <= start || !context.mayTryWhole(text, end)) return undefined;
    const source = text.slice(from, end);
    const strict = parseStrict(source, context.maxDepth);
    // What is too deep is read up to there, so that the same is said of it as where it comes in pieces.
    if (typeof strict === 'string') return undefined;
    this.resembledCall = this.#options.resembles === undefined;
    this.endOffset = end - from + (marker >= 0 ? this.#endMarker.length : 0);
    // Spreading what all of them have would cost more than reading a short call.
    const read: ReadValue = {
      value: strict.value,
      source,
      start: start - from,
      end: end - from,
      repairs: UNDAMAGED,
      lossy: false,
      items: UNDAMAGED,
      endRepairs: UNDAMAGED,
    };
    this.#values.push(read);
    if (marker >= 0) return this.#finish();
    if (this.#declinesFirst()) return 'declined';
    this.#firstStart = start - from;
    this.#phase = 'tail';
    return end - from;
  }

  #advance(chunk: string, ending: boolean): ReadStatus {
    let text = chunk;
    for (;;) {
      const phase = this.#phase;
      if (phase === 'finished') return 'declined';
      if (phase === 'json') {
        const rest = this.#readJson(text, ending);
        if (typeof rest !== 'string') return rest.status;
        text = rest;
        continue;
      }
      text = this.#waiting + text;
      this.#waiting = '';
      if (phase === 'broken') return this.#readBroken(text, ending);
      const step = phase === 'lead' ? this.#readLead(text, ending) : this.#readTail(text, ending);
      if (typeof step === 'string') return step;
      text = text.slice(step.at);
    }
  }

  /** Space and an opening fence before the JSON. */
  #readLead(text: string, ending: boolean): ReadStatus | { at: number } {
    const at = skipSpace(text, 0);
    if (at >= text.length) return ending ? this.#decline('the block is empty') : 'more';
    const char = text.charAt(at);
    if (char === '`') {
      const fence = /^```[\w-]*[ \t]*\r?\n/.exec(text.slice(at, at + 40));
      if (fence === null) {
        const mayGrow =
          !ending && text.length - at < 40 && /^`{1,3}[\w-]*[ \t]*\r?$/.test(text.slice(at));
        return mayGrow ? this.#wait(text.slice(at)) : this.#decline('no JSON follows the opening');
      }
      this.#isFenced = true;
      return { at: at + fence[0].length };
    }
    const endMarker = this.#endMarker;
    if (endMarker !== '' && text.startsWith(endMarker, at)) {
      this.resembledCall = true;
      return this.#decline('the block is empty');
    }
    // Also where the marker begins like JSON, as `[/TOOL_CALL]` does.
    if (!ending && text.length - at < endMarker.length && endMarker.startsWith(text.slice(at))) {
      return this.#wait(text.slice(at));
    }
    if (!BODY_STARTS.includes(char)) return this.#decline('no JSON follows the opening');
    this.resembledCall = this.#options.resembles === undefined && '{['.includes(char);
    this.#beginJson(this.#body.length - (text.length - at));
    return { at };
  }

  #beginJson(start: number): void {
    const { maxDepth } = this.#context;
    const endMarker = this.#endMarker;
    const { nextOpening: nextMarker = '' } = this.#options;
    this.#json = new JsonReader({ maxDepth, endMarker, nextMarker });
    // What was told of a call cannot be taken back, and a call may turn out to be passed over.
    const { passesOver, tellsEarly = passesOver !== true } = this.#options;
    if (tellsEarly && this.#values.length === 0) {
      const source = (from: number, to: number) => this.#body.slice(start + from, start + to);
      this.#eager = new EagerArguments(this.#json, source);
    }
    this.#jsonStart = start;
    if (this.#firstStart < 0) this.#firstStart = start;
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
      return { status: this.#recover(json, ending) };
    const end = this.#jsonStart + json.endOffset;
    this.#take(json, end);
    this.#phase = 'tail';
    if (this.#values.length === 1 && json.crossedAt < 0 && this.#declinesFirst())
      return { status: 'declined' };
    return this.#body.slice(end);
  }

  /**
   * Where nothing marks the end, values that follow one another are read together. They are no calls if the first is
   * none, and then nothing more is read: a page of JSON must not be read to its end for each of its lines.
   */
  #declinesFirst(): boolean {
    if (this.#end !== 'optional' || !this.#complete || this.#options.passesOver === true)
      return false;
    const [first] = this.#values;
    if (first === undefined) return false;
    const calls = this.#callsOf(first, false);
    const problem = typeof calls === 'string' ? calls : this.#options.refuses?.(calls);
    if (problem === undefined) return false;
    this.endOffset = first.end;
    this.#decline(problem);
    return true;
  }

  #recover(json: JsonReader, ending: boolean): ReadStatus {
    this.endOffset = this.#jsonStart + json.failedAt;
    // Also where the next block begins at once: beginning to read has a cost, and openings come in floods.
    this.reach = Math.max(1, this.endOffset);
    if (json.crossedAt >= 0) return this.#recoverString(json);
    if (this.#options.passesOver === true && !json.tooDeep) {
      this.reason = json.failure;
      this.#phase = 'broken';
      return this.#readBroken(this.#body.slice(this.endOffset), ending);
    }
    if (this.#values.length > 0 && this.#end !== 'required') {
      this.#reportUnread(json.failure, json.value);
      return this.#finishWithoutMarker();
    }
    this.tooDeep = json.tooDeep;
    return this.#decline(json.failure);
  }

  /** A marker stood inside what was taken for a string: the string had lost its closing quote. */
  #recoverString(json: JsonReader): ReadStatus {
    const end = this.#jsonStart + json.crossedAt;
    const again = new JsonReader({ maxDepth: this.#context.maxDepth });
    let status = again.read(this.#body.slice(this.#jsonStart, end));
    if (status === 'more') status = again.end(true);
    if (status === 'failed') return this.#decline(again.failure);
    this.#take(again, end);
    const isNext = !this.#body.startsWith(this.#endMarker, end);
    this.endOffset = isNext ? end : end + this.#endMarker.length;
    if (this.#complete && isNext) this.#note('missing-end-marker');
    if (this.#complete || this.#context.keepsIncomplete) return this.#finish(end);
    // Whatever came behind the marker, the block ends there.
    this.reason = 'a string has no end before the end marker';
    return this.#finishPieces(end);
  }

  #take(json: JsonReader, end: number): void {
    const { value = null, repairs, lossy, items, complete } = json;
    const start = this.#jsonStart;
    const source = json.isValid ? this.#body.slice(start, start + json.endOffset) : undefined;
    this.#values.push({ value, source, repairs, lossy, items, endRepairs: [], start, end });
    this.#complete = complete;
  }

  /** Space, brackets too many, a closing fence and further values, up to the end marker. */
  #readTail(text: string, ending: boolean): ReadStatus | { at: number } {
    const offset = this.#body.length - text.length;
    for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at + 1)) {
      const marker = this.#readEndMarker(text, at, offset, ending);
      if (marker !== undefined) return marker;
      const char = text.charAt(at);
      if (char === '{' || char === '[') {
        if (this.#end === 'required') this.#noteExtra();
        this.#beginJson(offset + at);
        return { at };
      }
      if (char === '}' || char === ']') this.#extraEnd = offset + at + 1;
      else if (this.#isFenced && text.startsWith('```', at)) at += 2;
      else if (char !== ',' && char !== ';') return this.#readBehind(text.slice(at), offset + at);
    }
    if (!ending) return 'more';
    this.#noteExtra();
    return this.#finishWithoutMarker();
  }

  /** The status when an end marker, or the beginning of one, stands at `at`. */
  #readEndMarker(
    text: string,
    at: number,
    offset: number,
    ending: boolean,
  ): ReadStatus | undefined {
    const { otherEndMarkers = NO_MARKERS, closesByName, nextOpening = '' } = this.#options;
    const endMarker = this.#endMarker;
    const named = closesByName === true ? closingTagsOf(this.#values.at(-1)?.value) : NO_MARKERS;
    const markers = [endMarker, ...otherEndMarkers, ...named];
    const found = markers.find((marker) => marker !== '' && text.startsWith(marker, at));
    if (found !== undefined) {
      this.#noteExtra();
      if (found !== endMarker && this.#end !== 'optional') this.#note('missing-end-marker');
      this.endOffset = offset + at + found.length;
      return this.#finish();
    }
    if (nextOpening !== '' && text.startsWith(nextOpening, at)) return this.#finishWithoutMarker();
    if (text.length - at > LONGEST_MARKER) return undefined;
    const rest = text.slice(at);
    if (ending) {
      // The text ends inside the marker.
      if (!endMarker.startsWith(rest)) return undefined;
      this.#note('missing-end-marker');
      this.endOffset = offset + text.length;
      return this.#finish();
    }
    const mayGrow = [...markers, nextOpening, '```'].some((marker) => marker.startsWith(rest));
    return mayGrow ? this.#wait(rest) : undefined;
  }

  /** Something else than the end marker follows the JSON. */
  #readBehind(rest: string, offset: number): ReadStatus {
    this.endOffset = offset;
    this.reach = offset;
    const json = this.#json;
    if (json !== undefined && json.crossedAt >= 0) {
      this.#values.pop();
      return this.#recoverString(json);
    }
    if (this.#end !== 'required') {
      const isClosed = this.#values.at(-1)?.repairs.includes('missing-brace') === true;
      if (isClosed) this.#reportUnread('text follows a call whose brackets do not match', null);
      return this.#finishWithoutMarker();
    }
    return this.#decline(
      `expected ${this.#endMarker} after the JSON, got ${JSON.stringify(rest.charAt(0))}`,
    );
  }

  #noteExtra(): void {
    if (this.#extraEnd <= this.#lastEnd || this.#options.takesExtra === false) return;
    this.#note('extra-brace', this.#extraEnd);
  }

  /** The JSON is broken: what can be read of the block is known where it ends. */
  #readBroken(text: string, ending: boolean): ReadStatus {
    const marker = text.indexOf(this.#endMarker);
    const offset = this.#body.length - text.length;
    if (marker >= 0) {
      this.endOffset = offset + marker + this.#endMarker.length;
      return this.#finishPieces(offset + marker);
    }
    if (ending) return this.#finishPieces(-1);
    return this.#wait(text.slice(Math.max(0, text.length - this.#endMarker.length + 1)));
  }

  /** Nothing but space follows the JSON; that space is not part of the call. */
  #finishWithoutMarker(): ReadStatus {
    this.endOffset = this.#lastEnd;
    if (this.#complete && this.#end !== 'optional') this.#note('missing-end-marker');
    return this.#finish();
  }

  /** The text is broken, or cut: what is whole of it counts. `end` is where its end marker stands, or -1. */
  #finishPieces(end: number): ReadStatus {
    const isMarked = end >= 0;
    const start = Math.max(0, this.#firstStart);
    const cut = isMarked || this.reason !== '' ? undefined : this.#json;
    const { isWhole = hasArguments } = this.#options;
    const cutValue = cut?.lacksOnlyBrace === true ? cut.value : undefined;
    const isFirst = cut !== undefined && this.#jsonStart === start;
    // Nothing stands before the object that is cut, and it misses more than a brace: there is nothing to look for.
    if (isFirst && isJsonObject(cut.value ?? null) && !isWhole(cutValue ?? null))
      return this.#declineCut();
    const { passesOver = false } = this.#options;
    const { values, unreadAt } = readPieces(isMarked ? this.#body.slice(0, end) : this.#body, {
      maxDepth: this.#context.maxDepth,
      from: start,
      cutFrom: cut === undefined ? -1 : this.#jsonStart,
      cutValue,
      passesOver: isMarked && passesOver,
      isWhole,
    });
    if (values.length === 0)
      return this.reason === '' ? this.#declineCut() : this.#decline(this.reason);
    this.#values = [...values];
    this.#complete = true;
    if (unreadAt >= 0) this.#reportUnread(this.reason, this.#json?.value, unreadAt);
    this.cut = this.reason === '' && this.unread !== undefined;
    this.#isSurrounded = isMarked && passesOver;
    if (!this.#isSurrounded && (!isMarked || unreadAt >= 0)) {
      this.#note(this.#endMarker === '' ? 'missing-brace' : 'missing-end-marker');
      this.endOffset = this.#lastEnd;
    }
    return this.#finish();
  }

  #declineCut(): ReadStatus {
    this.cut = true;
    return this.#decline('the text ends inside the call');
  }

  /** `textEnd` is where the text ends that the values were read from. */
  #finish(textEnd = this.#body.length): ReadStatus {
    if (!this.#complete && !this.#context.keepsIncomplete) return this.#finishPieces(-1);
    this.reach = Math.max(this.reach, this.#lastEnd);
    const { passesOver = false, refuses } = this.#options;
    const calls: RawCall[] = [];
    let problem = '';
    for (const [at, read] of this.#values.entries()) {
      const isCut = !this.#complete && at === this.#values.length - 1;
      const found = this.#callsOf(read, isCut);
      if (typeof found !== 'string') {
        for (const call of found) calls.push(call);
        if (passesOver && Array.isArray(read.value) && found.length < read.value.length)
          problem = 'not every item of the list is a call';
        continue;
      }
      problem = found;
      if (passesOver) continue;
      if (at === 0 || this.#end === 'required') return this.#decline(problem);
      this.endOffset = this.#values[at - 1]?.end ?? 0;
      this.#reportUnread(problem, read.value, this.endOffset);
      break;
    }
    // Where the text ends in the name, no quote behind it, there is no name yet.
    if (!this.#complete && this.#body.endsWith(calls.at(-1)?.name ?? ' ', textEnd)) calls.pop();
    if (calls.length === 0) return problem === '' ? this.#declineCut() : this.#decline(problem);
    if (!this.#complete)
      calls.push(...calls.splice(-1).map((one) => ({ ...one, complete: false })));
    const refusal = refuses?.(calls);
    if (refusal !== undefined) return this.#decline(refusal);
    this.calls = calls;
    if (passesOver && problem !== '') this.unread ??= { at: 0, reason: problem };
    if (this.#isSurrounded || (passesOver && problem !== ''))
      this.calls = calls.map((call) => withRepairs(call, SURROUNDED));
    this.#phase = 'finished';
    return 'done';
  }

  /** The calls that a value stands for, each with its repairs, or why it stands for none. */
  #callsOf(read: ReadValue, isCut: boolean): readonly RawCall[] | string {
    const { shape = readCalls } = this.#options;
    const shaped = shape(read.value, this.#context.maxDepth, isCut);
    if (typeof shaped === 'string') return shaped;
    const calls = proveFlatArguments(shaped, this.#context.evidence);
    const isWhole = calls.every(({ complete }) => complete) || this.#context.keepsIncomplete;
    if (!isCut && (!isWhole || hasLostArguments(calls, read))) {
      this.cut = true;
      return isWhole ? 'its arguments are missing' : 'its arguments end too early';
    }
    const written = withArgumentsText(calls, read.value, read.source);
    const repaired = withDamage(written, read);
    return this.#isFenced ? repaired.map((call) => withRepairs(call, FENCED)) : repaired;
  }

  /** Something behind the calls could not be read: it is text, and reported where it looks like a call. */
  #reportUnread(reason: string, value: JsonValue | undefined, at = this.#lastEnd): void {
    const { resembles = hasName } = this.#options;
    if (this.resembledCall || resembles(value)) this.unread = { at, reason };
  }

  get #lastEnd(): number {
    return this.#values.at(-1)?.end ?? 0;
  }

  #wait(text: string): ReadStatus {
    this.#waiting = text;
    return 'more';
  }

  #decline(reason: string): ReadStatus {
    this.reason = reason;
    const { resembles = hasName } = this.#options;
    this.resembledCall ||= resembles(this.#values[0]?.value ?? this.#json?.value);
    this.#phase = 'finished';
    return 'declined';
  }

  /** The last call took a repair; with `end`, it reaches to there. */
  #note(repair: Repair, end = this.#lastEnd): void {
    const last = this.#values.pop();
    if (last === undefined) return;
    const { repairs, endRepairs } = last;
    const isKnown = repairs.includes(repair) || endRepairs.includes(repair);
    this.#values.push({ ...last, end, endRepairs: isKnown ? endRepairs : [...endRepairs, repair] });
  }
}

/** Whether no JSON can stand at `at`, nor the end marker of an empty block. */
export function declinesJsonBody(text: string, at: number, endMarker: string): boolean {
  // What is further away, or not here yet, a reader has to see.
  if (text.length - at < LONGEST_MARKER || isSpace(text.charCodeAt(at))) return false;
  const isEmpty = endMarker !== '' && text.startsWith(endMarker, at);
  return !isEmpty && !BODY_STARTS.includes(text.charAt(at));
}

/** What JSON in a block begins with, a fence included. */
const BODY_STARTS = '{["\'“\\&`';
/** Beyond this no marker is still on its way. */
const LONGEST_MARKER = 64;

const NONE: EagerCall[] = [];
const UNDAMAGED: readonly never[] = [];
const FENCED = ['code-fence'] as const;
const SURROUNDED = ['surrounding-text'] as const;
const NEEDS_MORE = { status: 'more' } as const;
const NO_MARKERS: readonly string[] = [];
