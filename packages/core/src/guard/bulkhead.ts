import { BulkheadFullError, InvalidOptionError } from '../errors.ts';
import { checkOptions, count } from '../internal/check-options.ts';

/** How many calls may be under way. */
export interface BulkheadOptions {
  /** Calls at a time. */
  readonly limit: number;
  /** Calls that may wait for a place. @defaultValue 0 */
  readonly queue?: number;
}

/** How many calls wait unless told otherwise. */
export const BULKHEAD_DEFAULTS: Required<Pick<BulkheadOptions, 'queue'>> = Object.freeze({
  queue: 0,
});

/** What one run is given. */
export interface BulkheadRun {
  /** Ends the wait for a place, and is handed to the work. */
  readonly signal?: AbortSignal | undefined;
}

/** Lets so many calls run at a time, and so many wait, so that one slow tool does not take everything there is. */
export class Bulkhead {
  readonly limit: number;
  readonly queue: number;
  #active = 0;
  /** What lets each in, in order of arrival. */
  readonly #waiting = new Set<() => void>();

  constructor(options: BulkheadOptions) {
    checkOptions(options, { limit: count(1), queue: count(0) }, 'bulkhead');
    const { limit, queue = BULKHEAD_DEFAULTS.queue } = options;
    if ((limit as number | undefined) === undefined)
      throw new InvalidOptionError('bulkhead.limit', 'a whole number of at least 1', limit);
    this.limit = limit;
    this.queue = queue;
  }

  /** Calls under way. */
  get active(): number {
    return this.#active;
  }

  /** Calls that wait for a place. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Does the work when there is a place. Rejects with `BulkheadFullError` when there is none to wait in either. */
  async run<T>(
    work: (context: BulkheadRun) => T | Promise<T>,
    { signal }: BulkheadRun = {},
  ): Promise<T> {
    signal?.throwIfAborted();
    if (this.#active < this.limit) this.#active++;
    else await this.#waitForPlace(signal);
    try {
      // It may have aborted after the place was given and before it was taken.
      signal?.throwIfAborted();
      return await work({ signal });
    } finally {
      this.#leave();
    }
  }

  async #waitForPlace(signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiting.size >= this.queue) throw new BulkheadFullError(this.limit, this.queue);
    const isAdmitted = await new Promise<boolean>((resolve) => {
      const admit = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve(true);
      };
      const giveUp = (): void => {
        this.#waiting.delete(admit);
        signal?.removeEventListener('abort', giveUp);
        resolve(false);
      };
      this.#waiting.add(admit);
      signal?.addEventListener('abort', giveUp);
    });
    if (!isAdmitted) signal?.throwIfAborted();
  }

  /** Hands the place to whoever waits longest, so that nobody who comes later takes it. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#active--;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
