import type { ToolCall } from '../../types.ts';
import { argumentsJson } from '../arguments-text.ts';
import type { FenceState } from '../fence-state.ts';
import type { ParseIssue } from '../parse-issue.ts';
import type { ParseSink } from '../parse-sink.ts';
import type { ParseStep } from '../parse-result.ts';
import { reportIssue } from '../report-issue.ts';
import { FenceDoubts } from './fence-doubts.ts';
import { LineBefore } from './line-before.ts';
import { lineDoubt, Observation } from './line-doubt.ts';
import type { LineDoubt, Verdict } from './line-doubt.ts';

/** The calls of a block until what follows shows whether they are calls. */
interface HeldCalls {
  readonly calls: readonly ToolCall[];
  readonly raw: string;
  readonly offset: number;
  readonly index: number;
  /** What was reported about them. */
  readonly issues: readonly ParseIssue[];
  verdict: Verdict | undefined;
}

/** What is known of a call before what follows it. */
interface Place {
  readonly doubt?: LineDoubt;
  readonly verdict?: Verdict;
  readonly isFenced?: boolean;
}

interface DoubtfulCalls {
  readonly held: HeldCalls;
  readonly doubt: LineDoubt;
}

const CLEAR: Place = {};
const REACT = 'react';
const FENCE = '```';
const EXAMPLE: Verdict = { quotedIn: 'a code fence before other calls or after them' };

/**
 * Keeps calls that a message only shows or explains from becoming calls: their source comes back as text, with an
 * issue. Structure decides, never words. What follows a doubtful call waits until it is decided.
 */
export class QuotedCalls implements ParseSink {
  readonly wantsDeltas: boolean;
  readonly step: ((step: ParseStep) => void) | undefined;
  readonly #sink: ParseSink;
  readonly #fence: FenceState;
  /** Calls in doubt, and what follows them. */
  readonly #queue: (HeldCalls | (() => void))[] = [];
  /** Made with the first call in a fence. */
  #fenced: FenceDoubts<HeldCalls> | undefined;
  /** Whether there was a call outside a fence. */
  #hasOutside = false;
  /** The calls that the line they are on leaves in doubt. */
  #onLine: DoubtfulCalls[] = [];
  /** The line up to here. */
  readonly #line = new LineBefore();
  /** Whether nothing came yet but space and backticks. */
  #isBlank = true;
  #offset = 0;
  #dropped = 0;
  /** Whether a plugin read the block, which decides where a call is one. */
  isPlugin = false;
  /** Where the block that is being read begins. */
  #place: Place | undefined;
  /** Whether that block begins with a fence. */
  #isFence = false;
  /** What was reported about its calls. */
  #issues: ParseIssue[] = [];

  /** `fence` knows whether the text before the next event ends in a code fence. */
  constructor(sink: ParseSink, fence: FenceState) {
    this.#sink = sink;
    this.#fence = fence;
    this.wantsDeltas = sink.wantsDeltas;
    this.step = sink.step;
  }

  /** How many calls became text. */
  get dropped(): number {
    return this.#dropped;
  }

  /** A block is read that begins at `at`. */
  beginBlock(text: string, at: number): void {
    this.isPlugin = false;
    this.#isFence = text.startsWith(FENCE, at);
    this.#leaveBlock();
  }

  text(text: string): void {
    this.#leaveBlock();
    if (this.#queue.length > 0) this.#follow(text);
    if (this.#queue.length > 0) this.#queue.push(() => this.#sink.text(text));
    else this.#sink.text(text);
    this.#isBlank &&= /^[\s`]*$/.test(text);
    this.#line.append(text);
    this.#offset += text.length;
  }

  reasoning(text: string, raw: string): void {
    this.#endLine();
    this.#send(() => this.#sink.reasoning(text, raw));
    this.#offset += raw.length;
  }

  markup(raw: string): void {
    this.#endLine();
    this.#send(() => this.#sink.markup(raw));
    this.#offset += raw.length;
  }

  callStart(index: number, id: string, name: string, format: string): void {
    if (isDoubtful(this.#placeOf(format))) return;
    this.#send(() => this.#sink.callStart(index - this.#dropped, id, name, format));
  }

  callDelta(index: number, id: string, fragment: string): void {
    if (isDoubtful(this.#placeOf(''))) return;
    this.#send(() => this.#sink.callDelta(index - this.#dropped, id, fragment));
  }

  issue(issue: ParseIssue): void {
    const isOfCall = issue.callId !== undefined && this.#place !== undefined;
    if (isOfCall && isDoubtful(this.#place)) this.#issues.push(issue);
    else this.#send(() => this.#sink.issue(issue));
  }

  calls(index: number, calls: readonly ToolCall[], raw: string): void {
    const place = this.#placeOf(calls[0]?.format ?? '');
    this.#decide(({ doubt }) => doubt.nextCall(place.doubt !== undefined));
    if (isDoubtful(place)) this.#hold(place, { index, calls, raw });
    else {
      this.#addOutside();
      this.#flush();
      if (this.#queue.length === 0) this.#sink.calls(index - this.#dropped, calls, raw);
      else this.#queue.push(() => this.#sink.calls(index - this.#dropped, calls, raw));
    }
    this.#offset += raw.length;
    if (raw.includes('\n')) this.#line.begin();
    this.#leaveBlock();
  }

  /** No more text comes, or none that is searched. */
  end(): void {
    this.#endLine();
    for (const held of this.#fenced?.end() ?? []) held.verdict = 'call';
    this.#flush();
  }

  #send(emit: () => void): void {
    if (this.#queue.length > 0) this.#queue.push(emit);
    else emit();
  }

  // ── where a call is ───────────────────────────────────────────────────────────────────────────

  #leaveBlock(): void {
    this.#place = undefined;
    if (this.#issues.length > 0) this.#issues = [];
  }

  #placeOf(format: string): Place {
    this.#place ??= this.#findPlace(format);
    return this.#place;
  }

  #findPlace(format: string): Place {
    if (this.isPlugin) return CLEAR;
    if (this.#isFence || this.#fence.isOpen) return { isFenced: true };
    if (this.#line.isBlockQuote) return { verdict: { quotedIn: 'a block quote' } };
    const doubt = lineDoubt(this.#line, this.#isBlank);
    if (doubt !== undefined) return { doubt };
    return format === REACT ? { doubt: new Observation() } : CLEAR;
  }

  // ── what follows it ───────────────────────────────────────────────────────────────────────────

  #hold(place: Place, block: Pick<HeldCalls, 'index' | 'calls' | 'raw'>): void {
    const held: HeldCalls = {
      ...block,
      offset: this.#offset,
      issues: this.#issues,
      verdict: place.verdict,
    };
    this.#issues = [];
    const isFirst = this.#queue.length === 0;
    this.#queue.push(held);
    if (place.isFenced === true) {
      const fenced = this.#fencedCalls();
      if (isFirst) fenced.follow(this.#fence);
      fenced.add(held, this.#isFence);
      return;
    }
    this.#fenced?.content();
    if (place.doubt !== undefined) this.#onLine.push({ held, doubt: place.doubt });
    this.#flush();
  }

  #fencedCalls(): FenceDoubts<HeldCalls> {
    this.#fenced ??= new FenceDoubts(this.#hasOutside, (held) => (held.verdict = EXAMPLE));
    return this.#fenced;
  }

  /** There is a call outside a fence. */
  #addOutside(): void {
    this.#hasOutside = true;
    this.#fenced?.addOutside();
  }

  #follow(text: string): void {
    this.#fenced?.follow(this.#fence);
    for (let at = 0; at < text.length; at++) {
      const character = text.charAt(at);
      if (this.#onLine.length > 0) this.#decide(({ doubt }) => doubt.next(character));
      this.#fenced?.next(text, at);
    }
    this.#flush();
  }

  #endLine(): void {
    this.#leaveBlock();
    this.#line.begin();
    this.#decide(({ doubt }) => doubt.end());
    this.#flush();
  }

  /** Asks each doubt about a call on the line. */
  #decide(ask: (one: DoubtfulCalls) => Verdict | undefined): void {
    if (this.#onLine.length === 0) return;
    const left: DoubtfulCalls[] = [];
    for (const one of this.#onLine) {
      const verdict = ask(one);
      one.held.verdict = verdict;
      if (verdict === undefined) left.push(one);
      else if (verdict === 'call') this.#addOutside();
    }
    this.#onLine = left;
  }

  /** Emits what is decided, up to the first call that is not. */
  #flush(): void {
    let at = 0;
    for (; at < this.#queue.length; at++) {
      const next = this.#queue[at];
      if (typeof next === 'function') next();
      else if (next?.verdict === undefined) break;
      else this.#emit(next, next.verdict);
    }
    if (at > 0) this.#queue.splice(0, at);
  }

  #emit({ index, calls, raw, offset, issues }: HeldCalls, verdict: Verdict): void {
    if (verdict !== 'call') {
      const names = calls.map(({ name }) => name).join(', ');
      const message = `the call of ${names} is in ${verdict.quotedIn}, so it is text`;
      reportIssue(this.#sink, 'quoted-call', message, offset, { parser: calls[0]?.format ?? '' });
      this.#sink.text(raw);
      this.#dropped += calls.length;
      return;
    }
    for (const issue of issues) this.#sink.issue(issue);
    if (this.wantsDeltas) {
      for (const [at, { id, name, format, ...call }] of calls.entries()) {
        const place = index + at - this.#dropped;
        this.#sink.callStart(place, id, name, format);
        this.#sink.callDelta(place, id, argumentsJson(call));
      }
    }
    this.#sink.calls(index - this.#dropped, calls, raw);
  }
}

function isDoubtful(place: Place | undefined): boolean {
  return place !== undefined && place !== CLEAR;
}
