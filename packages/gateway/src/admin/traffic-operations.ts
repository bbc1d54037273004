import type { JsonObject } from '@holdfast/core';
import { MOST_FAILURES } from '../observe/tool-statistics.ts';
import type { Observation } from '../observe/observation.ts';
import { MOST_MINUTES } from '../observe/traffic.ts';
import { MOST_TURNS } from '../observe/turn-statistics.ts';
import { RequestError } from '../http/request-error.ts';
import type { AdminOperation } from './admin-operation.ts';
import { CALL_SCHEMA, CAPTURED_TURN_SCHEMA, TURN_SCHEMA } from './event-schemas.ts';
import { count, counts, fields, list, number, orNull, said, text, time } from './schema-words.ts';

const PERCENTILE = orNull(number);
const PERCENTILES = fields({ p50: PERCENTILE, p95: PERCENTILE, p99: PERCENTILE });

const POINT = fields({
  at: time,
  turns: count,
  turns_failed: count,
  turns_refused: count,
  calls: count,
  calls_failed: count,
  calls_refused: count,
  turn_p50: PERCENTILE,
  turn_p95: PERCENTILE,
  turn_p99: PERCENTILE,
  call_p50: PERCENTILE,
  call_p95: PERCENTILE,
  call_p99: PERCENTILE,
});

const OVERVIEW = fields({
  since: time,
  slot_seconds: count,
  totals: fields({
    turns: count,
    turns_failed: count,
    turns_refused: said(count, 'Turns for which no upstream was asked: each circuit was open.'),
    calls: count,
    calls_failed: count,
    calls_refused: said(count, 'Calls that were not sent: a circuit, a plugin, a schema.'),
    repairs: count,
    retries: count,
    timeouts: count,
    advice: count,
    loops: count,
    unread_calls: count,
  }),
  latency_ms: fields({ turns: PERCENTILES, calls: PERCENTILES }),
  series: list(POINT),
});

const PARSING = fields({
  models: list(
    fields({
      model: text,
      turns: count,
      calls: count,
      formats: said(counts, 'In how many turns a dialect was read.'),
      repairs: counts,
      unread: count,
    }),
  ),
  repairs: counts,
  unread: list(
    fields({
      at: time,
      request_id: text,
      model: text,
      code: text,
      message: text,
      text: said(orNull(text), 'What the model wrote, where that is kept.'),
    }),
  ),
});

const TOOL = fields({
  server: orNull(text),
  tool: text,
  calls: count,
  ok: count,
  failed: count,
  refused: count,
  success_rate: said(orNull(number), 'Of those that were made; null where none was.'),
  p50_ms: PERCENTILE,
  p95_ms: PERCENTILE,
  classes: counts,
  types: counts,
  last_failure: orNull(CALL_SCHEMA),
  loops: count,
});

/** What happens: by time, by model, by tool, and one after the other. */
export function trafficOperations(watched: Observation): readonly AdminOperation[] {
  const { traffic, turns, tools } = watched;
  return [
    {
      method: 'GET',
      path: '/api/v1/overview',
      id: 'get_overview',
      summary: 'How much happened in the last minutes, how much of it failed, how long it took.',
      query: { minutes: upTo(MOST_MINUTES, 'How far back. 15 without it.') },
      gives: OVERVIEW,
      run: ({ query }) => traffic.overview(Number(query['minutes'] ?? 15)),
    },
    {
      method: 'GET',
      path: '/api/v1/requests',
      id: 'list_requests',
      summary: 'The last requests to models, newest first.',
      query: {
        limit: upTo(MOST_TURNS, 'How many. 50 without it.'),
        before: { type: 'integer', minimum: 1, description: 'Only those before this seq.' },
      },
      gives: fields({ requests: list(TURN_SCHEMA) }),
      run: ({ query }) => {
        const limit = Number(query['limit'] ?? 50);
        return { requests: turns.requests(limit, Number(query['before'] ?? Infinity)) };
      },
    },
    {
      method: 'GET',
      path: '/api/v1/requests/{id}',
      id: 'get_request',
      summary: 'One request to a model, with what was said in it where that is kept.',
      gives: CAPTURED_TURN_SCHEMA,
      errors: { 404: 'It is not among the last requests.' },
      run: ({ path }) => {
        const found = turns.request(path['id'] ?? '');
        if (found !== undefined) return found;
        const message = `there is no request of this id among the last ${MOST_TURNS}`;
        throw new RequestError(404, 'not-found', message);
      },
    },
    {
      method: 'GET',
      path: '/api/v1/parsing',
      id: 'get_parsing',
      summary: 'How the calls in the answers of models were read, and which could not be.',
      gives: PARSING,
      run: () => turns.parsing(),
    },
    {
      method: 'GET',
      path: '/api/v1/tools',
      id: 'list_tools',
      summary: 'What became of the calls of each tool since the gateway runs.',
      gives: fields({ tools: list(TOOL) }),
      run: () => ({ tools: tools.tools() }),
    },
    {
      method: 'GET',
      path: '/api/v1/failures',
      id: 'list_failures',
      summary: 'The last calls that failed or were refused, newest first.',
      query: {
        limit: upTo(MOST_FAILURES, 'How many. 50 without it.'),
        outcome: {
          type: 'string',
          enum: ['failed', 'refused'],
          description: 'Only those that failed, or only those that were not sent. Both without it.',
        },
      },
      gives: fields({ failures: list(CALL_SCHEMA) }),
      run: ({ query }) => ({
        failures: tools.failures(Number(query['limit'] ?? 50), query['outcome']),
      }),
    },
  ];
}

function upTo(maximum: number, description: string): JsonObject {
  return { type: 'integer', minimum: 1, maximum, description };
}
