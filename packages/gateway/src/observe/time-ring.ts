/** A stretch of time and what is counted in it. */
export interface RingSlot<T> {
  /** When it begins, in milliseconds since 1970. */
  readonly at: number;
  readonly value: T;
}

export interface TimeRingOptions<T> {
  /** How long each stretch is. */
  readonly slotMs: number;
  /** How many of them are kept. */
  readonly slots: number;
  readonly make: () => T;
  readonly clear: (value: T) => void;
}

/** What was counted in the last stretches of time. They are made once and used again and again. */
export class TimeRing<T> {
  readonly slotMs: number;
  readonly #clear: (value: T) => void;
  readonly #empty: T;
  readonly #kept: { number: number; readonly value: T }[];

  constructor({ slotMs, slots, make, clear }: TimeRingOptions<T>) {
    this.slotMs = slotMs;
    this.#clear = clear;
    this.#empty = make();
    this.#kept = Array.from({ length: slots }, () => ({ number: -1, value: make() }));
  }

  /** Where what happens at this time is counted. */
  at(wallTime: number): T {
    const number = Math.floor(wallTime / this.slotMs);
    const slot = this.#kept[number % this.#kept.length];
    if (slot === undefined) return this.#empty;
    if (slot.number !== number) {
      this.#clear(slot.value);
      slot.number = number;
    }
    return slot.value;
  }

  /** How many stretches are kept. */
  get length(): number {
    return this.#kept.length;
  }

  /** Whether the stretch of a time is among the last ones. */
  holds(time: number, wallTime: number): boolean {
    const newest = Math.floor(wallTime / this.slotMs);
    const number = Math.floor(time / this.slotMs);
    return number <= newest && number > newest - this.#kept.length;
  }

  /** The last stretches, oldest first, the one of this time among them. */
  last(count: number, wallTime: number): readonly RingSlot<T>[] {
    const newest = Math.floor(wallTime / this.slotMs);
    const many = Math.min(count, this.#kept.length);
    return Array.from({ length: many }, (_, index) => {
      const number = newest - many + 1 + index;
      const slot = this.#kept[Math.max(0, number) % this.#kept.length];
      const isKept = slot?.number === number;
      return { at: number * this.slotMs, value: isKept ? slot.value : this.#empty };
    });
  }
}
