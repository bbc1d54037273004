import type { DeadlineEntry, DeadlineList } from '../deadlines.ts';

/** Who is told how an operation of the store went. */
export interface OperationListener<T> {
  /** What the store said. It may have been too late for anybody to count on: whoever asked was told `timedOut`. */
  answered(answer: T, sentAt: number): void;
  /** The store said no. It may come after `timedOut`. */
  failed(): void;
  /** There was no answer in time. Whether the store has done it is not known. */
  timedOut?(): void;
}

/** How an operation counts for whoever watches over the store. */
export interface OperationWatcher {
  succeeded(): void;
  lost(reason: 'timeout' | 'error', cause: unknown): void;
  /** What had timed out is over all the same: nothing of it is left. */
  ended(): void;
}

/** One operation of a store under way. It is its own entry among the deadlines. */
export class StoreOperation<T> implements DeadlineEntry {
  deadlineAt: number = Infinity;
  previous: DeadlineEntry | undefined = undefined;
  next: DeadlineEntry | undefined = undefined;
  list: DeadlineList | undefined = undefined;
  readonly #sentAt: number;
  readonly #listener: OperationListener<T>;
  readonly #watcher: OperationWatcher;
  readonly #done: () => void;
  #isLate = false;

  constructor(
    sentAt: number,
    listener: OperationListener<T>,
    watcher: OperationWatcher,
    done: () => void,
  ) {
    this.#sentAt = sentAt;
    this.#listener = listener;
    this.#watcher = watcher;
    this.#done = done;
  }

  /** Asks the store. Nothing that it throws or rejects gets out. */
  send(ask: () => Promise<T>): void {
    try {
      ask().then(
        (value) => {
          this.#answered(value);
        },
        (error: unknown) => {
          this.#failed(error);
        },
      );
    } catch (error) {
      this.#failed(error);
    }
  }

  expire(): void {
    this.#isLate = true;
    this.#watcher.lost('timeout', undefined);
    this.#listener.timedOut?.();
    this.#done();
  }

  #answered(value: T): void {
    try {
      this.#listener.answered(value, this.#sentAt);
    } catch (error) {
      // An answer that cannot be read is none.
      this.#failed(error);
      return;
    }
    if (this.#isLate) {
      this.#watcher.ended();
      return;
    }
    this.#watcher.succeeded();
    this.#done();
  }

  #failed(cause: unknown): void {
    if (this.#isLate) this.#watcher.ended();
    else this.#watcher.lost('error', cause);
    this.#listener.failed();
    if (!this.#isLate) this.#done();
  }
}
