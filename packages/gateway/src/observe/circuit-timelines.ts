import type { CircuitBreaker } from '@holdfast/core/guard';

/** How many outcomes are kept of a circuit. */
export const TIMELINE_LENGTH = 60;

interface Timeline {
  successes: number;
  failures: number;
  rejections: number;
  ignored: number;
  outcomes: string;
}

/**
 * What became of the last calls of each circuit: `s` succeeded, `f` failed, `r` was refused, `i` says nothing
 * about the tool. A circuit only counts them; so whoever has made a call through it says `settled`, and what was
 * counted since is put down. A circuit that is forgotten takes its timeline with it.
 */
export class CircuitTimelines {
  readonly #kept = new WeakMap<CircuitBreaker, Timeline>();

  /** A call through the circuit has ended. */
  settled(circuit: CircuitBreaker): void {
    const { successes, failures, rejections, ignored } = circuit.metrics();
    const known = this.#kept.get(circuit);
    const before = known ?? EMPTY;
    const added =
      times('s', successes - before.successes) +
      times('f', failures - before.failures) +
      times('r', rejections - before.rejections) +
      times('i', ignored - before.ignored);
    if (added === '') return;
    const outcomes = (before.outcomes + added).slice(-TIMELINE_LENGTH);
    const next = { successes, failures, rejections, ignored, outcomes };
    if (known === undefined) this.#kept.set(circuit, next);
    else Object.assign(known, next);
  }

  /** Oldest first. */
  of(circuit: CircuitBreaker): string {
    this.settled(circuit);
    return this.#kept.get(circuit)?.outcomes ?? '';
  }
}

const EMPTY: Readonly<Timeline> = {
  successes: 0,
  failures: 0,
  rejections: 0,
  ignored: 0,
  outcomes: '',
};

function times(outcome: string, count: number): string {
  // Nearly always it is one call, of one kind.
  if (count <= 0) return '';
  return count === 1 ? outcome : outcome.repeat(Math.min(count, TIMELINE_LENGTH));
}
