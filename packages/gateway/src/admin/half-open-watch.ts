import type { Clock } from '@holdfast/core';
import type { ObservedEvent } from '../observe/gateway-event.ts';
import type { Observer } from '../observe/observer.ts';
import type { CircuitDirectory } from './circuit-directory.ts';

/** More circuits than that are not waited for; they are half-open when somebody looks. */
const MOST_TIMERS = 2000;

/**
 * A circuit that is open becomes half-open when somebody looks at it. Those who watch want to hear of it when it is
 * time: so it is looked at then.
 */
export class HalfOpenWatch {
  readonly #directory: CircuitDirectory;
  readonly #clock: Clock;
  readonly #timers = new Map<string, () => void>();
  readonly #stop: () => void;

  constructor(observer: Observer, directory: CircuitDirectory, clock: Clock) {
    this.#directory = directory;
    this.#clock = clock;
    this.#stop = observer.subscribe((observed) => this.#take(observed));
  }

  close(): void {
    this.#stop();
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #take({ source, event }: ObservedEvent): void {
    if (event.type !== 'circuit-opened' && event.type !== 'circuit-closed') return;
    const { circuit } = event;
    const key = `${source} ${circuit}`;
    this.#timers.get(key)?.();
    this.#timers.delete(key);
    if (event.type === 'circuit-closed' || !Number.isFinite(event.openForMs)) return;
    if (this.#timers.size >= MOST_TIMERS) return;
    const look = (): void => {
      this.#timers.delete(key);
      const found = this.#directory
        .list()
        .find(({ of, circuit: { name } }) => of === source && name === circuit);
      // To be asked how it is, is all that it needs.
      found?.circuit.metadata();
    };
    // A timer may come a little early.
    this.#timers.set(key, this.#clock.setTimer(look, event.openForMs + 1, true));
  }
}
