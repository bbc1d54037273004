import type { CircuitStore, ReplicaRecord } from './circuit-store.ts';
import type { StoreLink } from './store-link.ts';

/** A replica that said nothing for so many beats is gone. */
const BEATS_TO_LIVE = 3;
/** While the store is away it is asked for less and less often, up to twice a second. */
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 500;
/** With so many questions that it never answered, another is asked only once in a long while: they may all be waiting in a queue. */
const MOST_UNANSWERED = 4;
const STUCK_RETRY_MS = 10_000;

export interface HeartbeatHome {
  readonly store: CircuitStore;
  readonly link: StoreLink;
  now(): number;
  random(): number;
}

/** Says that this replica is there, hears how many there are, and finds out when a store that was lost is back. */
export class Heartbeat {
  replicas = 1;
  nextAt: number;
  readonly #home: HeartbeatHome;
  readonly #everyMs: number;
  readonly #record: () => ReplicaRecord;
  /** The beat that is waited for. */
  #awaited: object | undefined;
  #retries = 0;

  constructor(home: HeartbeatHome, everyMs: number, record: () => ReplicaRecord) {
    this.#home = home;
    this.#everyMs = everyMs;
    this.#record = record;
    this.nextAt = home.now();
  }

  /** Beats if it is time, and calls `ended` when it has heard. */
  beatWhenDue(now: number, ended: () => void): void {
    if (this.#awaited !== undefined || now < this.nextAt) return;
    const { store, link } = this.#home;
    const beat = (this.#awaited = {});
    this.nextAt = Infinity;
    link.ask(() => store.join(this.#record(), BEATS_TO_LIVE * this.#everyMs), {
      answered: (replicas) => {
        // A store that is back may have lost the list: until the next beat the others are there as they were.
        const least = link.isDegraded ? this.replicas : 1;
        this.replicas = replicas >= least ? replicas : least;
        // An answer that nobody waited for any more shows a store that is too slow.
        if (this.#awaited !== beat) return;
        this.#retries = 0;
        this.#ended(this.#everyMs);
        link.recovered();
        ended();
      },
      failed: () => {
        if (this.#awaited !== beat) return;
        this.#ended(this.#retryMs());
        ended();
      },
      timedOut: () => {
        this.#ended(this.#retryMs());
        ended();
      },
    });
  }

  /** The store was lost: it is looked after sooner than the next beat would be. */
  hurry(): void {
    this.#retries = 0;
    if (this.#awaited === undefined) this.nextAt = this.#home.now() + this.#retryMs();
  }

  /** Questions that waited in a queue are over: whoever would have waited for long may ask now. */
  lookSoon(): void {
    if (this.#awaited !== undefined) return;
    this.nextAt = Math.min(this.nextAt, this.#home.now() + FIRST_RETRY_MS);
  }

  #ended(waitMs: number): void {
    this.#awaited = undefined;
    // Beats of replicas that began together drift apart.
    this.nextAt = this.#home.now() + waitMs * (0.75 + this.#home.random() / 4);
  }

  #retryMs(): number {
    const { link } = this.#home;
    if (!link.isDegraded) return Math.min(this.#everyMs, LAST_RETRY_MS);
    if (link.unanswered >= MOST_UNANSWERED) return STUCK_RETRY_MS;
    return Math.min(FIRST_RETRY_MS * 2 ** this.#retries++, LAST_RETRY_MS);
  }
}
