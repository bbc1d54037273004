import type { Violations } from './violations.ts';

/** A frame of the stream of events. */
export interface Frame {
  readonly type: string;
  readonly id: number | undefined;
  readonly data: string;
}

/** One reader hears of every event once and in order, or how many it has missed. */
export class EventsInOrder {
  readonly #name: string;
  readonly #violations: Violations;
  #last: number | undefined;
  #events = 0;
  #lost = 0;

  constructor(name: string, violations: Violations) {
    this.#name = name;
    this.#violations = violations;
  }

  get lastSeq(): number | undefined {
    return this.#last;
  }

  get counts(): { readonly events: number; readonly lost: number } {
    return { events: this.#events, lost: this.#lost };
  }

  hear({ type, id, data }: Frame): void {
    const about = JSON.parse(data) as {
      readonly seq?: number;
      readonly last_seq?: number;
      readonly count?: number;
    };
    if (type === 'hello') {
      this.#last ??= about.last_seq;
      return;
    }
    if (type === 'events-lost') {
      this.#lost += about.count ?? 0;
      this.#last = (this.#last ?? 0) + (about.count ?? 0);
      return;
    }
    this.#events++;
    const expected = (this.#last ?? 0) + 1;
    this.#violations.check(
      'events-in-order',
      id === expected && about.seq === id,
      () => `${this.#name}: expected event ${expected}, got ${String(id)} (${type})`,
    );
    this.#last = id;
  }
}
