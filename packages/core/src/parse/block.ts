import type { Permit } from '../internal/circuit-machine.ts';
import type { MonotonicClock } from '../internal/clock.ts';
import { HALF_OF_A_PAIR } from '../internal/utf8-length.ts';
import { ByteMeter } from './byte-meter.ts';
import { addTime } from './engine-parser.ts';
import type { CallReader, EagerCall, ReadStatus } from './format.ts';
import type { Candidate } from './grammar.ts';
import type { RememberingContext } from './read-context.ts';

/** One format trying to read a block. */
export interface Attempt {
  readonly candidate: Candidate;
  readonly reader: CallReader;
  readonly context: RememberingContext;
  readonly permit: Permit;
  status: ReadStatus;
  /** Calls were read, but none that counts. */
  isUnknown: boolean;
  /** It was given all that a call of its parser may have, and wanted more. */
  isTooLarge: boolean;
  /** Counts the bytes it was given, once their number matters. */
  meter: ByteMeter | undefined;
  /** What its parser threw, if it did. */
  thrown: Error | undefined;
  /** Only the end of the text decided it: whatever it found, it has read all there is. */
  neededEnd: boolean;
}

/** A call told with `call-start` before its block was read to the end. */
export interface ToldCall {
  readonly id: string;
  readonly name: string;
  /** How much was told of its arguments so far, and what, unless its reader has that. */
  length: number;
  json: string;
  first: EagerCall['first'];
  /** What was told that the format now in the lead has not read yet. */
  ahead: string;
  /** Whether that format reads something else than what was told: then no more is told until the end. */
  differs: boolean;
  /** Whether that is all there is. */
  isWhole: boolean;
  /** The object that was told, where the reader knows it. */
  value: EagerCall['value'];
}

/** What a character takes at most. */
const MOST_BYTES = 3;
/** Chunks up to this length are not timed. */
const UNTIMED_CHARACTERS = 256;

/**
 * What begins at an opening and may be a call. All formats that claim the opening read it side by side;
 * the best of them that finds a call wins, and everything from the opening on is held until that is known.
 */
export class Block {
  readonly attempts: readonly Attempt[];
  /** All that claimed the opening and could not be ruled out by a look. */
  readonly claimed: readonly Candidate[];
  readonly told: ToldCall[] = [];
  /** Whose calls were told. It may decline, and another take the lead. */
  teller: Attempt | undefined;
  /** The one format still in question, once there is only one. */
  only: Attempt | undefined;
  /** How many of the told calls are whole: nothing more is told of those. */
  wholeCalls = 0;
  /** How long it is so far. */
  length = 0;
  readonly #counts: (reader: CallReader) => boolean;
  readonly #clock: MonotonicClock;
  readonly #startedAt: number;
  #isOpened = false;
  #held = '';
  /** The only format in question, if its reader keeps the source: then it alone does. */
  #keeper: Attempt | undefined;

  /** `attempts` best first. */
  constructor(
    attempts: readonly Attempt[],
    claimed: readonly Candidate[],
    counts: (reader: CallReader) => boolean,
    clock: MonotonicClock,
    startedAt: number,
  ) {
    this.attempts = attempts;
    this.claimed = claimed;
    this.#counts = counts;
    this.#clock = clock;
    this.#startedAt = startedAt;
    this.#setOnly(attempts.length === 1 ? attempts[0] : undefined);
  }

  /** The source so far, from the opening on. */
  get text(): string {
    const keeper = this.#keeper;
    if (keeper === undefined) return this.#held;
    return this.#held.slice(0, bodyFrom(keeper.candidate)) + (keeper.reader.body ?? '');
  }

  /** The source up to the chunk that is being read, of which a reader may have some already. */
  get #textBefore(): string {
    return this.text.slice(0, this.length);
  }

  /** Keeps its source, first the opening with what came along. Twice only while several formats are in question. */
  hold(chunk: string): void {
    if (this.length === 0 || this.#keeper === undefined) this.#held += chunk;
    this.length += chunk.length;
  }

  /** Reads on from `text[from]`, at first the opening. Returns `more` until the best format left has decided. */
  advance(text: string, from: number, ending: boolean): ReadStatus {
    // A few characters are not worth two looks at the clock, which would cost more than reading them.
    if (this.#isOpened && text.length - from <= UNTIMED_CHARACTERS) {
      return this.#advanceAll(text, from, ending);
    }
    const started = this.#isOpened ? this.#clock.now() : this.#startedAt;
    const status = this.#advanceAll(text, from, ending);
    this.#isOpened = true;
    this.#addTime(this.#clock.now() - started);
    return status;
  }

  #advanceAll(text: string, from: number, ending: boolean): ReadStatus {
    if (this.only !== undefined) {
      this.#advance(this.only, text, from, ending);
      return this.only.status;
    }
    let status: ReadStatus = 'declined';
    for (const attempt of this.attempts) {
      if (attempt.status === 'more') this.#advance(attempt, text, from, ending);
      // Behind the first that has not declined, the others only read along in case it still does.
      if (status === 'declined') status = attempt.status;
      if (status === 'done') break;
    }
    this.#setOnly(this.#findOnly());
    return status;
  }

  /** The best format that has not declined: if it finds a call, that is the block's. */
  get leader(): Attempt | undefined {
    return this.only ?? this.attempts.find(({ status }) => status !== 'declined');
  }

  /** The one format that has not declined, if there is only one. */
  #findOnly(): Attempt | undefined {
    let only: Attempt | undefined;
    for (const attempt of this.attempts) {
      if (attempt.status === 'declined') continue;
      if (only !== undefined) return undefined;
      only = attempt;
    }
    return only;
  }

  #setOnly(only: Attempt | undefined): void {
    this.only = only;
    // One that was done before the others declined was not given the rest.
    if (only?.status === 'more' && only.reader.body !== undefined) this.#keeper = only;
  }

  #advance(attempt: Attempt, text: string, from: number, ending: boolean): void {
    const { reader, candidate, permit } = attempt;
    const { circuit } = candidate.parser;
    try {
      const start = this.#isOpened ? from : from + bodyFrom(candidate);
      const isCounted = attempt.meter !== undefined;
      let fits = isCounted ? this.#fit(attempt, text, from) : this.#surelyFits(attempt, text, from);
      // Where not even the opening fits, nobody reads it.
      let hasMore = !this.#isOpened || fits > from;
      if (hasMore && start <= fits) {
        attempt.status = readUpTo(attempt, text, start, fits);
        hasMore = false;
      }
      if (attempt.status === 'more' && fits < text.length && !isCounted) {
        const next = hasMore ? start : fits;
        fits = this.#fit(attempt, text, from);
        if (next < fits || (hasMore && next === fits))
          attempt.status = readUpTo(attempt, text, next, fits);
      }
      if (fits < text.length && attempt === this.#keeper) this.#holdAgain();
      if (attempt.status === 'more' && fits < text.length) {
        attempt.isTooLarge = true;
        attempt.status = 'declined';
      }
      if (attempt.status === 'more' && ending) {
        attempt.neededEnd = true;
        attempt.status = reader.end();
      }
      if (attempt.status !== 'more') circuit.settle(permit, 'success', 0);
      // Whoever reads along may still find a call that counts.
      if (attempt.status === 'done' && !this.#counts(reader)) {
        attempt.isUnknown = true;
        attempt.status = 'declined';
      }
    } catch (error) {
      attempt.thrown = error instanceof Error ? error : new Error(String(error));
      attempt.status = 'declined';
      circuit.settle(permit, 'failure', this.#clock.now());
    }
  }

  /**
   * How far `text` may be read, from `from` on, whatever characters come. Most calls end long before; counting the
   * bytes of all that follows a call for each of them would take time that grows with the square of the text.
   */
  #surelyFits({ candidate, context }: Attempt, text: string, from: number): number {
    const room = candidate.parser.limits.maxCallBytes - this.length * MOST_BYTES;
    if ((text.length - from) * MOST_BYTES + HALF_OF_A_PAIR <= room) return text.length;
    const plain = context.asciiUntil(text, from) - from;
    if (plain > room) return from + Math.max(0, room);
    const others = Math.floor((room - HALF_OF_A_PAIR - plain) / MOST_BYTES);
    return Math.min(text.length, from + Math.max(0, plain + others));
  }

  /**
   * How far `text` may be read, from `from` on, before the block is larger than a call of the parser may be. It is
   * given no more: what it makes of a text that is too long must not depend on how much of it came at once.
   */
  #fit(attempt: Attempt, text: string, from: number): number {
    const { context, candidate } = attempt;
    if (attempt.meter === undefined) {
      // Whoever reads the same text again can be given all that fits at once.
      context.searchAscii(text, from);
      attempt.meter = new ByteMeter(candidate.parser.limits.maxCallBytes);
      attempt.meter.fit(this.#textBefore, 0);
    }
    return attempt.meter.fit(text, from, context.asciiUntil(text, from));
  }

  /** The reader that kept the source was not given all of it. */
  #holdAgain(): void {
    this.#held = this.#textBefore;
    this.#keeper = undefined;
  }

  #addTime(ms: number): void {
    const best = this.attempts.find(({ status }) => status !== 'declined') ?? this.attempts[0];
    if (best !== undefined) addTime(best.candidate.parser.counters, ms);
  }
}

/** Has its reader read `text` from `from` on, as if it ended at `end`. */
function readUpTo(
  { reader, context }: Attempt,
  text: string,
  from: number,
  end: number,
): ReadStatus {
  if (end === text.length) return reader.read(text, from);
  const beginning = text.slice(0, end);
  context.give(beginning, text);
  return reader.read(beginning, from);
}

/** How many characters of the opening come before the body. */
export function bodyFrom({ opening }: Candidate): number {
  return opening.bodyFrom ?? opening.text.length;
}
