import type { Clock } from '@holdfast/core';

export interface ExpiringMapOptions<V> {
  /** The one that was set longest ago is forgotten when there are more. */
  readonly max: number;
  /** How long a value is kept after it was last set. */
  readonly keepMs: number;
  readonly clock: Clock;
  /** Told of values that were kept too long, or had to make room. */
  readonly onForget?: (value: V) => void;
}

interface Entry<V> {
  readonly value: V;
  readonly forgetAt: number;
}

/** Values by name, so many and so long at most. One timer serves all of them, and keeps no process alive. */
export class ExpiringMap<V> {
  readonly #options: ExpiringMapOptions<V>;
  /** In the order in which they were set, which is the order in which they are forgotten. */
  readonly #entries = new Map<string, Entry<V>>();
  #cancelTimer: (() => void) | undefined;

  constructor(options: ExpiringMapOptions<V>) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key)?.value;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** Its time starts anew where it was set before. */
  set(key: string, value: V): void {
    const { max, keepMs, clock } = this.#options;
    this.#entries.delete(key);
    this.#entries.set(key, { value, forgetAt: clock.now() + keepMs });
    if (this.#entries.size > max) this.#forgetFirst();
    this.#cancelTimer ??= clock.setTimer(() => this.#sweep(), keepMs, true);
  }

  /** Takes a value out; nobody is told. */
  take(key: string): V | undefined {
    const value = this.get(key);
    this.#entries.delete(key);
    return value;
  }

  /** Forgets everything. */
  clear(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    while (this.#entries.size > 0) this.#forgetFirst();
  }

  #sweep(): void {
    const { clock } = this.#options;
    const now = clock.now();
    this.#cancelTimer = undefined;
    for (const { forgetAt } of this.#entries.values()) {
      if (forgetAt > now) {
        this.#cancelTimer = clock.setTimer(() => this.#sweep(), forgetAt - now, true);
        return;
      }
      this.#forgetFirst();
    }
  }

  #forgetFirst(): void {
    for (const [key, { value }] of this.#entries) {
      this.#entries.delete(key);
      this.#options.onForget?.(value);
      return;
    }
  }
}
