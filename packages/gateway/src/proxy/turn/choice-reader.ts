import type { ToolCall, ToolDefinition } from '@holdfast/core';
import type { ParseEvent, ParserRegistry } from '@holdfast/core/parse';
import { quoteText } from '../json/quote-text.ts';
import type { ReasoningStart } from '../reasoning/reasoning-starts.ts';
import { CallDesk } from './call-desk.ts';
import type { ReadCall } from './call-desk.ts';
import { EagerCalls } from './eager-calls.ts';
import type { FinishReason } from './finish-reason.ts';
import { NativeCalls } from './native-calls.ts';
import type { NativeCall } from './native-calls.ts';
import { hintsOf, PromptedReasoning } from './prompted-reasoning.ts';
import { readArguments } from './read-arguments.ts';
import type { TurnEvent } from './turn-event.ts';
import type { TurnNotes } from './turn-notes.ts';
import type { UpstreamEvent } from './upstream-event.ts';

type Text = Extract<UpstreamEvent, { type: 'text' }>;
type Reasoning = Extract<UpstreamEvent, { type: 'reasoning' }>;
type Opaque = Extract<UpstreamEvent, { type: 'opaque' }>;
type Finish = Extract<UpstreamEvent, { type: 'finish' }>;

export interface ChoiceOptions {
  /** The tools of the request whose calls are searched in text. */
  readonly tools: readonly ToolDefinition[];
  /**
   * The names of all tools that the request offers: a native call of any other is text.
   *
   * @defaultValue the names of `tools`
   */
  readonly offeredNames?: () => readonly string[];
  /** The model that was asked: its own dialect goes first. */
  readonly model: string;
  /** The dialect that the model was told to use, which then goes first. */
  readonly format?: string;
  /** The formats in which calls are read. Without it, all. */
  readonly formats?: readonly string[];
  readonly registry: ParserRegistry;
  readonly callsInReasoning: 'if-unclosed' | 'ignore' | 'read';
  /** Whether text without markup can be a call. */
  readonly bareCalls: boolean;
  /** Whether the text begins inside reasoning, and whether that is only assumed. @defaultValue 'auto' */
  readonly reasoningStart?: ReasoningStart;
  readonly eager: boolean;
  readonly nextId: () => string;
}

/** Reads one answer of a turn: finds the calls in its text, and mends those that the upstream found. */
export class ChoiceReader {
  isFinished = false;
  readonly #choice: number;
  readonly #options: ChoiceOptions;
  readonly #notes: TurnNotes;
  readonly #desk: CallDesk;
  readonly #native = new NativeCalls();
  readonly #eager: EagerCalls | undefined;
  readonly #start: PromptedReasoning;
  #out: TurnEvent[] = [];
  /** The event whose text is being read, to be passed on itself where nothing changes. */
  #source: Text | undefined;
  /** Whether calls found from now on are text: the answer was cut before it could end them. */
  #isCut = false;
  #hasText = false;
  /** Text that is blank so far, after a call or at the start: it is dropped if a call or the end follows. */
  #blank = '';
  #isInText = false;
  /** Tools that were not offered, and called in a way that only one protocol has. */
  readonly #refused = new Set<string>();
  /** Reasoning that the upstream told apart, while a call may hide in it. */
  #reasoning = '';

  constructor(choice: number, options: ChoiceOptions, notes: TurnNotes) {
    this.#choice = choice;
    this.#options = options;
    this.#notes = notes;
    const { offeredNames = () => [] } = options;
    this.#desk = new CallDesk(options.tools, offeredNames, options.nextId, notes);
    this.#eager = options.eager ? new EagerCalls(choice, this.#desk) : undefined;
    this.#start = new PromptedReasoning(options, (event) => this.#take(event));
  }

  /** Why the turn cannot go on, where a call was told too early. */
  get failure(): string | undefined {
    return this.#eager?.failure;
  }

  read(event: Exclude<UpstreamEvent, { type: 'start' | 'usage' | 'done' | 'error' }>): TurnEvent[] {
    if (event.type === 'finish') return resultOf(this.finishInSteps(event));
    if (this.isFinished) return this.#readLate(event);
    // A call comes before what the upstream says after it.
    if (event.type !== 'call-fragment' && this.#native.hasOpen && !isNothing(event))
      this.#closeWhole();
    switch (event.type) {
      case 'text':
        this.#readText(event);
        break;
      case 'reasoning':
        this.#readReasoning(event);
        break;
      case 'call-fragment':
        this.#readFragment(event);
        break;
      case 'opaque':
        this.#readOpaque(event);
        break;
    }
    return this.#takeOut();
  }

  /** Reads the end in steps: what waited for it may be much. */
  *finishInSteps(event: Finish): Generator<undefined, TurnEvent[], undefined> {
    if (this.isFinished) return this.#readLate(event);
    yield* this.#tellNatives(this.#native.close('whole'));
    this.isFinished = true;
    this.#isCut = event.reason === 'length' || event.reason === 'content-filter';
    yield* this.#tellNatives(this.#native.close('all'));
    this.#start.end();
    if (!this.#isCut) this.#learnStart();
    yield* this.#searchReasoning();
    this.#endBlank();
    // The turn ends in this error, and not in a finish too.
    if (this.failure !== undefined) return this.#takeOut();
    const reason = this.#reasonFor(event.reason);
    this.#out.push(reason === event.reason ? event : { ...event, reason });
    return this.#takeOut();
  }

  /** The upstream went away, or said that something failed: what was held back is text, and no call. */
  breakOff(): TurnEvent[] {
    if (this.isFinished) return [];
    this.isFinished = true;
    this.#isCut = true;
    this.#start.end();
    this.#endBlank();
    for (const { name } of this.#native.close('all'))
      this.#notes.report('incomplete-call', `the answer broke off inside a call of "${name}"`);
    return this.#takeOut();
  }

  #takeOut(): TurnEvent[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }

  /** What comes behind the end of an answer cannot be told any more. */
  #readLate(event: UpstreamEvent): TurnEvent[] {
    const isEmpty = event.type === 'text' && event.text === '';
    if (!isEmpty) this.#notes.report('late-content', `${event.type} came after the finish reason`);
    return [];
  }

  #readText(event: Text): void {
    if (event.text === '') {
      this.#out.push(event);
      return;
    }
    this.#source = event;
    this.#start.feed(event.text);
    this.#source = undefined;
  }

  #take(event: ParseEvent): void {
    const choice = this.#choice;
    switch (event.type) {
      case 'text-delta':
        this.#tellText(event.text);
        break;
      case 'reasoning-delta':
        if (event.text === '') break;
        this.#leaveText();
        this.#out.push({ type: 'reasoning', choice, text: event.text });
        break;
      case 'call-end':
        this.#takeCall(event);
        break;
      case 'call-start':
      case 'call-delta':
        if (this.#eager !== undefined) this.#tellCalls(this.#eager.take(event));
        break;
      case 'issue': {
        const { code, message } = event.issue;
        this.#notes.report(code, message);
        this.#eager?.takeIssue(code);
        break;
      }
      case 'markup':
        break;
    }
  }

  #tellText(text: string): void {
    const isBlank = text.trim() === '';
    if (isBlank && !this.#isInText && this.#blank.length < MOST_BLANK) {
      this.#blank += text;
      return;
    }
    if (!isBlank) this.#hasText = true;
    this.#isInText = true;
    const source = this.#source;
    const all = this.#blank + text;
    this.#blank = '';
    this.#out.push(
      source?.text === all ? source : { type: 'text', choice: this.#choice, text: all },
    );
  }

  /** Blank text between calls would be a block of its own, which servers refuse when it is sent back to them. */
  #tellCalls(events: readonly TurnEvent[]): void {
    if (events.length === 0) return;
    this.#blank = '';
    this.#isInText = false;
    this.#out.push(...events);
  }

  /** Reasoning follows. Blank text before it stays if no call was seen. */
  #leaveText(): void {
    if (this.#desk.count === 0) this.#endBlank();
    this.#isInText = false;
  }

  #endBlank(): void {
    const text = this.#blank;
    this.#blank = '';
    if (text === '' || this.#desk.count > 0) return;
    this.#out.push({ type: 'text', choice: this.#choice, text });
  }

  #takeCall({ call, raw }: Extract<ParseEvent, { type: 'call-end' }>): void {
    if (this.#eager?.has(call.id) === true) {
      this.#tellCalls(this.#eager.finish(call.id));
      return;
    }
    if (this.#isCut || call.lossy) {
      const why = this.#isCut
        ? 'the answer was cut before it was certain that the call counts'
        : 'it is guesswork';
      this.#notes.report('call-not-told', `a call of "${call.name}" stays text: ${why}`);
      if (raw !== '') this.#tellText(raw);
      return;
    }
    this.#tellCall(call);
  }

  #tellCall(call: ReadCall): void {
    const ready = this.#desk.ready(call);
    this.#tellCalls([{ type: 'call', choice: this.#choice, call: ready }]);
  }

  #readReasoning(event: Reasoning): void {
    if (event.text !== '') {
      this.#start.noteReasoning();
      this.#leaveText();
    }
    this.#out.push(event);
    const mayHide = this.#options.tools.length > 0 && !this.#hasText;
    if (mayHide && this.#reasoning.length < MOST_REASONING) this.#reasoning += event.text;
  }

  #readOpaque(event: Opaque): void {
    const { call } = event;
    if (call === undefined || this.#desk.offeredName(call.tool) !== undefined) {
      this.#out.push(event);
      return;
    }
    if (!this.#refused.has(call.tool)) this.#reportUnknown(call.tool);
    this.#refused.add(call.tool);
    if (call.text !== '') this.#tellText(call.text);
  }

  #reportUnknown(tool: string): void {
    const message = `a call of ${quoteText(tool)} stays text: the request offers no such tool`;
    this.#notes.report('unknown-tool', message);
  }

  // ── calls the upstream read itself ────────────────────────────────────────────────────────────

  #readFragment(event: Extract<UpstreamEvent, { type: 'call-fragment' }>): void {
    // One after the other, as nearly all upstreams send them, a call is over when the next begins.
    if (this.#native.begins(event.slot)) this.#closeWhole();
    const call = this.#native.add(event);
    if (call === undefined)
      this.#notes.report('late-content', 'part of a call came after the call was told');
    else if (this.#eager !== undefined) this.#tellCalls(this.#eager.takeNative(call));
  }

  #closeWhole(): void {
    for (const call of this.#native.close('whole')) this.#tellNative(call);
  }

  *#tellNatives(calls: readonly NativeCall[]): Generator<undefined, void, undefined> {
    for (const call of calls) {
      this.#tellNative(call);
      yield;
    }
  }

  #tellNative(call: NativeCall): void {
    const { json, id } = call;
    const written = call.name.trim();
    const isNamed = written !== '';
    const name = isNamed ? this.#desk.offeredName(written) : undefined;
    // Without arguments a call that was cut looks like one that has none.
    const read = isNamed && !(this.#isCut && json.trim() === '') ? readArguments(json) : undefined;
    if (this.#eager?.hasNative(call) === true) {
      this.#tellCalls(this.#eager.finishNative(call, read?.repairs.length === 0));
      return;
    }
    if (read === undefined || name === undefined) {
      if (isNamed && name === undefined) this.#reportUnknown(written);
      else {
        const why = isNamed ? 'its arguments cannot be read' : 'it names no tool';
        this.#notes.report('unreadable-call', `a call of "${call.name}" stays text: ${why}`);
      }
      this.#tellText(`{"name": ${JSON.stringify(call.name)}, "arguments": ${json || '{}'}}`);
      return;
    }
    const { value, text, repairs } = read;
    this.#tellCall({
      id,
      name,
      arguments: value,
      ...(text !== undefined && { argumentsText: text }),
      format: 'native',
      repairs: name === written ? repairs : [...repairs, 'tool-name'],
    });
  }

  // ── the end ───────────────────────────────────────────────────────────────────────────────────

  /** An answer that was only assumed to begin in reasoning, and never ended it, is text. */
  #learnStart(): void {
    const { seen, unclosed } = this.#start;
    this.#notes.noteStart(seen);
    if (unclosed !== '' && this.#desk.count === 0) this.#tellText(unclosed);
  }

  #reasonFor(said: FinishReason): FinishReason {
    const hasCalls = this.#desk.count > 0;
    if (said === 'tool-calls') return hasCalls ? said : 'stop';
    if (said === 'stop' || said === 'stop-sequence') return hasCalls ? 'tool-calls' : said;
    return said;
  }

  /** Servers that look for reasoning take all for it where the model forgets to end it: the call too. */
  *#searchReasoning(): Generator<undefined, void, undefined> {
    const { callsInReasoning, registry, tools, nextId } = this.#options;
    // Reasoning names tools as often as it calls them.
    const bareCalls = this.#options.bareCalls && callsInReasoning === 'read';
    if (this.#reasoning === '' || callsInReasoning === 'ignore' || this.#isCut) return;
    const isEnded = this.#hasText || this.#desk.count > 0;
    if (isEnded && callsInReasoning !== 'read') return;
    const reading = { tools, ...hintsOf(this.#options), bareCalls, nextId };
    const calls: ToolCall[] = [];
    const onEvent = (event: ParseEvent): void => {
      if (event.type === 'call-end') calls.push(event.call);
    };
    const stream = registry.createStream({ ...reading, onEvent });
    for (let from = 0; from < this.#reasoning.length; from += REASONING_STEP) {
      stream.feed(this.#reasoning.slice(from, from + REASONING_STEP));
      yield;
    }
    stream.end();
    for (const call of calls) if (!call.lossy) this.#tellCall(call);
  }
}

function isNothing(event: UpstreamEvent): boolean {
  return (event.type === 'text' || event.type === 'reasoning') && event.text === '';
}

/** More blank text than this is not kept back. */
const MOST_BLANK = 1024;

/** Calls stand at the end of reasoning; more than this is not kept to search it. */
const MOST_REASONING = 1_048_576;

/** How much of it is searched in one step, in characters. */
const REASONING_STEP = 16_384;

/** What steps come to. */
function resultOf<Result>(steps: Iterator<unknown, Result, undefined>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
