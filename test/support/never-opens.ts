/** A circuit for upstreams that are to fail as often as a test likes. */
export const NEVER_OPENS = { consecutiveFailures: 1000, failureRatio: 1, minCalls: 100_000 };
