import { ChoiceReader } from './choice-reader.ts';
import type { ChoiceOptions } from './choice-reader.ts';
import type { TurnError } from './turn-error.ts';
import type { TurnEvent } from './turn-event.ts';
import { TurnNotes } from './turn-notes.ts';
import type { UpstreamEvent } from './upstream-event.ts';

type Failure = Extract<UpstreamEvent, { type: 'error' }>;

/**
 * Reads a turn of a model: what its upstream says becomes what the client is told. Streamed and whole answers
 * go through it alike. It ends in a finish for every choice, or in an error, and never in both.
 */
export class TurnReader {
  readonly notes: TurnNotes = new TurnNotes();
  readonly #options: ChoiceOptions;
  readonly #choices = new Map<number, ChoiceReader>();
  #isDone = false;
  #hasFailed = false;

  constructor(options: ChoiceOptions) {
    this.#options = options;
  }

  /** Whether the turn has failed: nothing more is told then. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  read(events: readonly UpstreamEvent[]): TurnEvent[] {
    const out: TurnEvent[] = [];
    for (const event of events) {
      if (this.#hasFailed) break;
      switch (event.type) {
        case 'start':
        case 'usage':
          out.push(event);
          break;
        case 'done':
          this.#isDone = true;
          this.#finishAll(out);
          // A call told too early may have failed it only now.
          if (!this.hasFailed) out.push(event);
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

  /** The upstream has ended, or broken off with `failure`. */
  end(failure?: TurnError): TurnEvent[] {
    const out: TurnEvent[] = [];
    if (this.#hasFailed) return out;
    if (failure !== undefined) this.#breakOff(out, { type: 'error', error: failure });
    else if (!this.#isDone && !this.#areAllFinished())
      this.#fail(out, { type: 'error', error: ENDED_EARLY });
    return out;
  }

  #readChoice(out: TurnEvent[], choice: number, event: Parameters<ChoiceReader['read']>[0]): void {
    let reader = this.#choices.get(choice);
    if (reader === undefined) {
      reader = new ChoiceReader(choice, this.#options, this.notes);
      this.#choices.set(choice, reader);
    }
    // One by one: as arguments of one call, very many would not fit on the stack.
    for (const told of reader.read(event)) out.push(told);
    if (reader.failure === undefined) return;
    const error = { kind: 'upstream', message: reader.failure } as const;
    this.#fail(out, { type: 'error', error });
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

const ENDED_EARLY: TurnError = Object.freeze({
  kind: 'upstream',
  message:
    'the upstream ended its answer without a finish reason: the rest of it is missing, and a call that was cut with it is not told',
});
