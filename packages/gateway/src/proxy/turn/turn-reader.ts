import { BYTES_PER_TOKEN } from '../count-tokens.ts';
import { ChoiceReader } from './choice-reader.ts';
import type { ChoiceOptions } from './choice-reader.ts';
import type { TurnError } from './turn-error.ts';
import type { TurnEvent } from './turn-event.ts';
import { TurnNotes } from './turn-notes.ts';
import type { UpstreamEvent } from './upstream-event.ts';

type Text = Extract<UpstreamEvent, { type: 'text' }>;
type Failure = Extract<UpstreamEvent, { type: 'error' }>;

export interface TurnOptions extends ChoiceOptions {
  /**
   * Estimates what the input costs, for an upstream that reports no usage.
   *
   * @defaultValue none: no usage is added
   */
  readonly estimateInput?: () => number;
}

/**
 * Reads a turn of a model: what its upstream says becomes what the client is told. Streamed and whole answers
 * go through it alike. It ends in a finish for every choice, or in an error, and never in both.
 */
export class TurnReader {
  readonly notes: TurnNotes = new TurnNotes();
  readonly #options: TurnOptions;
  readonly #choices = new Map<number, ChoiceReader>();
  #isDone = false;
  #hasFailed = false;
  #hasUsage = false;
  #outputBytes = 0;

  constructor(options: TurnOptions) {
    this.#options = options;
  }

  /** Whether the turn has failed: nothing more is told then. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  read(events: readonly UpstreamEvent[]): TurnEvent[] {
    return this.#read(events);
  }

  #read(events: readonly UpstreamEvent[]): TurnEvent[] {
    const out: TurnEvent[] = [];
    for (const event of events) {
      if (this.#hasFailed) break;
      switch (event.type) {
        case 'usage':
          this.#hasUsage = true;
          out.push(event);
          break;
        case 'start':
          out.push(event);
          break;
        case 'done':
          this.#isDone = true;
          this.#finishAll(out);
          // A call told too early may have failed it only now.
          if (this.hasFailed) break;
          this.#addUsage(out);
          out.push(event);
          break;
        case 'error':
          this.#breakOff(out, event);
          break;
        default:
          this.#readChoice(out, event.choice, event);
      }
    }
    return out;
  }

  /** Reads as `read` does, in steps, so that other work can run between them. */
  *readInSteps(events: readonly UpstreamEvent[]): Generator<undefined, TurnEvent[], undefined> {
    const out: TurnEvent[] = [];
    for (const event of events) {
      yield;
      if (event.type === 'text' && event.text.length > TEXT_STEP) {
        for (const told of yield* this.#readText(event)) out.push(told);
      } else if (event.type === 'finish' && !this.#hasFailed) {
        const reader = this.#choiceAt(event.choice);
        this.#take(out, yield* reader.finishInSteps(event), reader);
      } else for (const told of this.#read([event])) out.push(told);
    }
    return out;
  }

  /** A long text becomes what it would in one piece: the very same event, where nothing changes. */
  *#readText(event: Text): Generator<undefined, TurnEvent[], undefined> {
    const out: TurnEvent[] = [];
    const { text } = event;
    for (let from = 0; from < text.length; from += TEXT_STEP) {
      const part = { ...event, text: text.slice(from, from + TEXT_STEP) };
      for (const told of this.#read([part])) {
        const last = out.at(-1);
        if (last?.type === 'text' && told.type === 'text' && last.choice === told.choice)
          out[out.length - 1] = { ...last, text: last.text + told.text };
        else out.push(told);
      }
      yield;
    }
    const [first] = out;
    const isSame = out.length === 1 && first?.type === 'text' && first.text === text;
    return isSame ? [event] : out;
  }

  /** The upstream has ended, or broken off with `failure`. */
  end(failure?: TurnError): TurnEvent[] {
    const out: TurnEvent[] = [];
    if (this.#hasFailed) return out;
    if (failure !== undefined) this.#breakOff(out, { type: 'error', error: failure });
    else if (this.#isDone || this.#areAllFinished()) this.#addUsage(out);
    else this.#fail(out, { type: 'error', error: ENDED_EARLY });
    return out;
  }

  #readChoice(out: TurnEvent[], choice: number, event: Parameters<ChoiceReader['read']>[0]): void {
    const reader = this.#choiceAt(choice);
    this.#take(out, reader.read(event), reader);
  }

  #choiceAt(choice: number): ChoiceReader {
    let reader = this.#choices.get(choice);
    if (reader === undefined) {
      reader = new ChoiceReader(choice, this.#options, this.notes);
      this.#choices.set(choice, reader);
    }
    return reader;
  }

  #take(out: TurnEvent[], events: readonly TurnEvent[], reader: ChoiceReader): void {
    // One by one: as arguments of one call, very many would not fit on the stack.
    for (const told of events) {
      out.push(told);
      if (this.#options.estimateInput !== undefined) this.#outputBytes += bytesOf(told);
    }
    if (reader.failure === undefined) return;
    const error = { kind: 'upstream', message: reader.failure } as const;
    this.#fail(out, { type: 'error', error });
  }

  /** Clients count on usage: where the upstream reports none, it is estimated. */
  #addUsage(out: TurnEvent[]): void {
    const { estimateInput } = this.#options;
    if (this.#hasUsage || estimateInput === undefined) return;
    this.#hasUsage = true;
    const outputTokens = Math.ceil(this.#outputBytes / BYTES_PER_TOKEN);
    const usage = { inputTokens: estimateInput(), outputTokens, estimated: true } as const;
    out.push({ type: 'usage', usage });
  }

  #areAllFinished(): boolean {
    const choices = [...this.#choices.values()];
    return choices.length > 0 && choices.every(({ isFinished }) => isFinished);
  }

  /** An upstream that says that this is all, and not why, has stopped. */
  #finishAll(out: TurnEvent[]): void {
    // Perhaps it said nothing else.
    if (this.#choices.size === 0)
      this.#readChoice(out, 0, { type: 'finish', choice: 0, reason: 'stop' });
    for (const [choice, reader] of this.#choices) {
      if (!reader.isFinished)
        this.#readChoice(out, choice, { type: 'finish', choice, reason: 'stop' });
    }
  }

  /** Whoever has said why it stopped has said everything: nothing of the turn is missing then. */
  #breakOff(out: TurnEvent[], event: Failure): void {
    if (this.#areAllFinished()) this.notes.report('late-failure', event.error.message);
    else this.#fail(out, event);
  }

  #fail(out: TurnEvent[], event: Failure): void {
    for (const reader of this.#choices.values())
      for (const told of reader.breakOff()) out.push(told);
    this.#hasFailed = true;
    this.notes.report('turn-failed', event.error.message);
    out.push(event);
  }
}

/** How much text is read in one step, in characters. */
const TEXT_STEP = 16_384;

/** What the model wrote of an event. */
function bytesOf(event: TurnEvent): number {
  switch (event.type) {
    case 'text':
    case 'reasoning':
      return Buffer.byteLength(event.text);
    case 'call':
      return Buffer.byteLength(event.call.name) + Buffer.byteLength(event.call.json);
    case 'call-start':
      return Buffer.byteLength(event.name);
    case 'call-delta':
      return Buffer.byteLength(event.json);
    default:
      return 0;
  }
}

const ENDED_EARLY: TurnError = Object.freeze({
  kind: 'upstream',
  message:
    'the upstream ended its answer without a finish reason: the rest of it is missing, and a call that was cut with it is not told',
});
