import type { Clock } from '@holdfast/core';
import type { EventSource, GatewayEvent, ObservedEvent } from './gateway-event.ts';

export interface ObserverOptions {
  readonly clock: Clock;
  /** How many events are kept for those who come later. Default: 2000. */
  readonly capacity?: number;
}

export interface RecentOptions {
  /** Only those that came after this one. Default: all that are kept. */
  readonly after?: number;
  /** Default: all. */
  readonly types?: ReadonlySet<string>;
  /** At most so many, the newest of them. Default: all. */
  readonly limit?: number;
}

export type ObservedEventListener = (event: ObservedEvent) => void;

/**
 * What everybody who watches the gateway is told from: each event gets a number and a time, is kept for a while,
 * and is told to all listeners in the order of the numbers, one that is emitted by a listener too.
 */
export class Observer {
  readonly #clock: Clock;
  readonly #capacity: number;
  /** The event of number n is at (n - 1) modulo the capacity. */
  readonly #kept: ObservedEvent[] = [];
  /** Replaced when it changes, so that a round of telling goes by the list it began with. */
  #listeners: readonly ObservedEventListener[] = [];
  #lastSeq = 0;
  #toldSeq = 0;
  #isTelling = false;

  constructor({ clock, capacity = 2000 }: ObserverOptions) {
    this.#clock = clock;
    this.#capacity = capacity;
  }

  /** That of the newest event; 0 before the first. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** That of the oldest event that is kept; 1 before the first. */
  get firstSeq(): number {
    return Math.max(1, this.#lastSeq - this.#capacity + 1);
  }

  /** Never throws. */
  emit(source: EventSource, event: GatewayEvent): void {
    const seq = ++this.#lastSeq;
    this.#kept[(seq - 1) % this.#capacity] = { seq, at: this.#clock.wallTime(), source, event };
    if (this.#isTelling) return;
    this.#isTelling = true;
    while (this.#toldSeq < this.#lastSeq) {
      // What listeners emit can push out events that were not told yet: those are passed over.
      this.#toldSeq = Math.max(this.#toldSeq + 1, this.firstSeq);
      const observed = this.#kept[(this.#toldSeq - 1) % this.#capacity];
      if (observed !== undefined) this.#tell(observed);
    }
    this.#isTelling = false;
  }

  /** A listener that throws misses nothing but the rest of its own work. Returns what ends it. */
  subscribe(listener: ObservedEventListener): () => void {
    const own: ObservedEventListener = (event) => listener(event);
    this.#listeners = [...this.#listeners, own];
    return () => {
      this.#listeners = this.#listeners.filter((each) => each !== own);
    };
  }

  /** Events that are kept, oldest first. */
  recent({ after = 0, types, limit = Infinity }: RecentOptions = {}): readonly ObservedEvent[] {
    const found: ObservedEvent[] = [];
    const first = Math.max(this.firstSeq, after + 1);
    for (let seq = this.#lastSeq; seq >= first && found.length < limit; seq--) {
      const observed = this.#kept[(seq - 1) % this.#capacity];
      if (observed === undefined) break;
      if (types === undefined || types.has(observed.event.type)) found.push(observed);
    }
    return found.reverse();
  }

  /** Those after an event that are kept, the oldest first, so many at most. */
  next(after: number, limit: number): readonly ObservedEvent[] {
    const found: ObservedEvent[] = [];
    const first = Math.max(this.firstSeq, after + 1);
    for (let seq = first; seq <= this.#lastSeq && found.length < limit; seq++) {
      const observed = this.#kept[(seq - 1) % this.#capacity];
      if (observed !== undefined) found.push(observed);
    }
    return found;
  }

  #tell(observed: ObservedEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(observed);
      } catch {
        // Whoever watches must not break what is watched.
      }
    }
  }
}
