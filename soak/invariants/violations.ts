/** A rule that has to hold all the time. */
export type Invariant =
  | 'answered'
  | 'calls-complete'
  | 'text-conserved'
  | 'effects-once'
  | 'flat'
  | 'responsive'
  | 'faults-hit'
  | 'recovered'
  | 'events-in-order'
  | 'history-whole'
  | 'no-internal-errors'
  | 'ends-cleanly';

export interface Violation {
  readonly invariant: Invariant;
  /** Seconds since the run began. */
  readonly atSeconds: number;
  readonly message: string;
}

/** How often a rule was checked, and how often it did not hold. */
export interface InvariantSummary {
  readonly name: Invariant;
  readonly checks: number;
  readonly violations: number;
}

const MOST_PRINTED = 50;

/** What was checked, and what did not hold. */
export class Violations {
  readonly list: Violation[] = [];
  readonly #checks = new Map<Invariant, number>();
  readonly #seed: number;
  readonly #print: (line: string) => void;
  readonly #startedAt = performance.now();

  constructor(seed: number, print: (line: string) => void) {
    this.#seed = seed;
    this.#print = print;
  }

  get seconds(): number {
    return (performance.now() - this.#startedAt) / 1000;
  }

  /** Says of a rule that it was held against something. */
  check(invariant: Invariant, isKept: boolean, message: () => string): void {
    this.#checks.set(invariant, (this.#checks.get(invariant) ?? 0) + 1);
    if (!isKept) this.#report(invariant, message());
  }

  get summary(): readonly InvariantSummary[] {
    return [...this.#checks].map(([name, checks]) => ({
      name,
      checks,
      violations: this.list.filter(({ invariant }) => invariant === name).length,
    }));
  }

  #report(invariant: Invariant, message: string): void {
    const atSeconds = Math.round(this.seconds * 1000) / 1000;
    this.list.push({ invariant, atSeconds, message });
    if (this.list.length > MOST_PRINTED) return;
    const more = this.list.length === MOST_PRINTED ? ' (more are only counted)' : '';
    const when = `${new Date().toISOString()}, ${atSeconds} s, seed ${this.#seed}`;
    this.#print(`VIOLATION of ${invariant} at ${when}: ${message}${more}`);
  }
}
