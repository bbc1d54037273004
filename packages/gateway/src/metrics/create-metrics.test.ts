import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runningServer } from '../http/running-server.case.ts';
import { Redactor } from '../redact/redactor.ts';
import type { CallEnded, EventSource, GatewayEvent, TurnEnded } from '../observe/gateway-event.ts';
import { createMetrics } from './create-metrics.ts';
import type { Metrics, MetricsOptions } from './create-metrics.ts';
import { LABEL_LIMITS } from './label-book.ts';
import { writeMetrics } from './write-metrics.ts';

function metricsUnderTest(options: Partial<MetricsOptions> = {}): Metrics {
  const redactor = new Redactor(['CANARY-secret-value']);
  const metrics = createMetrics({
    state: () => ({ circuits: [], servers: [], tools: [] }),
    isOn: () => true,
    clean: (text) => redactor.text(text),
    version: '1.2.3',
    clock: new ManualClock(),
    ...options,
  });
  onTestFinished(() => metrics.close());
  return metrics;
}

let seq = 0;
function tell({ count }: Metrics, source: EventSource, ...events: readonly GatewayEvent[]): void {
  for (const event of events) count({ seq: ++seq, at: 0, source, event });
}

/** The samples of a metric, or of several, as they are scraped. */
function told(metrics: Metrics, ...names: readonly string[]): readonly string[] {
  const lines = writeMetrics(metrics.collect(), 'text').split('\n');
  return lines.filter((line) => names.some((name) => new RegExp(`^${name}[{ ]`).test(line)));
}

const TURN: TurnEnded = {
  type: 'turn-ended',
  id: 'r1',
  protocol: 'chat',
  model: 'tiny',
  upstream: 'lm',
  status: 200,
  isStream: true,
  tools: 1,
  calls: [],
  formats: [],
  repairs: [],
  issues: [],
  normalised: [],
  promptedIn: undefined,
  advice: [],
  wasAskedAgain: false,
  attempts: 1,
  finish: 'stop',
  durationMs: 1500,
  firstByteMs: 200,
  inputTokens: 12,
  outputTokens: 3,
  error: undefined,
  isAborted: false,
};

const CALL: CallEnded = {
  type: 'call-ended',
  id: 'c1',
  server: 'shop',
  tool: 'pay',
  outcome: 'ok',
  class: undefined,
  failureType: undefined,
  message: undefined,
  attempts: 1,
  durationMs: 20,
  repairs: [],
  advice: undefined,
  adviceRules: [],
};

const FAILURE = { class: 'timeout', message: 'it took too long' } as const;

describe('turns', () => {
  test('are measured by upstream, model and error', () => {
    const metrics = metricsUnderTest();
    tell(metrics, 'proxy', TURN, { ...TURN, error: { kind: 'timeout', message: 'no answer' } });
    const of = 'gen_ai_operation_name="chat",gen_ai_provider_name="lm",gen_ai_request_model="tiny"';
    expect(
      told(
        metrics,
        'gen_ai_server_request_duration_seconds_count',
        'gen_ai_server_time_to_first_token_seconds_sum',
        'gen_ai_client_token_usage_sum',
      ),
    ).toEqual([
      `gen_ai_server_request_duration_seconds_count{${of}} 1`,
      `gen_ai_server_request_duration_seconds_count{${of},error_type="timeout"} 1`,
      `gen_ai_server_time_to_first_token_seconds_sum{${of}} 0.4`,
      `gen_ai_client_token_usage_sum{${of},gen_ai_token_type="input"} 24`,
      `gen_ai_client_token_usage_sum{${of},gen_ai_token_type="output"} 6`,
    ]);
  });

  test('are counted by how they ended', () => {
    const metrics = metricsUnderTest();
    const error = { kind: 'upstream', message: 'it broke' };
    tell(metrics, 'proxy', TURN, { ...TURN, isAborted: true }, { ...TURN, error }, TURN);
    expect(told(metrics, 'holdfast_turns_total')).toEqual([
      'holdfast_turns_total{protocol="chat",model="tiny",outcome="ok"} 2',
      'holdfast_turns_total{protocol="chat",model="tiny",outcome="aborted"} 1',
      'holdfast_turns_total{protocol="chat",model="tiny",outcome="failed"} 1',
    ]);
  });

  test('are counted by what was read in them, those that failed apart', () => {
    const metrics = metricsUnderTest();
    const calls = [{ name: 'pay' }, { name: 'look' }];
    const issues = [{ code: 'invalid-json', message: 'odd' }];
    tell(
      metrics,
      'proxy',
      TURN,
      { ...TURN, calls, formats: ['qwen'], repairs: ['closed-brackets'] },
      { ...TURN, calls, formats: ['qwen'], issues },
      { ...TURN, issues, wasAskedAgain: true },
      { ...TURN, issues, error: { kind: 'upstream', message: 'it broke' } },
    );
    expect(
      told(
        metrics,
        'holdfast_parse_turns_total',
        'holdfast_parse_repairs_total',
        'holdfast_parse_issues_total',
        'holdfast_turn_calls_total',
        'holdfast_turns_asked_again_total',
      ),
    ).toEqual([
      'holdfast_turns_asked_again_total{model="tiny"} 1',
      'holdfast_turn_calls_total{model="tiny"} 4',
      'holdfast_parse_turns_total{model="tiny",result="text"} 1',
      'holdfast_parse_turns_total{model="tiny",format="qwen",result="calls"} 1',
      'holdfast_parse_turns_total{model="tiny",format="qwen",result="partly"} 1',
      'holdfast_parse_turns_total{model="tiny",result="unread"} 1',
      'holdfast_parse_repairs_total{repair="closed-brackets"} 1',
      'holdfast_parse_issues_total{model="tiny",code="invalid-json"} 2',
    ]);
  });
});

describe('tool calls', () => {
  test('are counted by server, tool, outcome and class', () => {
    const metrics = metricsUnderTest();
    const failed = {
      ...CALL,
      outcome: 'failed',
      class: 'timeout',
      failureType: 'timeout',
    } as const;
    tell(metrics, 'mcp', CALL, CALL, failed);
    tell(metrics, 'sidecar', { ...CALL, server: undefined, outcome: 'refused', class: 'refused' });
    expect(
      told(
        metrics,
        'holdfast_tool_calls_total',
        'holdfast_tool_failures_total',
        'holdfast_timeouts_total',
      ),
    ).toEqual([
      'holdfast_tool_calls_total{source="mcp",server="shop",tool="pay",outcome="ok"} 2',
      'holdfast_tool_calls_total{source="mcp",server="shop",tool="pay",outcome="failed",class="timeout"} 1',
      'holdfast_tool_calls_total{source="sidecar",tool="pay",outcome="refused",class="refused"} 1',
      'holdfast_tool_failures_total{source="mcp",server="shop",tool="pay",type="timeout"} 1',
      'holdfast_timeouts_total{source="mcp",server="shop",tool="pay"} 1',
    ]);
  });

  test('are counted by what was done to them', () => {
    const metrics = metricsUnderTest();
    const of = { server: 'shop', tool: 'pay' };
    tell(
      metrics,
      'mcp',
      { type: 'arguments-repaired', ...of, repairs: ['coerced-value at a', 'coerced-value at b'] },
      { type: 'arguments-refused', ...of, issues: ['missing-argument at cents'] },
      { type: 'call-stopped', ...of, code: 'TOO_MANY' },
      { type: 'result-cut', ...of, bytesLeftOut: 7 },
    );
    expect(told(metrics, 'holdfast_(?:argument|plugin|results)_[a-z_]+')).toEqual([
      'holdfast_argument_repairs_total{server="shop",tool="pay",repair="coerced-value"} 1',
      'holdfast_argument_refusals_total{server="shop",tool="pay",issue="missing-argument"} 1',
      'holdfast_plugin_stops_total{server="shop",tool="pay",code="TOO_MANY"} 1',
      'holdfast_results_cut_total{server="shop",tool="pay"} 1',
    ]);
  });

  test('are counted by the advice that models were given, loops apart', () => {
    const metrics = metricsUnderTest();
    const said = { tool: 'pay', log: '[Fallback]' };
    tell(metrics, 'mcp', { type: 'advice-given', ...said, rules: ['cycle', 'step-back'] });
    tell(metrics, 'mcp', { type: 'call-vetoed', ...said, rule: 'same-call' });
    tell(metrics, 'proxy', { ...TURN, advice: ['no-progress'] });
    expect(told(metrics, 'holdfast_(?:advice|loops|vetoes)_total')).toEqual([
      'holdfast_advice_total{source="mcp",rule="cycle"} 1',
      'holdfast_advice_total{source="mcp",rule="step-back"} 1',
      'holdfast_advice_total{source="proxy",rule="no-progress"} 1',
      'holdfast_loops_total{source="mcp",rule="cycle"} 1',
      'holdfast_loops_total{source="proxy",rule="no-progress"} 1',
      'holdfast_vetoes_total{source="mcp",rule="same-call"} 1',
    ]);
  });
});

describe('circuits', () => {
  test('are counted by what they do and why', () => {
    const metrics = metricsUnderTest();
    const circuit = 'shop/pay';
    const opened = { type: 'circuit-opened', circuit, failures: 5, openForMs: 1000 } as const;
    tell(
      metrics,
      'mcp',
      { ...opened, from: 'closed', reason: 'failure_threshold_exceeded' },
      { type: 'circuit-refused', circuit, retryAfterMs: 5, isShadow: false },
      { type: 'circuit-half-opened', circuit },
      { ...opened, from: 'half-open', reason: 'probe_failed' },
      { type: 'circuit-half-opened', circuit },
      { type: 'circuit-closed', circuit, reason: 'probe_succeeded' },
    );
    expect(told(metrics, 'holdfast_circuit_(?:transitions|refusals|probes)_total')).toEqual([
      'holdfast_circuit_transitions_total{source="mcp",circuit="shop/pay",to="open",reason="failure_threshold_exceeded"} 1',
      'holdfast_circuit_transitions_total{source="mcp",circuit="shop/pay",to="half_open",reason="recovery_timeout_expired"} 2',
      'holdfast_circuit_transitions_total{source="mcp",circuit="shop/pay",to="open",reason="probe_failed"} 1',
      'holdfast_circuit_transitions_total{source="mcp",circuit="shop/pay",to="closed",reason="probe_succeeded"} 1',
      'holdfast_circuit_refusals_total{source="mcp",circuit="shop/pay",shadow="no"} 1',
      'holdfast_circuit_probes_total{source="mcp",circuit="shop/pay",outcome="failed"} 1',
      'holdfast_circuit_probes_total{source="mcp",circuit="shop/pay",outcome="succeeded"} 1',
    ]);
  });

  test('are retried, or not, for a reason', () => {
    const metrics = metricsUnderTest();
    tell(
      metrics,
      'mcp',
      {
        type: 'retry-scheduled',
        name: 'pay',
        attempt: 1,
        maxAttempts: 3,
        delayMs: 5,
        failure: FAILURE,
      },
      { type: 'retry-abandoned', name: 'pay', attempt: 2, reason: 'budget', failure: FAILURE },
    );
    expect(told(metrics, 'holdfast_retries_[a-z_]+')).toEqual([
      'holdfast_retries_total{source="mcp",tool="pay",class="timeout"} 1',
      'holdfast_retries_abandoned_total{source="mcp",reason="budget"} 1',
    ]);
  });

  test('and servers, and those who share circuits, are told as they are at the scrape', () => {
    let scrapes = 0;
    const metrics = metricsUnderTest({
      state: () => ({
        circuits: [
          { source: 'mcp', name: 'shop/pay', state: 'open' },
          { source: 'mcp', name: 'shop/look', state: 'half-open' },
          { source: 'proxy', name: 'lm', state: 'closed' },
        ],
        servers: [
          {
            server: 'shop',
            isConnected: true,
            reconnects: ++scrapes,
            droppedMessages: 7,
            runningRequests: 4,
          },
          {
            server: 'gone',
            isConnected: false,
            reconnects: 0,
            droppedMessages: 0,
            runningRequests: 0,
          },
        ],
        tools: [],
        fleet: {
          isDegraded: true,
          replicas: 3,
          circuits: [{ name: 'shop/pay', state: 'open' }],
        },
      }),
    });
    const lost = { replica: 'a', reason: 'timeout', message: 'no answer' } as const;
    tell(metrics, 'gateway', { type: 'store-degraded', ...lost });
    const names = 'holdfast_(?:circuits?|mcp|store|replicas|fleet)(?:_[a-z_]+)?';
    expect(told(metrics, names)).toEqual([
      'holdfast_circuit_state{source="mcp",circuit="shop/pay"} 2',
      'holdfast_circuit_state{source="mcp",circuit="shop/look"} 1',
      'holdfast_circuit_state{source="proxy",circuit="lm"} 0',
      'holdfast_circuits{source="mcp",state="open"} 1',
      'holdfast_circuits{source="mcp",state="half_open"} 1',
      'holdfast_circuits{source="proxy",state="closed"} 1',
      'holdfast_mcp_server_up{server="shop"} 1',
      'holdfast_mcp_server_up{server="gone"} 0',
      'holdfast_mcp_server_reconnects_total{server="shop"} 1',
      'holdfast_mcp_server_reconnects_total{server="gone"} 0',
      'holdfast_mcp_messages_dropped_total{server="shop"} 7',
      'holdfast_mcp_messages_dropped_total{server="gone"} 0',
      'holdfast_mcp_requests_in_flight{server="shop"} 4',
      'holdfast_mcp_requests_in_flight{server="gone"} 0',
      'holdfast_store_degraded 1',
      'holdfast_replicas 3',
      'holdfast_fleet_circuit_state{circuit="shop/pay"} 2',
      'holdfast_store_losses_total 1',
    ]);
    // Asked once for all of them.
    expect(scrapes).toBe(1);
  });

  test('that nobody shares say nothing of a store', () => {
    expect(told(metricsUnderTest(), 'holdfast_store_degraded', 'holdfast_replicas')).toEqual([]);
  });
});

describe('a model that invents ten thousand tools, and a client that invents models', () => {
  test('make metrics no larger than they may be, and take no name from a tool that exists', () => {
    const metrics = metricsUnderTest({
      state: () => ({ circuits: [], servers: [], tools: ['real_tool'] }),
    });
    for (let at = 0; at < 10_000; at++) {
      const name = `invented_${at}`;
      const circuit = `shop/${name}`;
      tell(
        metrics,
        'mcp',
        { ...CALL, tool: name, outcome: 'failed', class: 'not-found', failureType: 'unknown_tool' },
        { type: 'arguments-repaired', server: `s${at}`, tool: name, repairs: [`repair-${at}`] },
        { type: 'circuit-refused', circuit, retryAfterMs: 5, isShadow: false },
      );
      tell(metrics, 'proxy', { ...TURN, model: name, upstream: `u${at}`, formats: [name] });
      metrics.operations.ended({
        kind: 'server',
        attributes: { 'mcp.method.name': `method/${at}`, 'gen_ai.tool.name': name },
        errorType: `-${at}`,
        durationMs: 1,
      });
    }
    // It is listed when all names are taken, and has its own all the same.
    metrics.collect();
    tell(metrics, 'mcp', { ...CALL, tool: 'real_tool' });

    const text = writeMetrics(metrics.collect(), 'text');
    expect(text.length).toBeLessThan(2_000_000);
    const calls = told(metrics, 'holdfast_tool_calls_total');
    expect(calls).toHaveLength(LABEL_LIMITS.tool + 2);
    expect(calls).toContain(
      'holdfast_tool_calls_total{source="mcp",server="shop",tool="real_tool",outcome="ok"} 1',
    );
    const total = calls.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    expect(total).toBe(10_001);
    const [folded] = told(metrics, 'holdfast_metrics_folded_total');
    expect(folded).toMatch(/label="tool"\} \d{4,}$/);
  });
});

describe('the route', () => {
  test('answers in the text that is asked for', async () => {
    const { url } = await runningServer(undefined, { routes: metricsUnderTest().routes });
    const plain = await fetch(`${url}/metrics`);
    expect(plain.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(await plain.text()).toContain('holdfast_build_info{version="1.2.3"');
    const open = await fetch(`${url}/metrics`, {
      headers: { accept: 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5' },
    });
    expect(open.headers.get('content-type')).toBe(
      'application/openmetrics-text; version=1.0.0; charset=utf-8',
    );
    expect(await open.text()).toMatch(/# EOF\n$/);
  });

  test('is not there where metrics are turned off, from one moment to the next', async () => {
    let isOn = true;
    const { routes } = metricsUnderTest({ isOn: () => isOn });
    const { url } = await runningServer(undefined, { routes });
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
    isOn = false;
    const answer = await fetch(`${url}/metrics`);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('observe.metrics');
  });

  test('tells no secret, though somebody names a tool after one', async () => {
    const metrics = metricsUnderTest();
    const { url } = await runningServer(undefined, { routes: metrics.routes });
    tell(metrics, 'mcp', { ...CALL, tool: 'pay CANARY-secret-value' });
    tell(metrics, 'proxy', { ...TURN, model: 'sk-CANARY4567890123456789012345678901234' });
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(text).toContain('tool="pay ***"');
    expect(text).not.toContain('CANARY');
  });
});
