import type { HeldCircuit, SharedCircuit } from './circuit-store.ts';

/** What a replica knows of a circuit of its fleet: the last word of the store, and when it came. */
export class FleetView {
  #shared: SharedCircuit = UNKNOWN_CIRCUIT;
  #heardAt = -Infinity;

  get shared(): SharedCircuit {
    return this.#shared;
  }

  get version(): number {
    return this.#shared.version;
  }

  get isClosed(): boolean {
    return this.#shared.state === 'closed';
  }

  /** Whether the store has said anything yet. */
  get isKnown(): boolean {
    return this.#heardAt !== -Infinity;
  }

  /**
   * Whether a word of the store changes anything. A version is one state: where the same version comes with
   * another, the store has lost what there was, and others have told it what to go by.
   */
  isNews({ version, state }: SharedCircuit): boolean {
    return version > this.version || (version === this.version && state !== this.#shared.state);
  }

  /** Whether the store has forgotten what it had said. */
  isAhead({ version }: SharedCircuit): boolean {
    return version < this.version;
  }

  take(shared: SharedCircuit, now: number): void {
    this.#shared = shared;
    this.#heardAt = now;
  }

  /** The word of the store as of `now`: an open time that is over has ended. */
  at(now: number): SharedCircuit {
    if (this.#shared.state !== 'open') return this.#shared;
    const openForMs = Math.max(0, this.#shared.openForMs - (now - this.#heardAt));
    return { ...this.#shared, openForMs };
  }

  /** What a store has to be told that may have lost it. */
  heldAt(now: number): HeldCircuit | undefined {
    const { state, openForMs, openings, reason, note } = this.at(now);
    if (state === 'closed' || reason === undefined) return undefined;
    const told = note === undefined ? {} : { note };
    return { state, openForMs, openings, reason, ...told };
  }
}

/** What is known of a circuit that nobody has told of. */
export const UNKNOWN_CIRCUIT: SharedCircuit = Object.freeze({
  version: 0,
  state: 'closed',
  openForMs: 0,
  openings: 0,
  reason: undefined,
  note: undefined,
  replica: undefined,
  calls: 0,
  failures: 0,
  slow: 0,
  tokens: 0,
  probeInMs: 0,
});
