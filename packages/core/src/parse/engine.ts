import type { Clock } from '../internal/clock.ts';
import type { Permit } from '../internal/circuit-machine.ts';
import type { ToolNames } from '../internal/tool-names.ts';
import { exceedsUtf8, utf8Length } from '../internal/utf8-length.ts';
import type { ToolCall } from '../types.ts';
import { addTime } from './engine-parser.ts';
import type { EngineParser } from './engine-parser.ts';
import type { CallReader, EagerCall, RawCall, ReadStatus } from './format.ts';
import type { Candidate, Grammar } from './grammar.ts';
import { minifyJson } from './json/minify-json.ts';
import type { ParseLimits } from './limits.ts';
import type { ParseIssueCode } from './parse-issue.ts';
import type { ParseSink } from './parse-sink.ts';
import { RememberingContext } from './read-context.ts';

export interface EngineOptions {
  readonly grammar: Grammar;
  readonly limits: ParseLimits;
  readonly clock: Clock;
  readonly nextId: () => string;
  readonly toolNames: ToolNames | undefined;
  /** Name of the parser that goes first where several claim an opening. */
  readonly preferred: string | undefined;
  readonly startsInReasoning: boolean;
  readonly separatesReasoning: boolean;
  readonly readsCallsInReasoning: boolean;
  readonly keepsIncomplete: boolean;
}

/** One format trying to read the block at hand. */
interface Attempt {
  readonly candidate: Candidate;
  readonly reader: CallReader;
  readonly permit: Permit | undefined;
  status: ReadStatus;
  threw: boolean;
}

/** The block being read: everything from its opening on is held until it is known to be a call or text. */
interface Block {
  readonly attempts: readonly Attempt[];
  /** The largest size any of them allows. */
  readonly maxBytes: number;
  /** The calls told with `call-start`, in order. */
  readonly told: ToldCall[];
}

interface ToldCall {
  readonly id: string;
  /** What was told of its arguments so far. */
  readonly fragments: string[];
  /** Whether they are all there is. */
  isWhole: boolean;
}

/** Characters that may be read again: so many per character of text, and so many in any case. */
const REREADS_PER_CHARACTER = 4;
const REREADS_FREE = 65_536;

/** Chunks up to this length are counted as they come: it costs less than keeping them. */
const COUNTED_AT_ONCE = 64;

/** What closes the reasoning of a text that begins inside it. */
const DEFAULT_CLOSING_TAG = '</think>';

/**
 * The one engine behind whole texts and streams. It skips prose natively to the next possible opening, has
 * every format that claims the opening read side by side, takes the best that finds a call, and gives back
 * as text what is none. What it answers depends on the text alone, never on how it was cut into chunks.
 */
export class Engine {
  readonly #options: EngineOptions;
  readonly #sink: ParseSink;
  #context: RememberingContext | undefined;
  /** Offset in the text of the first character not yet passed on. */
  #offset = 0;
  /** The beginning of what may become an opening. */
  #pending = '';
  #block: Block | undefined;
  /** The source of the block so far. */
  #held = '';
  #heldBytes = 0;
  #closingTag: string | undefined;
  /** Whether only space, or the end of a block, stands between here and the last line break. */
  #atLineStart = true;
  #bytes = 0;
  #uncounted = '';
  #work = 0;
  #callCount = 0;
  #passesThrough = false;
  #feedStart = -1;
  #blocksInFeed = 0;

  constructor(options: EngineOptions, sink: ParseSink) {
    this.#options = options;
    this.#sink = sink;
    if (options.startsInReasoning) this.#closingTag = DEFAULT_CLOSING_TAG;
  }

  /** How many calls were read so far. */
  get callCount(): number {
    return this.#callCount;
  }

  feed(chunk: string): void {
    if (chunk === '') return;
    this.#feedStart = -1;
    this.#blocksInFeed = 0;
    if (this.#passesThrough) {
      this.#emit(chunk);
      return;
    }
    const fits = this.#countBytes(chunk);
    if (fits > 0) this.#accept(fits === chunk.length ? chunk : chunk.slice(0, fits));
    if (fits === chunk.length) return;
    const { maxInputBytes } = this.#options.limits;
    const message = `the message is larger than ${maxInputBytes} bytes; the rest of it was not searched`;
    this.#giveUp(chunk.slice(fits), 'input-too-large', message);
  }

  end(): void {
    this.#feedStart = -1;
    if (this.#block !== undefined) this.#continueBlock('', true);
    const pending = this.#pending;
    this.#pending = '';
    if (pending !== '') this.#scan(pending, 0, true);
    if (this.#closingTag !== undefined) {
      this.#report('unclosed-reasoning', `the text ended before ${this.#closingTag}`, this.#offset);
    }
  }

  #accept(chunk: string): void {
    if (this.#block !== undefined) {
      this.#continueBlock(chunk, false);
      return;
    }
    const pending = this.#pending;
    this.#pending = '';
    this.#scan(pending === '' ? chunk : pending + chunk, 0, false);
  }

  // ── text ──────────────────────────────────────────────────────────────────────────────────────

  /** Reads `text` from `from` on; what lies before it is text that is not passed on yet. */
  #scan(text: string, from: number, ending: boolean): void {
    const { grammar } = this.#options;
    let start = 0;
    let at = from;
    for (;;) {
      if (this.#closingTag !== undefined) {
        const after = this.#scanReasoning(text, at, start, ending);
        if (after < 0) return;
        if (this.#closingTag === undefined) start = after;
        at = after;
        if (this.#closingTag === undefined) continue;
      }
      const hit = this.#closingTag === undefined ? grammar.next(text, at) : at;
      if (hit < 0 || hit >= text.length) break;
      const match = grammar.match(text, hit, ending);
      if (match === 'unclear') {
        this.#emit(text.slice(start, hit));
        this.#pending = text.slice(hit);
        return;
      }
      at = hit + 1;
      if (match === 'none') continue;
      const isLineStart = this.#isLineStart(text, hit, start);
      if (match.closingTag !== undefined) {
        if (!isLineStart || !this.#options.separatesReasoning || this.#closingTag !== undefined)
          continue;
        this.#emit(text.slice(start, hit));
        this.#sinkReasoning('', text.slice(hit, hit + match.length));
        this.#closingTag = match.closingTag;
        start = hit + match.length;
        at = start;
        continue;
      }
      const candidates = this.#eligible(match.candidates, isLineStart);
      if (candidates.length === 0) continue;
      if (this.#isTooSlow(text, start)) return;
      const block = this.#openBlock(candidates, hit - start);
      if (block === undefined) continue;
      const status = this.#advanceBlock(block, text, hit, ending);
      if (status === 'more') {
        this.#emit(text.slice(start, hit));
        this.#block = block;
        this.#held = text.slice(hit);
        this.#heldBytes = 0;
        this.#tellEager(block);
        return;
      }
      const end = this.#settle(block, text, hit, start, ending);
      if (this.#passesThrough) return;
      if (end >= 0) {
        start = end;
        at = end;
      }
    }
    this.#emit(start === 0 ? text : text.slice(start));
  }

  /** Inside a reasoning block. Returns where to go on, or -1 when the text is used up. */
  #scanReasoning(text: string, at: number, start: number, ending: boolean): number {
    const tag = this.#closingTag ?? DEFAULT_CLOSING_TAG;
    const end = text.indexOf(tag, at);
    if (this.#options.readsCallsInReasoning) {
      const hit = this.#options.grammar.next(text, at);
      if (hit >= 0 && (end < 0 || hit < end)) return hit;
    }
    if (end >= 0) {
      this.#sinkReasoning(text.slice(start, end), text.slice(start, end + tag.length));
      this.#closingTag = undefined;
      this.#atLineStart = true;
      return end + tag.length;
    }
    const keep = ending ? 0 : partialSuffix(text, tag);
    this.#emit(text.slice(start, text.length - keep));
    this.#pending = keep === 0 ? '' : text.slice(text.length - keep);
    return -1;
  }

  #isLineStart(text: string, hit: number, start: number): boolean {
    for (let at = hit - 1; at >= start; at--) {
      const code = text.charCodeAt(at);
      if (code === 0x0a) return true;
      if (code !== 0x20 && code !== 0x09) return false;
    }
    return this.#atLineStart;
  }

  #emit(raw: string): void {
    if (raw === '') return;
    if (this.#closingTag !== undefined) this.#sink.reasoning(raw, raw);
    else this.#sink.text(raw);
    this.#offset += raw.length;
    const lineBreak = raw.lastIndexOf('\n');
    const line = lineBreak < 0 ? raw : raw.slice(lineBreak + 1);
    if (lineBreak >= 0 || !isBlank(line)) this.#atLineStart = isBlank(line);
  }

  #sinkReasoning(text: string, raw: string): void {
    if (!this.#options.separatesReasoning) this.#sink.text(raw);
    else this.#sink.reasoning(text, raw);
    this.#offset += raw.length;
  }

  // ── blocks ────────────────────────────────────────────────────────────────────────────────────

  #eligible(candidates: readonly Candidate[], isLineStart: boolean): readonly Candidate[] {
    const first = candidates[0];
    if (candidates.length === 1 && first !== undefined) {
      return first.opening.at === 'line-start' && !isLineStart ? NO_CANDIDATES : candidates;
    }
    const { preferred } = this.#options;
    const rank = (parser: EngineParser): number => (parser.name === preferred ? -1 : parser.rank);
    return candidates
      .filter(({ opening }) => opening.at !== 'line-start' || isLineStart)
      .sort((a, b) => rank(a.parser) - rank(b.parser));
  }

  #openBlock(candidates: readonly Candidate[], ahead: number): Block | undefined {
    const attempts: Attempt[] = [];
    for (const candidate of candidates) {
      const { parser, format, opening } = candidate;
      const permit =
        parser.circuit.state === 'closed'
          ? undefined
          : parser.circuit.acquire(this.#options.clock.now());
      if (parser.circuit.state !== 'closed' && permit === undefined) {
        parser.counters.skipped++;
        const message = `the parser ${parser.name} kept failing and is left out for a while`;
        this.#report('parser-skipped', message, this.#offset + ahead, parser.name);
        this.#explain(candidate, ahead, 'skipped', message, []);
        continue;
      }
      parser.counters.detections++;
      const reader = format.createReader(opening, this.#contextFor(parser));
      attempts.push({ candidate, reader, permit, status: 'more', threw: false });
    }
    if (attempts.length === 0) return undefined;
    let maxBytes = 0;
    for (const { candidate } of attempts)
      maxBytes = Math.max(maxBytes, candidate.parser.limits.maxCallBytes);
    return { attempts, maxBytes, told: [] };
  }

  #contextFor(parser: EngineParser): RememberingContext {
    if (parser.limits.maxDepth === this.#context?.maxDepth) return this.#context;
    this.#context = new RememberingContext(parser.limits.maxDepth, this.#options.keepsIncomplete);
    return this.#context;
  }

  /** Has every undecided attempt read on. Returns `more` until the best attempt left has decided. */
  #advanceBlock(block: Block, text: string, from: number, ending: boolean): ReadStatus {
    // Reading the clock twice costs more than reading a few characters, and those take no time.
    const isTimed = text.length - from > UNTIMED_CHARACTERS || this.#block === undefined;
    const started = isTimed ? this.#options.clock.now() : 0;
    if (isTimed && this.#feedStart < 0) this.#feedStart = started;
    let status: ReadStatus = 'declined';
    for (const attempt of block.attempts) {
      if (attempt.status === 'more') this.#advance(attempt, text, from, ending);
      if (attempt.status === 'declined') continue;
      status = attempt.status;
      break;
    }
    if (status === 'more' && block.attempts.length > 1)
      this.#advanceRest(block, text, from, ending);
    if (!isTimed) return status;
    const best =
      block.attempts.find((attempt) => attempt.status !== 'declined') ?? block.attempts[0];
    if (best !== undefined)
      addTime(best.candidate.parser.counters, this.#options.clock.now() - started);
    return status;
  }

  /** The best attempt needs more text; the others read along, in case it declines. */
  #advanceRest(block: Block, text: string, from: number, ending: boolean): void {
    const best = block.attempts.findIndex((attempt) => attempt.status === 'more');
    for (const attempt of block.attempts.slice(best + 1)) {
      if (attempt.status === 'more') this.#advance(attempt, text, from, ending);
    }
  }

  #advance(attempt: Attempt, text: string, from: number, ending: boolean): void {
    const { reader, candidate } = attempt;
    const bodyFrom = candidate.opening.bodyFrom ?? candidate.opening.text.length;
    const isFirst = this.#block === undefined;
    try {
      if (text.length > from || isFirst)
        attempt.status = reader.read(text, isFirst ? from + bodyFrom : from);
      if (attempt.status === 'more' && ending) attempt.status = reader.end();
      if (attempt.permit !== undefined) candidate.parser.circuit.settle(attempt.permit, true, 0);
    } catch (error) {
      attempt.threw = true;
      attempt.status = 'declined';
      this.#recordThrow(attempt, error);
    }
  }

  #recordThrow(attempt: Attempt, error: unknown): void {
    const { parser } = attempt.candidate;
    const now = this.#options.clock.now();
    const permit = attempt.permit ?? parser.circuit.acquire(now);
    if (permit !== undefined) parser.circuit.settle(permit, false, now);
    const message = error instanceof Error ? error.message : String(error);
    this.#report(
      'parser-threw',
      `the parser ${parser.name} threw: ${message}`,
      this.#offset,
      parser.name,
    );
  }

  #continueBlock(chunk: string, ending: boolean): void {
    const block = this.#block;
    if (block === undefined) return;
    this.#held += chunk;
    let status = this.#advanceBlock(block, chunk, 0, ending);
    if (status === 'more' && this.#outgrows(block, chunk)) status = 'declined';
    if (status === 'more') {
      this.#tellEager(block);
      return;
    }
    const held = this.#held;
    this.#held = '';
    this.#block = undefined;
    const end = this.#settle(block, held, 0, 0, ending);
    if (this.#passesThrough) return;
    this.#scan(end >= 0 ? held.slice(end) : held, end >= 0 ? 0 : 1, ending);
  }

  /**
   * The block is decided. Returns the index after it when it was a call, -1 when it is text. `hit` is where
   * it began in `text` and `start` where the text not passed on yet begins.
   */
  #settle(block: Block, text: string, hit: number, start: number, ending: boolean): number {
    for (const attempt of block.attempts) {
      if (attempt.status !== 'done') {
        this.#noteDecline(block, attempt, hit - start, ending);
        continue;
      }
      const bodyFrom = attempt.candidate.opening.bodyFrom ?? attempt.candidate.opening.text.length;
      const end = hit + bodyFrom + attempt.reader.endOffset;
      if (exceedsUtf8(text.slice(hit, end), attempt.candidate.parser.limits.maxCallBytes)) {
        this.#noteTooLarge(attempt, hit - start);
        continue;
      }
      this.#emit(text.slice(start, hit));
      this.#tellCalls(block, attempt, text.slice(hit, end));
      return end;
    }
    this.#abandon(block, hit - start);
    this.#spend(block, text, start);
    return -1;
  }

  #noteDecline(block: Block, attempt: Attempt, ahead: number, ending: boolean): void {
    const { reader, candidate } = attempt;
    const { parser } = candidate;
    if (attempt.status === 'more') {
      this.#noteTooLarge(attempt, ahead);
      return;
    }
    parser.counters.failures++;
    this.#explain(
      candidate,
      ahead,
      'not-a-call',
      attempt.threw ? 'the parser threw' : reader.reason,
      [],
    );
    if (
      attempt.threw ||
      !reader.resembledCall ||
      block.attempts.some(({ status }) => status === 'done')
    )
      return;
    const code = reader.tooDeep
      ? 'call-too-deep'
      : reader.cut && ending
        ? 'incomplete-call'
        : 'unreadable-call';
    this.#report(
      code,
      `${candidate.opening.text}: ${reader.reason}`,
      this.#offset + ahead,
      parser.name,
    );
  }

  #noteTooLarge(attempt: Attempt, ahead: number): void {
    const { parser } = attempt.candidate;
    const message = `the call is larger than ${parser.limits.maxCallBytes} bytes`;
    parser.counters.skipped++;
    this.#explain(attempt.candidate, ahead, 'skipped', message, []);
    this.#report('call-too-large', message, this.#offset + ahead, parser.name);
  }

  /** Whether the block, still unfinished, has gone past the size of a call. */
  #outgrows(block: Block, chunk: string): boolean {
    const limit = block.maxBytes;
    if (this.#held.length * 3 <= limit) return false;
    this.#heldBytes =
      this.#heldBytes === 0 ? utf8Length(this.#held) : this.#heldBytes + utf8Length(chunk);
    return this.#heldBytes > limit;
  }

  /** What was read in vain is read again: that is paid from a budget that grows with the text. */
  #spend(block: Block, text: string, start: number): void {
    for (const { reader } of block.attempts) this.#work += reader.endOffset;
    if (this.#work <= REREADS_FREE + REREADS_PER_CHARACTER * (this.#offset + text.length)) return;
    const message =
      'the text has too many beginnings of calls that are none; the rest of it was not searched';
    this.#giveUp(text.slice(start), 'work-budget-exceeded', message);
  }

  // ── telling ───────────────────────────────────────────────────────────────────────────────────

  /** Tells what is known of the calls of a block that is still being read. */
  #tellEager(block: Block): void {
    if (!this.#sink.wantsDeltas) return;
    const first = block.attempts[0];
    if (block.attempts.length === 1 && first !== undefined) {
      this.#tellFragments(block, first);
      return;
    }
    const live = block.attempts.filter(({ status }) => status !== 'declined');
    const only = live[0];
    if (only !== undefined && live.length === 1) this.#tellFragments(block, only);
  }

  #tellFragments(block: Block, attempt: Attempt): void {
    const eager = attempt.reader.eager ?? NO_EAGER;
    for (let at = Math.max(0, block.told.length - 1); at < eager.length; at++) {
      const call = eager[at];
      if (call === undefined) break;
      let told = block.told[at];
      const index = this.#callCount + at;
      if (told === undefined) {
        told = { id: call.id ?? this.#options.nextId(), fragments: [], isWhole: false };
        block.told.push(told);
        this.#sink.callStart(
          index,
          told.id,
          this.#toolName(call.name),
          attempt.candidate.parser.name,
        );
      }
      told.isWhole = call.isWhole;
      if (call.fragment === '') continue;
      told.fragments.push(call.fragment);
      this.#sink.callDelta(index, told.id, call.fragment);
      call.fragment = '';
    }
  }

  #tellCalls(block: Block, attempt: Attempt, raw: string): void {
    const { parser } = attempt.candidate;
    parser.counters.successes++;
    if (this.#sink.wantsDeltas) this.#tellFragments(block, attempt);
    const calls = attempt.reader.calls.map((call, at) =>
      this.#complete(call, parser.name, block.told[at]),
    );
    if (this.#sink.step !== undefined) {
      const names = calls.map(({ name }) => name).join(', ');
      this.#explain(
        attempt.candidate,
        0,
        'call',
        names,
        calls.flatMap(({ repairs }) => repairs),
      );
    }
    const firstIndex = this.#callCount;
    if (this.#sink.wantsDeltas) {
      for (const [at, call] of calls.entries())
        this.#tellRest(firstIndex + at, call, block.told[at]);
    }
    for (const { id } of block.told.slice(calls.length)) this.#reportAbandoned(id, 0);
    this.#callCount += calls.length;
    this.#sink.calls(firstIndex, calls, raw);
    if (this.#options.toolNames !== undefined) for (const call of calls) this.#checkTool(call);
    this.#offset += raw.length;
    this.#atLineStart = true;
  }

  /** Tells of a call that is whole whatever was not told while it was being read. */
  #tellRest(index: number, call: ToolCall, told: ToldCall | undefined): void {
    if (told?.isWhole === true) return;
    const json = JSON.stringify(call.arguments);
    if (told === undefined) {
      this.#sink.callStart(index, call.id, call.name, call.format);
      this.#sink.callDelta(index, call.id, json);
      return;
    }
    // Fragments are the source; they stopped where it could no longer be told that it is valid JSON.
    const before = minifyJson(told.fragments.join(''));
    if (before === json) return;
    if (json.startsWith(before)) this.#sink.callDelta(index, call.id, json.slice(before.length));
    else this.#reportSuperseded(call);
  }

  #complete(raw: RawCall, format: string, told: ToldCall | undefined): ToolCall {
    const { toolNames, nextId } = this.#options;
    const name = toolNames === undefined ? raw.name : (toolNames.resolve(raw.name) ?? raw.name);
    return {
      // An id that was told stays, even where the model gives another one later in the call.
      id: told?.id ?? raw.id ?? nextId(),
      name,
      arguments: raw.arguments,
      format,
      repairs: name === raw.name ? raw.repairs : [...raw.repairs, 'tool-name'],
      complete: raw.complete,
      lossy: raw.lossy,
    };
  }

  #toolName(name: string): string {
    return this.#options.toolNames?.resolve(name) ?? name;
  }

  #checkTool(call: ToolCall): void {
    const unknown = this.#options.toolNames?.explainUnknown(call.name);
    if (unknown !== undefined)
      this.#report('unknown-tool', unknown, this.#offset, call.format, call.id);
  }

  #abandon(block: Block, ahead: number): void {
    for (const { id } of block.told) this.#reportAbandoned(id, ahead);
  }

  #reportAbandoned(id: string, ahead: number): void {
    const message = 'what began as a call turned out to be text, which follows';
    this.#report('call-abandoned', message, this.#offset + ahead, undefined, id);
  }

  #reportSuperseded(call: ToolCall): void {
    const message = 'the arguments differ from the fragments told so far; those of call-end count';
    this.#report('deltas-superseded', message, this.#offset, call.format, call.id);
  }

  #explain(
    candidate: Candidate,
    ahead: number,
    decision: 'call' | 'not-a-call' | 'skipped',
    detail: string,
    repairs: readonly string[],
  ): void {
    this.#sink.step?.({
      parser: candidate.parser.name,
      offset: this.#offset + ahead,
      opening: candidate.opening.text,
      decision,
      detail,
      repairs: [...new Set(repairs)],
    });
  }

  #report(
    code: ParseIssueCode,
    message: string,
    offset: number,
    parser?: string,
    callId?: string,
  ): void {
    const issue = { code, message, offset };
    this.#sink.issue({
      ...issue,
      ...(parser === undefined ? {} : { parser }),
      ...(callId === undefined ? {} : { callId }),
    });
  }

  // ── limits ────────────────────────────────────────────────────────────────────────────────────

  /** Counts the chunk. Returns how many of its characters still fit the limit on a message. */
  #countBytes(chunk: string): number {
    const { maxInputBytes } = this.#options.limits;
    const isDeferred = chunk.length > COUNTED_AT_ONCE;
    if (isDeferred) this.#uncounted += chunk;
    else this.#bytes += utf8Length(chunk);
    // A character is at most three bytes, so that a long chunk is counted only when that leaves a doubt.
    if (this.#bytes + this.#uncounted.length * 3 <= maxInputBytes) return chunk.length;
    this.#bytes += utf8Length(this.#uncounted);
    this.#uncounted = '';
    if (this.#bytes <= maxInputBytes) return chunk.length;
    this.#bytes -= utf8Length(chunk);
    let fits = 0;
    for (const character of chunk) {
      this.#bytes += utf8Length(character);
      if (this.#bytes > maxInputBytes) break;
      fits += character.length;
    }
    return fits;
  }

  /** From here on everything is text. */
  #giveUp(text: string, code: ParseIssueCode, message: string): void {
    this.#passesThrough = true;
    const held = this.#pending + this.#held;
    this.#pending = '';
    this.#held = '';
    if (this.#block !== undefined) this.#abandon(this.#block, 0);
    this.#block = undefined;
    this.#report(code, message, this.#offset);
    this.#emit(held + text);
  }

  /** The last resort against a parser that takes too long: the rest of this feed passes as text. */
  #isTooSlow(text: string, start: number): boolean {
    if (++this.#blocksInFeed % CLOCK_INTERVAL !== 0 || this.#feedStart < 0) return false;
    const elapsed = this.#options.clock.now() - this.#feedStart;
    const { timeoutMs } = this.#options.limits;
    if (elapsed <= timeoutMs) return false;
    this.#report('parse-timeout', timeoutMessage(elapsed, timeoutMs), this.#offset);
    this.#emit(text.slice(start));
    return true;
  }
}

/** The length of the longest end of `text` that is a beginning of `marker`. */
function partialSuffix(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(marker.slice(0, length))) return length;
  }
  return 0;
}

function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x09) return false;
  }
  return true;
}

export function timeoutMessage(elapsedMs: number, timeoutMs: number): string {
  return `Parse timeout exceeded: ${elapsedMs.toFixed(1)}ms > ${timeoutMs}ms`;
}

/** Chunks up to this length are not timed. */
const UNTIMED_CHARACTERS = 256;

/** How many blocks are tried between two looks at the clock. */
const CLOCK_INTERVAL = 16;

const NO_CANDIDATES: readonly Candidate[] = [];
const NO_EAGER: readonly EagerCall[] = [];
