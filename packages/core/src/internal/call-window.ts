/** Into how many slices the time is cut: a call leaves the window up to one slice early. */
const SLICES = 20;
/** Calls, failures and slow calls of each slice. */
const FIELDS = 3;

/**
 * Counts the calls of the last while, in slices of time, so that adding one costs the same however many there
 * are. The slices begin with the first call: what came in one burst leaves together, when all of it is too old.
 */
export class CallWindow {
  calls = 0;
  failures = 0;
  slow = 0;
  readonly #sliceMs: number;
  readonly #slices = new Uint32Array(SLICES * FIELDS);
  readonly #startedAt: number;
  /** The slice of the latest call, counted from the first. */
  #latest = 0;

  constructor(windowMs: number, now: number) {
    this.#sliceMs = windowMs / SLICES;
    this.#startedAt = now;
  }

  add(isFailure: boolean, isSlow: boolean, now: number): void {
    this.moveTo(now);
    const at = (this.#latest % SLICES) * FIELDS;
    this.#count(1, isFailure ? 1 : 0, isSlow ? 1 : 0);
    const slices = this.#slices;
    slices[at] = (slices[at] ?? 0) + 1;
    if (isFailure) slices[at + 1] = (slices[at + 1] ?? 0) + 1;
    if (isSlow) slices[at + 2] = (slices[at + 2] ?? 0) + 1;
  }

  /** Forgets what is too old by `now`. */
  moveTo(now: number): void {
    const slice = Math.floor((now - this.#startedAt) / this.#sliceMs);
    if (slice <= this.#latest) return;
    const passed = Math.min(slice - this.#latest, SLICES);
    for (let step = 1; step <= passed; step++) this.#forget((this.#latest + step) % SLICES);
    this.#latest = slice;
  }

  #forget(slice: number): void {
    const at = slice * FIELDS;
    const slices = this.#slices;
    this.#count(-(slices[at] ?? 0), -(slices[at + 1] ?? 0), -(slices[at + 2] ?? 0));
    slices.fill(0, at, at + FIELDS);
  }

  #count(calls: number, failures: number, slow: number): void {
    this.calls += calls;
    this.failures += failures;
    this.slow += slow;
  }
}
