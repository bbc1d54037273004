/** Where time comes from. Everything that waits or measures takes one, so that no test sleeps. */
export interface Clock {
  /** Milliseconds that never go backwards; only differences mean anything. */
  now(): number;
}

export const systemClock: Clock = {
  now: () => performance.now(),
};
