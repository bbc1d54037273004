export interface BoundedMapOptions<V> {
  readonly max: number;
  readonly make: (key: string) => V;
  /** Of how much use a value is: those of the least make room for new ones. */
  readonly worth: (value: V) => number;
  /** Adds a value that has to go to that of all others. */
  readonly fold: (gone: V, others: V) => void;
}

/**
 * Values by names that others make up, a model among them: so many at most. Where there are more, those that were
 * of the least use, and of these the oldest, make room and count among the others.
 */
export class BoundedMap<V> {
  readonly #options: BoundedMapOptions<V>;
  readonly #values = new Map<string, V>();
  #others: V | undefined;

  constructor(options: BoundedMapOptions<V>) {
    this.#options = options;
  }

  get size(): number {
    return this.#values.size;
  }

  /** Those that had to go; undefined where none had to. */
  get others(): V | undefined {
    return this.#others;
  }

  values(): Iterable<V> {
    return this.#values.values();
  }

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  getOrMake(key: string): V {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const { max, make } = this.#options;
    if (this.#values.size >= max) this.#makeRoom();
    const made = make(key);
    this.#values.set(key, made);
    return made;
  }

  /** For several at once: to look at all of them for each new one would cost more than all the rest. */
  #makeRoom(): void {
    const { max, make, worth, fold } = this.#options;
    const entries = [...this.#values].map(([key, value]) => ({ key, value, worth: worth(value) }));
    // Sorting is stable: of those that are worth the same, the oldest go first.
    entries.sort((one, other) => one.worth - other.worth);
    const others = (this.#others ??= make(OTHER));
    for (const { key, value } of entries.slice(0, Math.ceil(max / 10))) {
      this.#values.delete(key);
      fold(value, others);
    }
  }
}

/** What all are called that had to make room. */
export const OTHER = 'other';
