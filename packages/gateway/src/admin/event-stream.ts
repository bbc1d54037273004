import type { Clock, JsonObject } from '@holdfast/core';
import { beginEventStream } from '../http/begin-event-stream.ts';
import { ClientGoneError } from '../http/client-gone-error.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import type { StreamWriter } from '../http/stream-writer.ts';
import { logLineJson } from '../log/log-ring.ts';
import type { LogRing } from '../log/log-ring.ts';
import { eventText } from '../observe/event-json.ts';
import type { ObservedEvent } from '../observe/gateway-event.ts';
import type { Observer } from '../observe/observer.ts';

export interface EventStreamOptions {
  readonly observer: Observer;
  readonly logs: LogRing;
  readonly clock: Clock;
}

/** What one client wants to hear. */
export interface EventWish {
  /** Events after this one that are still kept come first; undefined for those to come only. */
  readonly after: number | undefined;
  /** Undefined for all. */
  readonly types: ReadonlySet<string> | undefined;
  /** Whether lines of the log come too. */
  readonly logs: boolean;
}

/** Events that come close together are told together. */
const TOGETHER_MS = 25;
/** So many at a time, so that one that is far behind costs no more memory than others. */
const MOST_AT_ONCE = 200;
const BEAT_MS = 15_000;

/**
 * Tells one client what happens, at the pace at which it reads. What it has not read yet is kept nowhere but where
 * all events are: one that is too slow, or away for too long, hears how many it has missed.
 */
export class EventStream {
  readonly #options: EventStreamOptions;
  readonly #wish: EventWish;
  /** The last event and the last line that were told. */
  #seq: number;
  #line: number;
  #cancelTimer: (() => void) | undefined;
  #wake: (() => void) | undefined;
  #isAwake = true;
  #isOver = false;

  constructor(options: EventStreamOptions, wish: EventWish) {
    const { observer, logs } = options;
    this.#options = options;
    this.#wish = wish;
    // Numbers begin anew with the process: one that was not given yet is of another run.
    const isOfThisRun = (wish.after ?? 0) <= observer.lastSeq;
    this.#seq = isOfThisRun ? (wish.after ?? observer.lastSeq) : 0;
    this.#line = logs.lastSeq;
  }

  /** Resolves when the client has gone, or when nothing more is told. */
  async run({ response, signal }: HttpExchange, hello: JsonObject): Promise<void> {
    const { observer, logs, clock } = this.#options;
    const stop = (): void => this.end();
    const ends = [observer.subscribe(() => this.#soon())];
    if (this.#wish.logs) ends.push(logs.subscribe(() => this.#soon()));
    signal.addEventListener('abort', stop);
    const writer = beginEventStream(response);
    try {
      await writer.write(frame('hello', hello));
      await this.#tell(writer, clock);
      await writer.end();
    } catch (error) {
      if (!(error instanceof ClientGoneError)) throw error;
    } finally {
      signal.removeEventListener('abort', stop);
      this.#cancelTimer?.();
      for (const end of ends) end();
    }
  }

  /** Nothing more is told. */
  end(): void {
    this.#isOver = true;
    this.#ring();
  }

  async #tell(writer: StreamWriter, clock: Clock): Promise<void> {
    while (!this.#isOver) {
      const text = this.#next();
      if (text === undefined) await this.#news(writer, clock);
      // A client that does not read keeps us here.
      else if (text !== '') await writer.write(text);
    }
  }

  /** What is to be told next; '' where nothing of it is wanted, undefined where there is nothing. */
  #next(): string | undefined {
    const { observer, logs } = this.#options;
    const { types } = this.#wish;
    let text = this.#lost();
    const events = observer.next(this.#seq, MOST_AT_ONCE);
    for (const observed of events) {
      if (types === undefined || types.has(observed.event.type)) text += eventFrame(observed);
      this.#seq = observed.seq;
    }
    const lines = this.#wish.logs ? logs.after(this.#line, MOST_AT_ONCE) : [];
    for (const line of lines) {
      text += frame('log', logLineJson(line));
      this.#line = line.seq;
    }
    return text === '' && events.length + lines.length === 0 ? undefined : text;
  }

  #lost(): string {
    const { observer, logs } = this.#options;
    let text = '';
    const events = observer.firstSeq - 1 - this.#seq;
    if (events > 0) {
      this.#seq += events;
      text += frame('events-lost', { count: events });
    }
    const lines = this.#wish.logs ? logs.firstSeq - 1 - this.#line : 0;
    if (lines > 0) {
      this.#line += lines;
      text += frame('logs-lost', { count: lines });
    }
    return text;
  }

  /** Waits for something to tell. Where nothing comes for long, the client hears that there is still somebody. */
  async #news(writer: StreamWriter, clock: Clock): Promise<void> {
    if (!this.#isAwake && (await this.#isLate(clock))) await writer.write(': still here\n\n');
    this.#isAwake = false;
  }

  /** Whether nothing came, and nobody has ended it. */
  #isLate(clock: Clock): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = clock.setTimer(() => resolve(true), BEAT_MS, true);
      this.#wake = () => {
        cancel();
        resolve(false);
      };
    });
  }

  #soon(): void {
    this.#cancelTimer ??= this.#options.clock.setTimer(
      () => {
        this.#cancelTimer = undefined;
        this.#ring();
      },
      TOGETHER_MS,
      true,
    );
  }

  #ring(): void {
    this.#isAwake = true;
    this.#wake?.();
    this.#wake = undefined;
  }
}

/** Several clients hear the same events, and writing them costs more than sending them. */
const written = new WeakMap<ObservedEvent, string>();

function eventFrame(observed: ObservedEvent): string {
  let text = written.get(observed);
  if (text === undefined) {
    text = `id: ${observed.seq}\nevent: ${observed.event.type}\ndata: ${eventText(observed)}\n\n`;
    written.set(observed, text);
  }
  return text;
}

/** One event of a stream. JSON has no line breaks. */
export function frame(type: string, data: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}
