import type { JsonValue } from '../../types.ts';
import type { EagerCall, Frame, ReadContext } from '../format.ts';
import { isSpace, OPEN_BRACKET, skipSpace } from '../json/char-code.ts';
import type { Damage } from '../json/findings.ts';
import { JsonReader } from '../json/json-reader.ts';
import type { JsonStatus } from '../json/json-reader.ts';
import { parseStrict } from '../json/parse-strict.ts';
import { CallDraft } from './call-draft.ts';
import { UNCLEAR } from './marker-set.ts';
import type { MarkerSet } from './marker-set.ts';
import type { Declined, Script } from './script.ts';

/** A JSON value in a block; without `value`, why it is none. */
export interface JsonPart extends Damage {
  readonly value: JsonValue | undefined;
  /** Its text, where that is valid JSON. */
  readonly source: string | undefined;
  /** The damage of each call, where the value is a list of calls. */
  readonly items: readonly Damage[];
  readonly complete: boolean;
  readonly failure: string;
}

export interface JsonPartOptions {
  /** What ends the text around the value: brackets open there are closed. */
  readonly endMarker?: string;
  /** What begins the next block: the value ends there, too. */
  readonly nextMarker?: string;
  /** The call whose arguments the value is: its source is told as it arrives. */
  readonly argumentsOf?: CallDraft;
}

/** The text of a block as a script sees it: what has arrived, what was taken, and the calls found in it. */
export class ScriptInput {
  readonly context: ReadContext;
  readonly drafts: CallDraft[] = [];
  /** What the drafts tell of themselves. */
  readonly eager: EagerCall[] = [];
  /** No more text comes. */
  isEnded = false;
  /** Whether it looked enough like a call for the user to be told when it is none. */
  resemblesCall = false;
  /** Whether the text ended inside a call. */
  isCut = false;
  /** Whether nothing is told of the calls before the block is whole. */
  isQuiet = false;
  /** What the block is where it holds no call. */
  frame: Frame | undefined;
  /** Whether it went past the depth limit. */
  isTooDeep = false;
  /** Where the block ends, where that is not how far it was read. */
  endsAt: number | undefined;
  #text = '';
  #at = 0;
  /** How far the last whole call reaches. */
  #wholeTo = 0;
  /** Offset of `#text[0]`, counted from the first character of the block's body. */
  #base = 0;

  constructor(context: ReadContext) {
    this.context = context;
  }

  /** How much was taken. */
  get offset(): number {
    return this.#base + this.#at;
  }

  /** How much has arrived and was not taken. */
  get left(): number {
    return this.#text.length - this.#at;
  }

  /** What has arrived and was not taken, at most so many characters of it. */
  ahead(limit: number): string {
    return this.#text.slice(this.#at, this.#at + limit);
  }

  /** Adds `text` from `from` on. */
  push(text: string, from: number): void {
    const { offset } = this;
    if (this.#at === this.#text.length) {
      this.#text = text;
      this.#at = from;
    } else {
      this.#text = this.#text.slice(this.#at) + (from === 0 ? text : text.slice(from));
      this.#at = 0;
    }
    this.#base = offset - this.#at;
  }

  /** A call whose tool is certain. From here on it is told, and it is one of the block's calls. */
  beginCall(name: string, id?: string): CallDraft {
    const draft = new CallDraft(name, id);
    this.drafts.push(draft);
    this.eager.push(draft.eager);
    this.resemblesCall = true;
    return draft;
  }

  /** To be returned when the block is no call. */
  decline(reason: string): Declined {
    return { reason };
  }

  /** The call is whole; it, or what belongs to it, reaches to here, but for so many characters taken ahead. */
  endCall(draft: CallDraft, ahead = 0): void {
    draft.close();
    this.#wholeTo = this.offset - ahead;
  }

  /** To be returned when what comes is no part of the block: it ends behind the last call that is whole. */
  stop(reason: string): Declined | undefined {
    if (this.#wholeTo === 0) return { reason };
    while (this.drafts.at(-1)?.isClosed === false) {
      this.drafts.pop();
      this.eager.pop();
    }
    this.endsAt = this.#wholeTo;
    return undefined;
  }

  /** To be returned when the text ended inside the call being read. */
  cutShort(): Declined | undefined {
    const last = this.drafts.at(-1);
    if (last?.isClosed === false && this.context.keepsIncomplete) {
      last.markIncomplete();
      return undefined;
    }
    this.isCut = true;
    return this.stop('the text ends inside the call');
  }

  /** The next `count` characters, without taking them; fewer when the text ends before. */
  *peek(count: number): Script<string> {
    while (this.#text.length - this.#at < count && !this.isEnded) yield;
    return this.#text.slice(this.#at, this.#at + count);
  }

  /** Whether no more text comes. */
  *isAtEnd(): Script<boolean> {
    return (yield* this.peek(1)) === '';
  }

  skip(count: number): void {
    this.#at = Math.min(this.#text.length, this.#at + count);
  }

  *startsWith(literal: string): Script<boolean> {
    for (;;) {
      if (this.#text.startsWith(literal, this.#at)) return true;
      const isHere = this.isEnded || this.#text.length - this.#at >= literal.length;
      if (isHere || !literal.startsWith(this.#text.slice(this.#at))) return false;
      yield;
    }
  }

  /** Takes `literal` if it comes next. */
  *take(literal: string): Script<boolean> {
    if (!(yield* this.startsWith(literal))) return false;
    this.#at += literal.length;
    return true;
  }

  /** The marker that comes next, if one does; it is left standing. */
  *peekAny(markers: MarkerSet): Script<string | undefined> {
    for (;;) {
      const found = markers.at(this.#text, this.#at, this.isEnded);
      if (found !== UNCLEAR) return found;
      yield;
    }
  }

  /** Whether the text ends inside one of the markers. */
  *endsInside(markers: MarkerSet): Script<boolean> {
    if ((yield* this.peekAny(markers)) !== undefined || !this.isEnded) return false;
    return this.left > 0 && markers.at(this.#text, this.#at, false) === UNCLEAR;
  }

  /** Takes the marker that comes next, if one does. */
  *takeAny(markers: MarkerSet): Script<string | undefined> {
    const found = yield* this.peekAny(markers);
    this.#at += found?.length ?? 0;
    return found;
  }

  *skipSpace(): Script<void> {
    for (;;) {
      while (this.#at < this.#text.length && isSpace(this.#text.charCodeAt(this.#at))) this.#at++;
      if (this.#at < this.#text.length || this.isEnded) return;
      yield;
    }
  }

  /** Takes characters for as long as they are of a kind, at most `limit`. */
  *takeWhile(isOfKind: (code: number) => boolean, limit: number): Script<string> {
    let taken = '';
    for (;;) {
      const start = this.#at;
      const stop = Math.min(this.#text.length, start + limit - taken.length);
      while (this.#at < stop && isOfKind(this.#text.charCodeAt(this.#at))) this.#at++;
      taken += this.#text.slice(start, this.#at);
      if (this.#at < this.#text.length || taken.length >= limit || this.isEnded) return taken;
      yield;
    }
  }

  /**
   * Takes everything up to the first marker, which is left standing; `marker` is undefined when the text
   * ended first. `onPiece` is told the text as it becomes certain that it is no marker.
   */
  *until(
    markers: MarkerSet,
    onPiece?: (piece: string) => void,
  ): Script<{ text: string; marker: string | undefined }> {
    let taken = '';
    for (;;) {
      const { at, marker } = markers.find(this.#text, this.#at, this.isEnded);
      const piece = this.#text.slice(this.#at, at);
      this.#at = at;
      taken += piece;
      if (piece !== '') onPiece?.(piece);
      if (marker !== undefined || this.isEnded) return { text: taken, marker };
      yield;
    }
  }

  /** Reads one JSON value, broken as it may be. */
  *json(options: JsonPartOptions = {}): Script<JsonPart> {
    return this.#readWhole(options) ?? (yield* this.#readOn(options));
  }

  /** The whole value is here, up to its marker or the last bracket, and is valid: native code reads it. */
  #readWhole({ endMarker }: JsonPartOptions): JsonPart | undefined {
    const { context } = this;
    const text = this.#text;
    const start = skipSpace(text, this.#at);
    const marker = endMarker === undefined ? -1 : context.find(text, endMarker, start);
    const bracket = text.charCodeAt(start) === OPEN_BRACKET ? ']' : '}';
    const end = marker >= 0 ? marker : context.findLast(text, bracket) + 1;
    if (end <= start || !context.mayTryWhole(text, end)) return undefined;
    const source = text.slice(start, end);
    const strict = parseStrict(source, context.maxDepth);
    if (typeof strict === 'string') return undefined;
    // Space before the marker is not part of the value, as it is not where the value is read in pieces.
    this.#at = end;
    while (isSpace(text.charCodeAt(this.#at - 1))) this.#at--;
    return {
      value: strict.value,
      source,
      repairs: [],
      complete: true,
      lossy: false,
      items: [],
      failure: '',
    };
  }

  *#readOn(options: JsonPartOptions): Script<JsonPart> {
    const { endMarker = '', nextMarker = '' } = options;
    // Behind arguments that were told, what is told of an object would be no JSON.
    const argumentsOf = options.argumentsOf?.isUntold === true ? options.argumentsOf : undefined;
    const { maxDepth } = this.context;
    const reader = new JsonReader({ maxDepth, endMarker, nextMarker });
    const start = this.offset;
    const from = this.#at;
    let body = '';
    let told = 0;
    let status: JsonStatus;
    for (;;) {
      const chunk = this.#text.slice(this.#at);
      this.#at = this.#text.length;
      body += chunk;
      status = reader.read(chunk);
      if (status === 'more' && this.isEnded) status = reader.end();
      if (argumentsOf !== undefined && status !== 'failed' && reader.isClean) {
        const to = status === 'done' ? reader.endOffset : reader.offset;
        argumentsOf.eager.fragment += reader.source(told, to);
        argumentsOf.eager.isWhole = status === 'done' && reader.complete;
        told = to;
      }
      if (status !== 'more') break;
      yield;
    }
    // What was read beyond the value belongs to whoever reads on.
    const end = status === 'done' ? reader.endOffset : reader.failedAt;
    if (this.#base + from === start) {
      // The same text still: what was searched for in it stays found.
      this.#at = from + end;
    } else {
      this.#text = body.slice(end);
      this.#at = 0;
      this.#base = start + end;
    }
    this.isTooDeep ||= reader.tooDeep;
    return {
      value: status === 'done' ? reader.value : undefined,
      source: status === 'done' && reader.isValid ? body.slice(0, end) : undefined,
      repairs: reader.repairs,
      complete: reader.complete,
      lossy: reader.lossy,
      items: reader.items,
      failure: reader.failure,
    };
  }
}
