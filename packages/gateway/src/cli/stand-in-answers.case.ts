/** What a gateway says of itself that has had some trouble. */
export const STATUS = {
  version: '0.1.0',
  uptime_ms: 185_000,
  upstreams: [{ name: 'lm-studio', url: 'http://127.0.0.1:1234/v1' }],
  proxy: {
    reasoning_starts: [
      {
        upstream: 'lm-studio',
        model: 'local-model',
        starts_in_reasoning: true,
        why: 'an answer ended reasoning that it did not begin',
        expires_in_seconds: 86_400,
      },
    ],
  },
  mcp: {
    servers: {
      github: { state: 'connected' },
      files: { state: 'lost', reason: 'it ended with 1' },
    },
    tools: [],
  },
};

export const OVERVIEW = {
  since: '2026-01-01T00:00:00.000Z',
  totals: {
    turns: 412,
    turns_failed: 3,
    calls: 1204,
    calls_failed: 37,
    turns_refused: 0,
    calls_refused: 12,
    repairs: 12,
    retries: 4,
    timeouts: 1,
    advice: 5,
    loops: 0,
    unread_calls: 2,
  },
  latency_ms: {
    turns: { p50: 812, p95: 2_140, p99: 4_000 },
    calls: { p50: 40, p95: 1_200, p99: null },
  },
  series: [{ at: '2026-01-01T00:00:00.000Z', turns: 1 }],
};

const CLOSED = {
  of: 'mcp',
  state: 'closed',
  is_isolated: false,
  retry_after_seconds: null,
  open_until: null,
  reason: null,
  note: null,
  since: '2026-01-01T00:00:00.000Z',
  window: { calls: 3, failures: 0, slow: 0 },
  consecutive_failures: 0,
  outcomes: 'sss',
  metrics: { total_calls: 3, successes: 3, failures: 0, rejections: 0, ignored: 0 },
  settings: {},
  history: [],
  fleet: null,
};

export const OPEN = {
  ...CLOSED,
  name: 'github:search',
  state: 'open',
  retry_after_seconds: 42,
  reason: 'failure_ratio_exceeded',
  window: { calls: 12, failures: 6, slow: 1 },
  outcomes: 'ssssssfffiffrrr',
  metrics: { total_calls: 15, successes: 6, failures: 5, rejections: 3, ignored: 1 },
  history: [
    {
      at: '2026-01-01T00:00:00.000Z',
      from: 'closed',
      to: 'open',
      reason: 'failure_ratio_exceeded',
      note: null,
    },
    { at: '2026-01-01T00:01:00.000Z', from: 'open', to: 'half_open', reason: null, note: null },
  ],
};

export const ISOLATED = {
  ...CLOSED,
  name: 'payments',
  state: 'open',
  is_isolated: true,
  reason: 'isolated',
  note: 'the bank is closed',
  window: { calls: 0, failures: 0, slow: 0 },
  outcomes: '',
};

export const CIRCUITS = {
  circuits: [
    { ...CLOSED, name: 'read_file' },
    OPEN,
    { ...CLOSED, name: 'upstream lm-studio', state: 'half_open', reason: 'probe' },
    ISOLATED,
  ],
};

export const ANSWERS = {
  '/api/v1/status': STATUS,
  '/api/v1/overview': OVERVIEW,
  '/api/v1/circuits': CIRCUITS,
  '/api/v1/circuits/github%3Asearch': OPEN,
  '/api/v1/circuits/github%3Asearch/reset': { ...OPEN, state: 'closed' },
  '/api/v1/circuits/payments/isolate': ISOLATED,
};
