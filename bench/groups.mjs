/**
 * What can be measured, in the order in which results show it. `execArgv` is what Node is started with;
 * `onBoth` groups have peers whose newest releases want a newer Node than the oldest we run on, so they run on
 * both: with the newest peers that run here, and with the newest there are.
 */
export const groups = {
  'response-1kb': {},
  'hermes-141b': {},
  'json-valid': {},
  'json-peers': {},
  'prose-1mb': {},
  dialects: {},
  'argument-100kb-drip': {},
  /**
   * Where each doubling is compared with the one before, the collector must not decide: it copies what lives
   * in steps of its own choosing. With room for all of it, it does not run within a text.
   */
  doubling: { execArgv: ['--max-semi-space-size=128'] },
  'parse-memory': {},
  'repair-quality': { onBoth: true },
  'guard-closed': { onBoth: true },
  'guard-retry': { onBoth: true },
  'guard-open': { onBoth: true },
  'guard-window': { onBoth: true },
  'guard-memory': { onBoth: true },
  'growth-circuits': { onBoth: true },
  'guard-fleet': {},
  'fleet-redis': {},
  'fleet-scale': {},
  proxy: {},
  mcp: {},
  'mcp-http': {},
  'mcp-start': {},
  hook: {},
  'start-up': {},
};

export const groupNames = Object.keys(groups);
