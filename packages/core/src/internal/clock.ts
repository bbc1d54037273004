/** Milliseconds that never go backwards; only differences mean anything. */
export interface MonotonicClock {
  now(): number;
}

/** Where time comes from. Everything that waits or measures takes one, so that no test sleeps. */
export interface Clock extends MonotonicClock {
  /** Milliseconds since 1970, for what people and other machines read. */
  wallTime(): number;
  /**
   * Calls `callback` once, after `delayMs`. Returns what cancels it. A timer `inBackground` does not keep the
   * process alive, where the runtime can tell.
   */
  setTimer(callback: () => void, delayMs: number, inBackground?: boolean): () => void;
}

/** Looked up once: in Node the global is a getter, which a call that reads the clock twice would pay for twice. */
const { performance, setTimeout: realSetTimeout } = globalThis;

/** Fake timers of a test runner replace the globals: time has to come from where timers do. */
function fakeNow(): number {
  return globalThis.performance === performance ? Date.now() : globalThis.performance.now();
}

/** What makes timers now: another one while fake timers are installed. */
export const timerSource = (): unknown => setTimeout;

/** The time and the timers of the system. */
export const systemClock: Clock = {
  now: () => (setTimeout === realSetTimeout ? performance.now() : fakeNow()),
  wallTime: () => Date.now(),
  setTimer: (callback, delayMs, inBackground = false) => {
    const timer: unknown = setTimeout(callback, Math.min(delayMs, LONGEST_DELAY_MS));
    if (inBackground && isUnrefable(timer)) timer.unref();
    return () => {
      clearTimeout(timer as number);
    };
  },
};

/** A timer set for longer than this fires at once in every runtime. */
const LONGEST_DELAY_MS = 2_147_483_647;

function isUnrefable(timer: unknown): timer is { unref(): void } {
  return typeof timer === 'object' && timer !== null && 'unref' in timer;
}
