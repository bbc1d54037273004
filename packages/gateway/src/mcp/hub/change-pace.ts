import type { Clock } from '@holdfast/core';

/** A server that tells of changes without end costs each client ten messages a second. */
const PAUSE_MS = 100;

/** Tells that something has changed: at once, and of all that changes shortly after only once more. */
export class ChangePace<Kind> {
  readonly #clock: Clock;
  readonly #tell: (kind: Kind) => void;
  /** What was told of a moment ago, and how to end the pause after it. */
  readonly #pauses = new Map<Kind, () => void>();
  readonly #waiting = new Set<Kind>();

  constructor(clock: Clock, tell: (kind: Kind) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  changed(kind: Kind): void {
    if (this.#pauses.has(kind)) {
      this.#waiting.add(kind);
      return;
    }
    const goOn = (): void => {
      this.#pauses.delete(kind);
      if (this.#waiting.delete(kind)) this.changed(kind);
    };
    this.#pauses.set(kind, this.#clock.setTimer(goOn, PAUSE_MS, true));
    this.#tell(kind);
  }

  /** Nothing more is told. */
  close(): void {
    for (const cancel of this.#pauses.values()) cancel();
    this.#waiting.clear();
  }
}
