import { systemClock, timerSource } from '../internal/clock.ts';
import type { Clock } from '../internal/clock.ts';

/**
 * How far ahead the timer is set at most. A call that ends in time leaves the timer as it is, so this is how long
 * one stays behind when all calls are over.
 */
export const COARSE_MS = 50;

/** A call under way that has to end in time. It is the link of its list itself, so that adding it allocates nothing. */
export interface DeadlineEntry {
  /** Set by `add`, as are the links. */
  deadlineAt: number;
  previous: DeadlineEntry | undefined;
  next: DeadlineEntry | undefined;
  /** Undefined while it is in no list. */
  list: DeadlineList | undefined;
  /** Called once, when the time is over. It is in no list then. */
  expire(): void;
}

/** Calls with the same timeout: the first to begin is the first to expire. */
export interface DeadlineList {
  readonly timeoutMs: number;
  first: DeadlineEntry | undefined;
  last: DeadlineEntry | undefined;
}

/**
 * One timer for all calls under way: a call that ends in time costs a few assignments and sets none of its own.
 * The timer does not keep the process alive; `keepAlive` does while calls are under way.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #lists = new Map<number, DeadlineList>();
  /** Most calls have the timeout of the one before. */
  #latest: DeadlineList | undefined;
  /** When the timer fires: Infinity without one, -Infinity while it is firing. */
  #firesAt = Infinity;
  #cancelTimer: (() => void) | undefined;
  #armedBy = timerSource();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `entry.expire` is called in `timeoutMs`, unless it is removed before. */
  add(entry: DeadlineEntry, timeoutMs: number, now: number = this.#clock.now()): void {
    let list = this.#latest;
    if (list?.timeoutMs !== timeoutMs) list = this.#latest = this.#listFor(timeoutMs);
    const { last } = list;
    entry.deadlineAt = now + timeoutMs;
    entry.list = list;
    entry.previous = last;
    entry.next = undefined;
    if (last === undefined) list.first = entry;
    else last.next = entry;
    list.last = entry;
    // A timer of fake timers that are no longer there will not fire.
    if (entry.deadlineAt < this.#firesAt || this.#armedBy !== timerSource())
      this.#arm(entry.deadlineAt, now);
  }

  /** A process that has nothing else to wait for stays until the next deadline. */
  keepAlive(): void {
    let nearest = Infinity;
    for (const { first } of this.#lists.values())
      if (first !== undefined) nearest = Math.min(nearest, first.deadlineAt);
    if (nearest < Infinity)
      this.#clock.setTimer(() => undefined, Math.max(0, nearest - this.#clock.now()));
  }

  /** Takes the entry out, if it is in. The timer stays: setting it anew would cost more than letting it fire once. */
  remove(entry: DeadlineEntry): void {
    const { list, previous, next } = entry;
    if (list === undefined) return;
    if (previous === undefined) list.first = next;
    else previous.next = next;
    if (next === undefined) list.last = previous;
    else next.previous = previous;
    entry.list = undefined;
    // What has ended must not keep others in memory.
    entry.previous = undefined;
    entry.next = undefined;
  }

  /** How many different timeouts are kept: no more than calls under way have, soon after. */
  get timeouts(): number {
    return this.#lists.size;
  }

  #listFor(timeoutMs: number): DeadlineList {
    let list = this.#lists.get(timeoutMs);
    if (list === undefined) {
      list = { timeoutMs, first: undefined, last: undefined };
      this.#lists.set(timeoutMs, list);
    }
    return list;
  }

  #arm(deadlineAt: number, now: number): void {
    this.#cancelTimer?.();
    const delayMs = Math.max(0, Math.min(deadlineAt - now, COARSE_MS));
    this.#firesAt = now + delayMs;
    this.#armedBy = timerSource();
    this.#cancelTimer = this.#clock.setTimer(this.#fire, delayMs, true);
  }

  readonly #fire = (): void => {
    this.#cancelTimer = undefined;
    // Whoever adds a call from `expire` leaves the timer to the end of this.
    this.#firesAt = -Infinity;
    try {
      const now = this.#clock.now();
      for (const list of this.#lists.values()) this.#expireDue(list, now);
    } finally {
      this.#armNext();
    }
  };

  #expireDue(list: DeadlineList, now: number): void {
    for (let { first } = list; first !== undefined && first.deadlineAt <= now; { first } = list) {
      this.remove(first);
      first.expire();
    }
  }

  #armNext(): void {
    this.#firesAt = Infinity;
    let nearest = Infinity;
    for (const list of this.#lists.values()) {
      if (list.first === undefined) this.#drop(list);
      else nearest = Math.min(nearest, list.first.deadlineAt);
    }
    if (nearest < Infinity) this.#arm(nearest, this.#clock.now());
  }

  #drop(list: DeadlineList): void {
    this.#lists.delete(list.timeoutMs);
    if (this.#latest === list) this.#latest = undefined;
  }
}

const byClock = new WeakMap<Clock, Deadlines>();

/** The deadlines of a clock: one timer for everyone who uses it. */
export function deadlinesOf(clock: Clock): Deadlines {
  let deadlines = byClock.get(clock);
  if (deadlines === undefined) {
    deadlines = new Deadlines(clock);
    if (clock === systemClock) beforeExit(() => deadlines?.keepAlive());
    byClock.set(clock, deadlines);
  }
  return deadlines;
}

/** Calls `listener` whenever the process has nothing left to do, in runtimes that know of that. */
function beforeExit(listener: () => void): void {
  const runtime: unknown = Reflect.get(globalThis, 'process');
  if (typeof runtime !== 'object' || runtime === null || !('on' in runtime)) return;
  if (typeof runtime.on === 'function')
    Reflect.apply(runtime.on, runtime, ['beforeExit', listener]);
}
