import type { ToolCall } from '../types.ts';
import { OrphanEndSearch } from './orphan-end-search.ts';
import type { OrphanEnds } from './orphan-end-search.ts';
import type { ParseIssue } from './parse-issue.ts';
import type { ParseStep } from './parse-result.ts';
import type { ParseSink } from './parse-sink.ts';
import type { FoundEnd } from './reasoning-tags.ts';
import { reportIssue } from './report-issue.ts';

export interface OrphanEndOptions {
  /** What ends reasoning in any format. */
  readonly ends: OrphanEnds;
  /** Whether calls are kept until it is known that they were not only considered. */
  readonly holds: boolean;
  /** The text that is searched, in UTF-16 code units. */
  readonly maxLength: number;
}

/** An event that waits until it is known whether the text began in reasoning. */
interface HeldEvent {
  readonly raw: string;
  readonly callId?: string;
  readonly calls?: readonly ToolCall[];
  emit(): void;
}

/**
 * Reports the end of reasoning that the text did not begin. With `holds`, it buffers everything from the first
 * call on until the text ends, or until such an end shows that the calls are part of the reasoning.
 */
export class OrphanEndSink implements ParseSink {
  /** The end that was found. */
  orphan: FoundEnd | undefined;
  readonly wantsDeltas: boolean;
  readonly step: ((step: ParseStep) => void) | undefined;
  readonly #sink: ParseSink;
  readonly #options: OrphanEndOptions;
  /** Undefined once it is known how the text began. */
  #search: OrphanEndSearch | undefined;
  #held: HeldEvent[] | undefined;
  /** Where what is held begins. */
  #heldAt = 0;
  #offset = 0;
  #emitted = 0;
  /** How many calls turned out to be reasoning. */
  #considered = 0;

  constructor(sink: ParseSink, options: OrphanEndOptions) {
    this.#sink = sink;
    this.#options = options;
    this.#search = new OrphanEndSearch(options.ends);
    this.wantsDeltas = sink.wantsDeltas;
    this.step = sink.step;
  }

  text(raw: string): void {
    const room = this.#options.maxLength - this.#offset;
    if (this.#held === undefined) {
      this.#offset += raw.length;
      this.#sink.text(raw);
      if (this.#search === undefined) return;
    } else this.#pass({ raw, emit: () => this.#sink.text(raw) });
    const found = this.#search?.read(raw.length > room ? raw.slice(0, room) : raw);
    if (found !== undefined) this.#settle(found);
    else if (raw.length > room) this.release();
  }

  reasoning(text: string, raw: string): void {
    // Reasoning with a beginning of its own shows that the text did not begin in it.
    this.release();
    this.#offset += raw.length;
    this.#sink.reasoning(text, raw);
  }

  markup(raw: string): void {
    this.#skip(raw);
    this.#pass({ raw, emit: () => this.#sink.markup(raw) });
  }

  callStart(index: number, id: string, name: string, format: string): void {
    this.#hold();
    const emit = (): void => this.#sink.callStart(index - this.#considered, id, name, format);
    this.#pass({ raw: '', callId: id, emit });
  }

  callDelta(index: number, id: string, fragment: string): void {
    const emit = (): void => this.#sink.callDelta(index - this.#considered, id, fragment);
    this.#pass({ raw: '', callId: id, emit });
  }

  calls(firstIndex: number, calls: readonly ToolCall[], raw: string): void {
    this.#skip(raw);
    this.#hold();
    const emit = (): void => {
      if (this.orphan === undefined) this.#emitted += calls.length;
      this.#sink.calls(firstIndex - this.#considered, calls, raw);
    };
    this.#pass({ raw, calls, emit });
  }

  issue(issue: ParseIssue): void {
    const { code, callId } = issue;
    const about = callId === undefined ? {} : { callId };
    this.#pass({ raw: '', ...about, emit: () => this.#sink.issue(issue) });
    if (code === 'call-abandoned' && !this.#holdsCalls()) this.#flush();
  }

  /** The text is over. */
  end(): void {
    const found = this.#search?.end();
    if (found !== undefined) this.#settle(found);
    this.release();
    if (this.orphan === undefined) return;
    const { end, at } = this.orphan;
    const message = `${end.text} ended reasoning that the text did not begin: ${this.#outcome()}`;
    reportIssue(this.#sink, 'orphan-reasoning-end', message, at);
  }

  /** Emits what is held: nothing more can show that the text began in reasoning. */
  release(): void {
    this.#search = undefined;
    this.#flush();
  }

  #outcome(): string {
    const advice = 'if the prompt opens the reasoning, set startsInReasoning to true';
    if (this.#considered > 0)
      return `the ${this.#considered} calls before it are reasoning; ${advice}`;
    if (this.#emitted === 0) return advice;
    return `${this.#emitted} calls before it were emitted; ${advice}, or to 'auto' if it may`;
  }

  #hold(): void {
    if (!this.#options.holds || this.#search === undefined || this.#held !== undefined) return;
    this.#held = [];
    this.#heldAt = this.#offset;
  }

  #holdsCalls(): boolean {
    return this.#held?.some(({ calls }) => calls !== undefined) === true;
  }

  #pass(event: HeldEvent): void {
    this.#offset += event.raw.length;
    if (this.#held === undefined) event.emit();
    else this.#held.push(event);
  }

  #flush(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const event of held) event.emit();
  }

  /** A call or markup ends what came before it on its line. */
  #skip(raw: string): void {
    const found = this.#search?.skipBlock(raw.length);
    if (found !== undefined) this.#settle(found);
  }

  #settle(found: FoundEnd): void {
    this.#search = undefined;
    this.orphan = found;
    if (this.#held !== undefined && this.#holdsCalls()) this.#consider(this.#held, found);
    this.#flush();
  }

  /** Makes reasoning of what is held up to the end. */
  #consider(held: readonly HeldEvent[], { end, at }: FoundEnd): void {
    const length = at + end.text.length - this.#heldAt;
    const rest: HeldEvent[] = [];
    let source = '';
    for (const event of held) {
      const isBefore = source.length < length;
      source += isBefore ? event.raw : '';
      this.#considered += isBefore ? (event.calls?.length ?? 0) : 0;
      // What was to be emitted of these calls early, or reported, has lost its subject.
      const isRest = isBefore ? event.raw === '' && event.callId === undefined : true;
      if (isRest) rest.push(event);
    }
    this.#sink.reasoning(source.slice(0, length - end.text.length), source.slice(0, length));
    if (source.length > length) this.#sink.text(source.slice(length));
    this.#held = rest;
  }
}
