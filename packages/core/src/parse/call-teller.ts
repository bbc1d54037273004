import type { ToolNames } from '../internal/tool-names.ts';
import type { Repair, ToolCall } from '../types.ts';
import { argumentsJson } from './arguments-text.ts';
import type { Attempt, Block, ToldCall } from './block.ts';
import { completeCall } from './complete-call.ts';
import type { EagerCall, RawCall } from './format.ts';
import { minifyJson } from './json/minify-json.ts';
import type { OfferedTools } from './offered-tools.ts';
import type { ParseOptions } from './parse-options.ts';
import type { ParseSink } from './parse-sink.ts';
import { reportIssue } from './report-issue.ts';

type UnknownTool = NonNullable<ParseOptions['unknownTool']>;

/** Tells calls: their beginnings and fragments as they are read, and the whole of them in the end. */
export class CallTeller {
  /** How many calls were told whole. */
  count = 0;
  readonly #sink: ParseSink;
  readonly #nextId: () => string;
  readonly #tools: OfferedTools | undefined;
  readonly #toolNames: ToolNames | undefined;
  readonly #unknownTool: UnknownTool;

  constructor(
    sink: ParseSink,
    options: {
      readonly nextId: () => string;
      readonly tools: OfferedTools | undefined;
      readonly unknownTool: UnknownTool;
    },
  ) {
    this.#sink = sink;
    this.#nextId = options.nextId;
    this.#tools = options.tools;
    this.#toolNames = options.tools?.names;
    this.#unknownTool = options.unknownTool;
  }

  /** The calls that count: with `unknownTool: 'text'`, those of tools that were offered. */
  known(calls: readonly RawCall[]): readonly RawCall[] {
    if (this.#toolNames === undefined || this.#unknownTool !== 'text') return calls;
    return calls.filter(({ name }) => this.#counts(name));
  }

  /** What to say of calls of which none counts. */
  explainUnknown(calls: readonly RawCall[]): string {
    const [first] = calls;
    return this.#toolNames?.explainUnknown(first?.name ?? '') ?? 'it holds no call';
  }

  #counts(name: string): boolean {
    if (this.#unknownTool !== 'text' || this.#toolNames === undefined) return true;
    return this.#toolNames.resolve(name) !== undefined;
  }

  /** Tells what is known of the calls of a block that is still being read. */
  tellBeginning(block: Block): void {
    if (!this.#sink.wantsDeltas) return;
    const { leader } = block;
    if (leader !== undefined) this.#tellFragments(block, leader);
  }

  /** Tells the calls that count of a block that was read, or of a place in it. */
  tellCalls(
    block: Block,
    attempt: Attempt,
    raw: string,
    offset: number,
    read: readonly RawCall[] = attempt.reader.calls,
  ): void {
    const { reader } = attempt;
    const { parser } = attempt.candidate;
    const counted = this.known(read);
    if (this.#sink.wantsDeltas) {
      this.#tellFragments(block, attempt);
      // Arguments that were whole may have been followed by others of the same call.
      for (const [at, told] of block.told.entries())
        told.isWhole &&= reader.eager?.[at]?.isWhole !== false;
    }
    const calls: ToolCall[] = [];
    for (const call of counted) {
      const told = this.#toldAs(call.name, block.told[calls.length], offset);
      // An id that was told stays.
      const id = told?.id ?? call.id ?? this.#nextId();
      const whole = completeCall(call, parser.name, id, this.#tools, (message) => {
        const about = { parser: parser.name, callId: id };
        reportIssue(this.#sink, 'digits-lost', message, offset, about);
      });
      if (this.#sink.wantsDeltas) this.#tellRest(this.count + calls.length, whole, told, offset);
      calls.push(whole);
    }
    for (let at = calls.length; at < block.told.length; at++)
      this.#reportAbandoned(block.told[at]?.id ?? '', offset);
    this.#sink.calls(this.count, calls, raw);
    this.count += calls.length;
    if (this.#toolNames === undefined || this.#unknownTool === 'call') return;
    for (const call of calls) this.#checkTool(call.name, parser.name, offset, call.id);
    if (counted.length < read.length) this.tellUnknown(read, parser.name, offset);
  }

  /** Says which of the calls do not count. */
  tellUnknown(calls: readonly RawCall[], parser: string, offset: number): void {
    for (const { name } of calls) {
      if (!this.#counts(name)) this.#checkTool(name, parser, offset);
    }
  }

  /** The block turned out to be text. */
  abandon(block: Block, offset: number): void {
    for (const { id } of block.told) this.#reportAbandoned(id, offset);
  }

  /** What was told of a call of that name; what was told of another is taken back. */
  #toldAs(name: string, told: ToldCall | undefined, offset: number): ToldCall | undefined {
    const known = this.#toolNames?.resolve(name) ?? name;
    if (told === undefined || told.name === known) return told;
    this.#reportAbandoned(told.id, offset);
    return undefined;
  }

  #tellFragments(block: Block, attempt: Attempt): void {
    const eager = attempt.reader.eager ?? NO_EAGER;
    if (block.teller !== attempt) followAnother(block, attempt);
    for (let at = block.wholeCalls; at < eager.length; at++) {
      const call = eager[at];
      if (call === undefined) break;
      // What comes behind a call that does not count is told at the end, when the count is known.
      if (block.told[at] === undefined && !this.#counts(call.name)) break;
      const told = block.told[at] ?? this.#tellStart(block, attempt, call);
      told.isWhole = call.isWhole;
      told.value = call.value;
      if (call.isWhole && at === block.wholeCalls) block.wholeCalls++;
      const fragment = takeFragment(call, told);
      if (fragment === '') continue;
      told.length += fragment.length;
      if (told.first === undefined) told.json += fragment;
      this.#sink.callDelta(this.count + at, told.id, fragment);
    }
  }

  #tellStart(block: Block, attempt: Attempt, call: EagerCall): ToldCall {
    const name = this.#toolNames?.resolve(call.name) ?? call.name;
    const told: ToldCall = {
      id: call.id ?? this.#nextId(),
      name,
      length: 0,
      json: '',
      first: call.first,
      ahead: '',
      differs: false,
      isWhole: false,
      value: call.value,
    };
    const index = this.count + block.told.length;
    block.told.push(told);
    this.#sink.callStart(index, told.id, name, attempt.candidate.parser.name);
    return told;
  }

  /** Tells of a call that is whole whatever was not told while it was being read. */
  #tellRest(index: number, call: ToolCall, told: ToldCall | undefined, offset: number): void {
    if (told !== undefined && isAllOf(call, told) && !call.repairs.some(changesFragments)) return;
    const json = argumentsJson(call);
    if (told === undefined) {
      this.#sink.callStart(index, call.id, call.name, call.format);
      this.#sink.callDelta(index, call.id, json);
      return;
    }
    // Fragments are the source; they stopped where it could no longer be told that it is valid JSON.
    const source = told.first?.(told.length) ?? told.json;
    const before = call.argumentsText === undefined ? minifyJson(source) : source;
    if (before === json) return;
    if (json.startsWith(before)) {
      this.#sink.callDelta(index, call.id, json.slice(before.length));
      return;
    }
    const message = 'the arguments differ from the fragments told so far; those of call-end count';
    const about = { parser: call.format, callId: call.id };
    reportIssue(this.#sink, 'deltas-superseded', message, offset, about);
  }

  #reportAbandoned(callId: string, offset: number): void {
    const message = 'what began as a call turned out to be text, which follows';
    reportIssue(this.#sink, 'call-abandoned', message, offset, { callId });
  }

  #checkTool(name: string, parser: string, offset: number, callId?: string): void {
    const message = this.#toolNames?.explainUnknown(name);
    if (message === undefined) return;
    const about = callId === undefined ? { parser } : { parser, callId };
    reportIssue(this.#sink, 'unknown-tool', message, offset, about);
  }
}

/** An object split in two went on after its fragments had ended; a number may be a string of its digits by now. */
function changesFragments(repair: Repair): boolean {
  return repair === 'split-object' || repair === 'number';
}

const NO_EAGER: readonly EagerCall[] = [];

/** Another format is in the lead: what it reads has to be what was told already, and is told from there on. */
function followAnother(block: Block, attempt: Attempt): void {
  block.teller = attempt;
  block.wholeCalls = 0;
  for (const told of block.told) {
    told.json = told.first?.(told.length) ?? told.json;
    told.first = undefined;
    told.ahead = told.json;
    told.isWhole = false;
  }
}

/** The fragment of a call that is not told yet. */
function takeFragment(call: EagerCall, told: ToldCall): string {
  const { fragment } = call;
  call.fragment = '';
  if (told.ahead === '' || fragment === '') return told.differs ? '' : fragment;
  const known = Math.min(told.ahead.length, fragment.length);
  told.differs ||= told.ahead.slice(0, known) !== fragment.slice(0, known);
  told.ahead = told.ahead.slice(known);
  return told.differs ? '' : fragment.slice(known);
}

/** Whether what was told of the arguments is all of them. */
function isAllOf(call: ToolCall, told: ToldCall): boolean {
  if (!told.isWhole || told.differs || told.ahead !== '') return false;
  return told.value === undefined || told.value === call.arguments;
}
