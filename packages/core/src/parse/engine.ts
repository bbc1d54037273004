import { AttemptTeller } from './attempt-teller.ts';
import { Block, bodyFrom } from './block.ts';
import type { Attempt } from './block.ts';
import { CallTeller } from './call-teller.ts';
import { CandidateChoice } from './candidate-choice.ts';
import { countDetections, countFailures } from './count-attempts.ts';
import type { EngineOptions } from './engine-options.ts';
import type { EngineParser } from './engine-parser.ts';
import { FeedTimer } from './feed-timer.ts';
import type { CallReader, Frame, ReasoningEnd } from './format.ts';
import type { Candidate } from './grammar.ts';
import { InputMeter } from './input-meter.ts';
import { BACKTICK, skipSpace } from './json/char-code.ts';
import type { OfferedTools } from './offered-tools.ts';
import { OpeningSearch } from './opening-search.ts';
import type { ParseIssueCode } from './parse-issue.ts';
import type { ParseSink } from './parse-sink.ts';
import { QuotedCalls } from './quoted/quoted-calls.ts';
import { RememberingContext } from './read-context.ts';
import { FenceSearch, FenceState } from './fence-state.ts';
import { EndSearch, findReasoningEnd, partialReasoningEnd } from './reasoning-tags.ts';
import type { FoundEnd } from './reasoning-tags.ts';
import { reportIssue } from './report-issue.ts';
import { Suspension } from './suspension.ts';
import { tellPlaces } from './tell-places.ts';
import { TextState } from './text-state.ts';
import { TextTeller } from './text-teller.ts';
import { timeoutMessage } from './timeout-message.ts';
import { WorkBudget } from './work-budget.ts';

/**
 * The one engine behind whole texts and streams. It skips prose natively to the next possible opening, has
 * every format that claims the opening read side by side, takes the best that finds a call, and gives back
 * as text what is none. What it answers depends on the text alone, never on how it was cut into chunks.
 */
export class Engine {
  readonly #options: EngineOptions;
  readonly #sink: ParseSink;
  readonly #calls: CallTeller;
  readonly #attempts: AttemptTeller;
  readonly #choice: CandidateChoice;
  readonly #meter: InputMeter;
  readonly #told: TextTeller;
  readonly #quoted: QuotedCalls;
  readonly #budget = new WorkBudget();
  readonly #timer: FeedTimer;
  /** The tools that prove calls without markup. */
  readonly #evidence: OfferedTools | undefined;
  #context: RememberingContext | undefined;
  /** The beginning of what may become an opening. */
  #pending = '';
  #block: Block | undefined;
  /** Whether a header says that this is reasoning: then it holds no calls, which have headers of their own. */
  #isFramedReasoning = false;
  #suspension: Suspension | undefined;
  readonly #state: TextState;
  /** Nothing is searched any more: a limit was passed. */
  #passesThrough = false;

  constructor(options: EngineOptions, sink: ParseSink) {
    this.#options = options;
    const fence = new FenceState();
    this.#quoted = new QuotedCalls(sink, fence);
    this.#sink = this.#quoted;
    this.#state = new TextState(options.preferred);
    this.#calls = new CallTeller(this.#quoted, options);
    this.#attempts = new AttemptTeller(this.#quoted);
    this.#choice = new CandidateChoice(options, sink.step !== undefined);
    this.#meter = new InputMeter(options.limits.maxInputBytes);
    this.#told = new TextTeller(this.#quoted, fence, options.separatesReasoning);
    this.#timer = new FeedTimer(options.clock);
    const { grammar, tools, bareCalls } = options;
    if (bareCalls && grammar.lineStart.length > 0) this.#evidence = tools;
    if (options.startsInReasoning) this.#told.reasoningEnds = options.grammar.reasoningEnds;
  }

  /** How many calls were read so far. */
  get callCount(): number {
    return this.#calls.count - this.#quoted.dropped;
  }

  feed(chunk: string): void {
    if (chunk === '') return;
    this.#timer.reset();
    if (this.#passesThrough) {
      this.#told.tell(chunk);
      return;
    }
    const fits = this.#meter.fit(chunk);
    if (fits > 0) this.#accept(fits === chunk.length ? chunk : chunk.slice(0, fits));
    if (fits === chunk.length) return;
    const { maxInputBytes } = this.#options.limits;
    const message = `the message is larger than ${maxInputBytes} bytes; the rest of it was not searched`;
    const ahead = this.#pending.length + (this.#block?.length ?? 0);
    this.#giveUp(chunk.slice(fits), 'input-too-large', message, ahead);
  }

  end(): void {
    this.#timer.reset();
    if (this.#block !== undefined) this.#continueBlock(this.#block, '', true);
    const pending = this.#pending;
    this.#pending = '';
    if (pending !== '') this.#scan(pending, 0, true);
    const [end] = this.#told.reasoningEnds ?? [];
    if (end !== undefined)
      this.#report('unclosed-reasoning', `the text ended before ${end.text}`, 0);
    // Behind the call reasoning may begin, and not end, again.
    while (this.#suspension !== undefined) this.#endSuspended(this.#suspension);
    this.#quoted.end();
  }

  #accept(chunk: string): void {
    if (this.#suspension !== undefined) {
      this.#continueSuspended(this.#suspension, chunk, false);
      return;
    }
    if (this.#block !== undefined) {
      this.#continueBlock(this.#block, chunk, false);
      return;
    }
    const pending = this.#pending;
    this.#pending = '';
    this.#scan(pending === '' ? chunk : pending + chunk, 0, false);
  }

  // ── text and reasoning ────────────────────────────────────────────────────────────────────────

  /** Reads `text` from `from` on; what lies before it is text that is not passed on yet. */
  #scan(text: string, from: number, ending: boolean): void {
    let start = 0;
    let at = from;
    const search = new EndSearch(text);
    const { grammar } = this.#options;
    const { beginnings, lineBeginnings } = grammar;
    const isBare = this.#evidence !== undefined;
    const openings = new OpeningSearch(text, isBare ? lineBeginnings : beginnings);
    const fences = new FenceSearch(text, this.#told.fence);
    while (at >= 0 && !this.#passesThrough) {
      const hit = this.#nextHit(openings, text, at, start);
      if (this.#told.reasoningEnds !== undefined) {
        const found = search.find(at, this.#told.reasoningEnds);
        if (found !== undefined && (hit < 0 || found.at <= hit)) {
          start = this.#endReasoning(text, start, found);
          at = start;
          fences.restart(start);
          continue;
        }
      }
      if (hit < 0) break;
      const match = this.#mayEndReasoning(text, hit, ending)
        ? 'unclear'
        : grammar.match(text, hit, ending);
      if (match === 'unclear') {
        this.#told.tell(text.slice(start, hit));
        this.#pending = text.slice(hit);
        return;
      }
      at = hit + 1;
      // Backticks inside a fence end it.
      if (text.charCodeAt(hit) === BACKTICK && fences.isOpenAt(hit)) continue;
      const isFirst = this.#told.isTextStartAt(text, start, hit);
      if (match === 'none' && !isFirst && !isBare) continue;
      const isLineStart = isFirst || this.#told.isLineStartAt(text, start, hit);
      if (match === 'none' && !isLineStart) continue;
      if (match !== 'none' && match.ends !== undefined) {
        if (!this.#opensReasoning(isLineStart || match.isToken)) continue;
        this.#told.tell(text.slice(start, hit));
        start = hit + match.length;
        at = start;
        this.#beginReasoning(text.slice(hit, start), match.ends, false);
        fences.restart(start);
        continue;
      }
      const claimed = match === 'none' ? NO_CANDIDATES : match.candidates;
      const takesBare = isBare && this.#mayBeBare() && !fences.isOpenAt(hit);
      const candidates = this.#choice.claimants(claimed, { isLineStart, isFirst, takesBare });
      if (takesBare && isLineStart) this.#choice.addBareLines(candidates, text, hit);
      if (match === 'none' && candidates.length === 0) continue;
      const end = this.#readBlock(text, hit, start, candidates, ending);
      if (end === USED_UP) return;
      if (end < 0) continue;
      start = end;
      at = end;
      fences.restart(end);
    }
    if (!this.#passesThrough) this.#emitRest(text, start, ending);
  }

  /** Where something may begin: an opening, or, in reasoning whose calls are left alone, nothing. */
  #nextHit(openings: OpeningSearch, text: string, at: number, start: number): number {
    const { grammar, callsInReasoning } = this.#options;
    const isQuiet = callsInReasoning === 'ignore' || this.#isFramedReasoning;
    if (this.#told.reasoningEnds !== undefined && isQuiet) return -1;
    const isAtStart = at === start;
    if (isAtStart && this.#told.isTextStart && grammar.looksAtTextStart) {
      const first = skipSpace(text, at);
      if (first < text.length) return first;
    }
    const beginsLine = this.#told.isLineStart || this.#told.isTextStartAt(text, start, start);
    return openings.next(at, isAtStart && beginsLine);
  }

  /** Whether what ends the reasoning may be on its way at `hit`: it comes before any opening. */
  #mayEndReasoning(text: string, hit: number, ending: boolean): boolean {
    const ends = this.#told.reasoningEnds;
    if (ends === undefined || ending || text.length - hit > longestOf(ends)) return false;
    const rest = text.slice(hit);
    return ends.some((end) => end.text.startsWith(rest));
  }

  /** What a model thinks in reasoning names tools as often as it calls them. */
  #mayBeBare(): boolean {
    return this.#told.reasoningEnds === undefined || this.#options.callsInReasoning === 'read';
  }

  #opensReasoning(isLineStart: boolean): boolean {
    return isLineStart && this.#told.reasoningEnds === undefined;
  }

  #beginReasoning(raw: string, ends: readonly ReasoningEnd[], isFramed: boolean): void {
    this.#isFramedReasoning = isFramed && this.#options.callsInReasoning !== 'read';
    this.#told.beginReasoning(raw, ends);
  }

  /** Ends the reasoning. Returns the index behind its end. */
  #endReasoning(text: string, start: number, { end, at }: FoundEnd): number {
    const next = end.beginsNext === true ? at : at + end.text.length;
    this.#told.endReasoning(text.slice(start, at), text.slice(start, next));
    return next;
  }

  /** Waits whether the reasoning that a call was found in ends after all: then the call was only a thought. */
  #continueSuspended(suspension: Suspension, chunk: string, ending: boolean): void {
    if (!suspension.append(chunk)) return;
    const { text } = suspension;
    const found = findReasoningEnd(text, 0, this.#told.reasoningEnds ?? []);
    this.#suspension = undefined;
    if (found !== undefined) this.#scan(text.slice(this.#endReasoning(text, 0, found)), 0, ending);
  }

  /** The reasoning never ended: it was the call that ended it. */
  #endSuspended({ text }: Suspension): void {
    this.#suspension = undefined;
    this.#told.endReasoning('', '');
    this.#scan(text, 0, true);
  }

  /** Passes on what is left, but for the beginning of a closing tag. */
  #emitRest(text: string, start: number, ending: boolean): void {
    const keep =
      ending || this.#told.reasoningEnds === undefined
        ? 0
        : partialReasoningEnd(text, this.#told.reasoningEnds);
    const stop = Math.max(start, text.length - keep);
    this.#told.tell(start === 0 && stop === text.length ? text : text.slice(start, stop));
    this.#pending = text.slice(stop);
  }

  // ── blocks ────────────────────────────────────────────────────────────────────────────────────

  /**
   * Reads the block at `hit`. Returns the index after it when it is a call, -1 when it is text, and
   * `USED_UP` when the text ended in it. What lies from `start` on is not passed on yet.
   */
  #readBlock(
    text: string,
    hit: number,
    start: number,
    claimed: readonly Candidate[],
    ending: boolean,
  ): number {
    const candidates = this.#choice.plausible(claimed, text, hit);
    if (candidates.length === 0) {
      countDetections(claimed);
      countFailures(claimed);
      return -1;
    }
    if (this.#isTooSlow(text, start)) return USED_UP;
    const now = this.#timer.now();
    this.#state.before = this.#told.visibleBefore(text, start, hit);
    const attempts = this.#beginAttempts(candidates, this.#told.offset + hit - start, now);
    if (attempts.length === 0) return -1;
    countDetections(candidates);
    this.#quoted.beginBlock(text, hit);
    const block = new Block(attempts, candidates, this.#counts, this.#options.clock, now);
    if (block.advance(text, hit, ending) !== 'more')
      return this.#settle(block, text, hit, start, ending);
    this.#told.tell(text.slice(start, hit));
    this.#block = block;
    block.hold(text.slice(hit));
    this.#tellBeginning(block);
    return USED_UP;
  }

  /** Whether a block that was read holds anything: markup, or a call of a tool that was offered. */
  readonly #counts = ({ calls, frame }: CallReader): boolean =>
    frame !== undefined || this.#calls.known(calls).length > 0;

  #continueBlock(block: Block, chunk: string, ending: boolean): void {
    const status = block.advance(chunk, 0, ending);
    block.hold(chunk);
    if (status === 'more') {
      this.#tellBeginning(block);
      return;
    }
    const { text } = block;
    this.#block = undefined;
    const end = this.#settle(block, text, 0, 0, ending);
    if (this.#passesThrough || end === USED_UP) return;
    if (end >= 0) this.#scan(text.slice(end), 0, ending);
    else this.#scan(text, 1, ending);
  }

  /** A call inside reasoning is told when it is known that it counts. */
  #tellBeginning(block: Block): void {
    if (this.#told.reasoningEnds === undefined || this.#options.callsInReasoning === 'read')
      this.#calls.tellBeginning(block);
  }

  /** A reader of each format, but for those whose parsers keep throwing. */
  #beginAttempts(candidates: readonly Candidate[], offset: number, now: number): Attempt[] {
    const attempts: Attempt[] = [];
    for (const candidate of candidates) {
      const { parser, format, opening } = candidate;
      const permit = parser.circuit.acquire(now);
      if (permit === undefined) {
        this.#attempts.leftOut(candidate, offset);
        continue;
      }
      const context = this.#contextFor(parser);
      attempts.push({
        candidate,
        reader: format.createReader(opening, context),
        context,
        permit,
        status: 'more',
        isUnknown: false,
        isTooLarge: false,
        meter: undefined,
        thrown: undefined,
        neededEnd: false,
      });
    }
    return attempts;
  }

  #contextFor(parser: EngineParser): RememberingContext {
    if (parser.limits.maxDepth === this.#context?.maxDepth) return this.#context;
    this.#context = new RememberingContext(
      parser.limits.maxDepth,
      this.#options.keepsIncomplete,
      this.#options.tools,
      this.#state,
      this.#evidence,
    );
    return this.#context;
  }

  /** The block is decided. Returns the index after it when it was a call, -1 when it is text. */
  #settle(block: Block, text: string, hit: number, start: number, ending: boolean): number {
    const offset = this.#told.offset + hit - start;
    const isFree = (candidate: Candidate): boolean => this.#choice.isRuledOut(candidate, text, hit);
    for (const attempt of block.attempts) {
      const { candidate, reader } = attempt;
      const end = hit + bodyFrom(candidate) + reader.endOffset;
      // A block that ends where it begins would be read again and again.
      const isDone = attempt.status === 'done' && end > hit;
      // A look at all it was given would have ruled it out, had all of it been there at once.
      const isOutgrown = attempt.isTooLarge && !isFree(candidate);
      if (isOutgrown) this.#attempts.tooLarge(candidate, offset);
      else if (attempt.isUnknown)
        this.#attempts.unknown(block, attempt, this.#calls.explainUnknown(reader.calls), offset);
      else if (!isDone) this.#attempts.declined(block, attempt, offset);
      else {
        countFailures(block.claimed, candidate.parser);
        this.#told.tell(text.slice(start, hit));
        const next = this.#take(block, attempt, text, hit, end, ending);
        const rest = text.length - hit;
        if (next < 0 || this.#budget.spendBeyond(block, attempt, offset, rest, isFree)) return next;
        this.#giveUp(text.slice(next), 'work-budget-exceeded', OUT_OF_BUDGET, 0);
        return USED_UP;
      }
    }
    countFailures(block.claimed);
    this.#calls.abandon(block, offset);
    if (!this.#budget.spend(block, offset, text.length - hit, isFree))
      this.#giveUp(text.slice(start), 'work-budget-exceeded', OUT_OF_BUDGET, hit - start);
    return -1;
  }

  /** Takes a block that was read. Returns the index after it, or `USED_UP` when it has to wait. */
  #take(
    block: Block,
    attempt: Attempt,
    text: string,
    hit: number,
    end: number,
    ending: boolean,
  ): number {
    const { frame, calls } = attempt.reader;
    if (frame !== undefined && calls.length === 0) {
      this.#takeFrame(attempt, frame, text.slice(hit, end));
      return end;
    }
    if (
      this.#told.reasoningEnds !== undefined &&
      this.#options.callsInReasoning === 'if-unclosed'
    ) {
      this.#suspension = new Suspension(this.#told.reasoningEnds);
      this.#continueSuspended(this.#suspension, text.slice(hit), ending);
      return USED_UP;
    }
    this.#state.see(attempt.candidate.parser.name);
    this.#attempts.succeeded(attempt, this.#told.offset);
    this.#quoted.isPlugin = attempt.candidate.format.isPlugin === true;
    const raw = text.slice(hit, end);
    const { places } = attempt.reader;
    if (places !== undefined) {
      tellPlaces(block, attempt, places, raw, this.#calls, this.#told);
      return end;
    }
    this.#calls.tellCalls(block, attempt, raw, this.#told.offset);
    this.#told.passCalls(raw);
    return end;
  }

  /** Markup around text and calls: it belongs to neither, and may begin reasoning. */
  #takeFrame(attempt: Attempt, frame: Frame, raw: string): void {
    this.#state.see(attempt.candidate.parser.name);
    this.#attempts.succeeded(attempt, this.#told.offset);
    this.#state.mode = frame.mode;
    const isForUser = frame.kind === 'markup' && frame.isForUser === true;
    this.#choice.onlyParser = isForUser ? attempt.candidate.parser.name : undefined;
    if (frame.kind === 'reasoning') this.#beginReasoning(raw, frame.ends, true);
    else this.#told.markup(raw);
  }

  /** `ahead` counts from the first character not passed on yet. */
  #report(code: ParseIssueCode, message: string, ahead: number): void {
    reportIssue(this.#sink, code, message, this.#told.offset + ahead);
  }

  // ── limits ────────────────────────────────────────────────────────────────────────────────────

  /** From here on everything is text. */
  #giveUp(text: string, code: ParseIssueCode, message: string, ahead: number): void {
    this.#passesThrough = true;
    const held = (this.#suspension?.text ?? '') + this.#pending + (this.#block?.text ?? '');
    this.#suspension = undefined;
    this.#pending = '';
    if (this.#block !== undefined) this.#calls.abandon(this.#block, this.#told.offset);
    this.#block = undefined;
    this.#report(code, message, ahead);
    this.#quoted.end();
    this.#told.tell(held + text);
  }

  /** The last resort against a parser that takes too long: the rest of this feed passes as text. */
  #isTooSlow(text: string, start: number): boolean {
    const elapsed = this.#timer.elapsed();
    const { timeoutMs } = this.#options.limits;
    if (elapsed <= timeoutMs) return false;
    this.#report('parse-timeout', timeoutMessage(elapsed, timeoutMs), 0);
    this.#told.tell(text.slice(start));
    return true;
  }
}

/** What `#readBlock` returns when the text ended in the block. */
const USED_UP = -2;
const NO_CANDIDATES: readonly Candidate[] = [];
const OUT_OF_BUDGET =
  'the text has too many beginnings of calls that are none; the rest of it was not searched';

function longestOf(ends: readonly ReasoningEnd[]): number {
  return Math.max(0, ...ends.map(({ text }) => text.length));
}
