/** What the proxy has done since it was started. */
export interface ProxyCounts {
  turns: number;
  failed: number;
  calls: number;
  /** Attempts beyond the first. */
  retries: number;
  /** Turns that another upstream answered than the first that has the model. */
  failovers: number;
  /** Turns in which the model was given advice. */
  advised: number;
  /** Turns in which the model was asked once more, because a call did not fit. */
  askedAgain: number;
  /** Turns in which the model was told of its tools in the prompt. */
  prompted: number;
}

export function newProxyCounts(): ProxyCounts {
  return {
    turns: 0,
    failed: 0,
    calls: 0,
    retries: 0,
    failovers: 0,
    advised: 0,
    askedAgain: 0,
    prompted: 0,
  };
}
