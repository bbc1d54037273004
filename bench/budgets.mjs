/**
 * What has to hold. Rows of the tables name the budget they speak of; a run of a group without a row for each
 * of its budgets ends in an error, so that none is missed by leaving it out.
 */
export const budgets = {
  'guard-over-await': {
    what: 'timeout, breaker and retry around a call that does nothing',
    limit: '≤ 0.6 µs over a bare await',
    groups: ['guard-closed'],
  },
  'guard-cockatiel': {
    what: 'the same beside the same stack in cockatiel',
    limit: '≤ a tenth',
    groups: ['guard-closed'],
  },
  'breaker-sampling': {
    what: 'the breaker alone beside the sampling breaker of cockatiel',
    limit: 'no slower',
    groups: ['guard-closed'],
  },
  'refusal-as-value': {
    what: 'a refusal as a value',
    limit: '≤ 0.25 µs',
    groups: ['guard-open'],
  },
  'circuit-bytes': {
    what: 'an idle circuit in memory',
    limit: '≤ 1 KB',
    groups: ['guard-memory'],
  },
  'circuit-history': {
    what: 'a circuit that was never called, which has no history yet',
    limit: 'less than one that was',
    groups: ['guard-memory'],
  },
  'circuit-timers': {
    what: 'timers of idle circuits',
    limit: 'none',
    groups: ['guard-memory'],
  },
  'outcome-constant': {
    what: 'an outcome with 10,000 calls in the window, beside 100',
    limit: '≤ 1.5 times',
    groups: ['guard-window'],
  },
  'growth-circuits': {
    what: 'ten times as many circuits in use: memory of each, and the cost of a call',
    limit: '≤ 1.1 and ≤ 4 times',
    groups: ['growth-circuits'],
  },
  'parse-1kb': {
    what: 'a 1 KB answer with one call, any dialect, found by itself',
    limit: '≤ 20 µs',
    groups: ['response-1kb', 'dialects'],
  },
  'hermes-141b': {
    what: 'a Hermes call of 141 bytes',
    limit: '≥ 200,000 a second',
    groups: ['hermes-141b'],
  },
  'hermes-peer': {
    what: 'Hermes calls of 141 bytes to 100 KB beside @ai-sdk-tool/parser',
    limit: '≥ 5 times as fast',
    groups: ['hermes-141b'],
  },
  'drip-total': {
    what: 'a 100 KB argument in chunks of 4 characters',
    limit: '≤ 10 ms in all',
    groups: ['argument-100kb-drip'],
  },
  'drip-flat': {
    what: 'the last tenth of those chunks beside the first',
    limit: '≤ 1.5 times',
    groups: ['argument-100kb-drip'],
  },
  'drip-peer': {
    what: 'the same chunks beside @ai-sdk-tool/parser',
    limit: '≥ 100 times as fast',
    groups: ['argument-100kb-drip'],
  },
  'growth-input': {
    what: 'an argument ten times as long, in chunks of 4 characters',
    limit: '≤ 16 times (2.3 a doubling)',
    groups: ['argument-100kb-drip'],
  },
  'json-document': {
    what: 'a complete JSON document beside native `JSON.parse`',
    limit: '≤ 1.3 times',
    groups: ['json-valid'],
  },
  'json-in-text': {
    what: 'valid JSON inside text beside native `JSON.parse` of it alone',
    limit: '≤ 2 times',
    groups: ['json-valid'],
  },
  'json-unchanged': {
    what: '100,000 random valid documents read otherwise than `JSON.parse` reads them',
    limit: 'none',
    groups: ['repair-quality'],
  },
  'json-hazards': {
    what: 'prototypes set and stacks overflown by JSON',
    limit: 'none',
    groups: ['repair-quality'],
  },
  doubling: {
    what: 'any text twice as long, hostile ones too',
    limit: '≤ 2.3 times, and no timeout',
    groups: ['doubling'],
  },
  prose: {
    what: '1 MB of plain prose, streamed',
    limit: '≥ 200 MB/s',
    groups: ['prose-1mb'],
  },
  'prose-dialects': {
    what: 'plain prose with all dialects beside the five first ones',
    limit: '≤ 1.3 times',
    groups: ['dialects'],
  },
  'proxy-first-token': {
    what: 'time the proxy adds to the first token, p50 on loopback',
    limit: '≤ 1 ms',
    groups: ['proxy'],
  },
  'proxy-chunks': {
    what: 'chunks a second of one stream through the proxy',
    limit: '≥ 5,000',
    groups: ['proxy'],
  },
  'proxy-share': {
    what: 'streams a second beside a bare relay',
    limit: '≥ 60 %',
    groups: ['proxy'],
  },
  'proxy-portkey': {
    what: 'streams a second beside Portkey',
    limit: 'more',
    groups: ['proxy'],
  },
  'proxy-memory': {
    what: 'memory of the proxy after 10,000 streams beside 2,000',
    limit: '≤ 1.1 times',
    groups: ['proxy'],
  },
  'mcp-added': {
    what: 'time the MCP gateway adds to a call over stdio, p50',
    limit: '≤ 1 ms',
    groups: ['mcp'],
  },
  'mcp-share': {
    what: 'calls a second over stdio beside a bare pass-through on the SDK',
    limit: '≥ 85 %',
    groups: ['mcp'],
  },
  'mcp-http': {
    what: 'calls a second over HTTP beside mcp-proxy',
    limit: 'more',
    groups: ['mcp-http'],
  },
  'mcp-memory': {
    what: 'memory of the MCP gateway after 10,000 calls beside 2,000',
    limit: '≤ 1.1 times',
    groups: ['mcp'],
  },
  'fleet-cost': {
    what: 'a call on a circuit that many processes share, in memory or Redis, beside one of its own',
    limit: '≤ 1.1 times',
    groups: ['guard-fleet'],
  },
  'fleet-operations': {
    what: 'what the store is asked a second for each circuit in use, at 100,000 calls a second or more',
    limit: '≤ 10',
    groups: ['guard-fleet'],
  },
  'redis-admission': {
    what: 'commands to Redis that 100,000 admissions cause while they are made',
    limit: 'none',
    groups: ['fleet-redis'],
  },
  'redis-trip': {
    what: 'from a trip on one replica to a refusal on every other',
    limit: '≤ 1 s',
    groups: ['fleet-redis', 'fleet-scale'],
  },
  'redis-probe': {
    what: 'probes of all replicas together when an open time is over',
    limit: 'exactly one',
    groups: ['fleet-redis'],
  },
  'redis-commands': {
    what: 'commands a second of all replicas, ten times the calls or replicas',
    limit: '≤ 5,500 and the signs of life',
    groups: ['fleet-scale'],
  },
  hook: {
    what: 'a run of `holdfast hook` beside starting Node',
    limit: '≤ 60 ms more',
    groups: ['hook'],
  },
  'start-up': {
    what: '`holdfast --help` beside starting Node',
    limit: '≤ 80 ms more',
    groups: ['start-up'],
  },
};

/** Ids of the budgets that a group has to have rows for. */
export function budgetsOf(group) {
  return Object.keys(budgets).filter((id) => budgets[id].groups.includes(group));
}

/** Whether the rows of a table row meet all its budgets; undefined where it has none. */
export function isMet({ budgets: verdicts = {} }) {
  const all = Object.values(verdicts);
  return all.length === 0 ? undefined : all.every(Boolean);
}

/** What is wrong with the budgets of a group's tables: one it must have is missing, or one is nobody's. */
export function budgetFaults({ name, tables }) {
  const told = new Set(
    tables.flatMap(({ rows }) => rows.flatMap((row) => Object.keys(row.budgets ?? {}))),
  );
  const wanted = budgetsOf(name);
  const missing = wanted.filter((id) => !told.has(id));
  const unknown = [...told].filter((id) => !wanted.includes(id));
  return [
    ...missing.map((id) => `${name} has no row for the budget ${id}`),
    ...unknown.map((id) => `${name} has a row for ${id}, which is no budget of it`),
  ];
}

/** One verdict for each budget that was measured: met when every row of every group meets it. */
export function judgeBudgets(groups) {
  const verdicts = {};
  for (const { name, tables } of groups)
    for (const row of tables.flatMap(({ rows }) => rows))
      for (const [id, isRowMet] of Object.entries(row.budgets ?? {})) {
        const verdict = (verdicts[id] ??= { id, rows: 0, missed: 0, groups: [] });
        verdict.rows++;
        if (!isRowMet) verdict.missed++;
        if (!verdict.groups.includes(name)) verdict.groups.push(name);
      }
  return Object.keys(budgets).map((id) => verdicts[id] ?? { id, rows: 0, missed: 0, groups: [] });
}
