import type { CircuitStore, OverrideCommand, SharedCircuit } from './circuit-store.ts';
import type { StoreLink } from './store-link.ts';

/** A store that did not hear a command hears it again after so long. */
const AGAIN_MS = 250;

/** What a command needs to know of its circuit. */
export interface CommandedCircuit {
  readonly name: string;
  readonly store: CircuitStore;
  readonly link: StoreLink;
  now(): number;
  wake(at: number): void;
  /** The store has done what the operator wanted. */
  obeyed(shared: SharedCircuit): void;
}

/** What an operator did here, until the store has heard it. The last command is the one that holds. */
export class OperatorCommand {
  readonly #circuit: CommandedCircuit;
  #command: OverrideCommand | undefined;
  #givenAt = 0;
  #nextAt = 0;
  #isSending = false;

  constructor(circuit: CommandedCircuit) {
    this.#circuit = circuit;
  }

  get isPending(): boolean {
    return this.#command !== undefined;
  }

  give(command: OverrideCommand): void {
    const now = this.#circuit.now();
    this.#command = command;
    this.#givenAt = now;
    this.#nextAt = now;
    this.#circuit.wake(now);
  }

  /** Tells the store, if it is time, and returns when to come again. */
  step(now: number): number {
    const command = this.#command;
    if (command === undefined || this.#isSending) return Infinity;
    if (now < this.#nextAt) return this.#nextAt;
    const left = timeLeft(command, now - this.#givenAt);
    if (left === undefined) {
      this.#command = undefined;
      return now;
    }
    this.#isSending = true;
    this.#nextAt = now + AGAIN_MS;
    const { link, store, name } = this.#circuit;
    link.ask(() => store.override(name, left), {
      answered: (shared) => {
        this.#isSending = false;
        if (this.#command === command) {
          this.#command = undefined;
          this.#circuit.obeyed(shared);
        } else this.#circuit.wake(this.#nextAt);
      },
      failed: () => {
        this.#tryAgain();
      },
      timedOut: () => {
        this.#tryAgain();
      },
    });
    return Infinity;
  }

  #tryAgain(): void {
    this.#isSending = false;
    if (this.isPending) this.#circuit.wake(this.#nextAt);
  }
}

/** What is left of a command that could not be told at once; undefined where its time is over. */
function timeLeft(command: OverrideCommand, elapsedMs: number): OverrideCommand | undefined {
  if (command.type === 'reset') return command;
  const forMs = command.forMs - elapsedMs;
  return forMs > 0 ? { ...command, forMs } : undefined;
}
