import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { onEvents, onFresh } from '../live/connection.ts';
import { ApiProblem } from './api-problem.ts';
import { getJson } from './ask.ts';
import { isLocked } from './session.ts';

export interface ResourceOptions<T> {
  /** The types of events after which it is out of date. */
  readonly staleOn: readonly string[];
  /** The least time between two fetches; a large answer may ask for more. Default: 1000. */
  readonly everyMs?: (value: T | undefined) => number;
  /** For what changes while nothing happens, as time goes by: it is fetched this often at least. */
  readonly atLeastEveryMs?: number;
}

/** Something of the gateway that is shown, and fetched again while it changes. */
export class Resource<T> {
  readonly #path: () => string;
  readonly #staleOn: ReadonlySet<string>;
  readonly #everyMs: (value: T | undefined) => number;
  readonly #atLeastEveryMs: number | undefined;
  readonly #value = signal<T | undefined>(undefined);
  readonly #problem = signal<ApiProblem | undefined>(undefined);
  #watchers = 0;
  #endWatching: (() => void)[] = [];
  #fetchedAt = -Infinity;
  #isFetching = false;
  /** How often it was found out of date, and how often when it was last fetched. */
  #stale = 0;
  #fetchedStale = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(path: () => string, options: ResourceOptions<T>) {
    const { staleOn, everyMs = () => 1000, atLeastEveryMs } = options;
    this.#path = path;
    this.#atLeastEveryMs = atLeastEveryMs;
    this.#staleOn = new Set(staleOn);
    this.#everyMs = everyMs;
  }

  /** Undefined until it came. What was there stays while it is fetched again. */
  get value(): ReadonlySignal<T | undefined> {
    return this.#value;
  }

  /** Why the last fetch failed; undefined where it did not. */
  get problem(): ReadonlySignal<ApiProblem | undefined> {
    return this.#problem;
  }

  /** Changes what is shown before the gateway says so itself. */
  patch(change: (value: T) => T): void {
    const value = this.#value.peek();
    if (value !== undefined) this.#value.value = change(value);
  }

  /** Forgets what was there: another question was asked. */
  clear(): void {
    this.#value.value = undefined;
    this.#problem.value = undefined;
    this.#fetchedAt = -Infinity;
    if (this.#watchers > 0) this.refresh();
  }

  /** Fetches it, now or as soon as it may. */
  refresh(): void {
    this.#stale++;
    if (this.#isFetching || this.#timer !== undefined) return;
    const waitMs = this.#fetchedAt + this.#everyMs(this.#value.peek()) - performance.now();
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        void this.#fetch();
      },
      Math.max(0, waitMs),
    );
  }

  /** Keeps it up to date until what it returns is called. */
  watch(): () => void {
    if (this.#watchers++ === 0) {
      this.#endWatching = [
        onFresh(() => this.refresh()),
        onEvents((events) => {
          if (events.some(({ type }) => this.#staleOn.has(type))) this.refresh();
        }),
      ];
      if (this.#atLeastEveryMs !== undefined) {
        const timer = setInterval(() => {
          if (!document.hidden) this.refresh();
        }, this.#atLeastEveryMs);
        this.#endWatching.push(() => clearInterval(timer));
      }
      this.refresh();
    }
    return () => {
      if (--this.#watchers > 0) return;
      for (const end of this.#endWatching) end();
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  async #fetch(): Promise<void> {
    if (isLocked.peek()) return;
    this.#isFetching = true;
    this.#fetchedStale = this.#stale;
    const path = this.#path();
    try {
      const value = await getJson<T>(path);
      if (path === this.#path()) {
        this.#value.value = value;
        this.#problem.value = undefined;
      }
    } catch (error) {
      this.#problem.value = error instanceof ApiProblem ? error : new ApiProblem(0, String(error));
    }
    const isCurrent = path === this.#path();
    this.#isFetching = false;
    this.#fetchedAt = isCurrent ? performance.now() : -Infinity;
    const isStale = this.#stale !== this.#fetchedStale;
    if ((isStale || !isCurrent) && this.#watchers > 0) this.refresh();
  }
}

/** Keeps a resource up to date while the component is there. */
export function useResource<T>(resource: Resource<T>): Resource<T> {
  useEffect(() => resource.watch(), [resource]);
  return resource;
}
