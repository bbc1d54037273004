import { describe, expect, test } from 'vitest';
import type { JsonValue } from '@holdfast/core';
import type { PostOutcome } from '../plugin-run.ts';
import type { HostUnderTest } from '../plugin-host.case.ts';
import { hostOfYaml } from '../plugin-host.case.ts';

const FAILED = { isError: true, content: [{ type: 'text', text: 'gateway down' }] };
const FINE = { content: [{ type: 'text', text: 'paid' }] };

const SEVEN = [
  'circuit_calls_in_window',
  'circuit_failures_in_window',
  'circuit_failure_rate',
  'circuit_consecutive_failures',
  'circuit_open_until',
  'circuit_half_open',
  'circuit_retry_after_seconds',
];

/** The snippet of the plugin's own page, with its numbers in place of `config`. */
function breaker(config: string): Promise<HostUnderTest> {
  return hostOfYaml(`- name: "CircuitBreaker"
  kind: "plugins.circuit_breaker.circuit_breaker.CircuitBreakerPlugin"
  hooks: ["tool_pre_invoke", "tool_post_invoke"]
  mode: "enforce_ignore_error"
  priority: 70
  config: ${config}
`);
}

const PAYMENT = `
    window_seconds: 60
    min_calls: 10
    error_rate_threshold: 0.5
    consecutive_failure_threshold: 5
    cooldown_seconds: 30
    tool_overrides:
      payment_api:
        consecutive_failure_threshold: 2
        cooldown_seconds: 120
        min_calls: 3`;

/** A whole call; undefined where it was refused. */
async function call(
  { begin }: HostUnderTest,
  result: JsonValue,
  tool = 'weather',
  how: { timedOut?: boolean; server?: string } = {},
): Promise<PostOutcome | undefined> {
  const run = begin(tool, how.server);
  const { violation } = await run.pre({});
  return violation === undefined ? run.post(result, how) : undefined;
}

async function times(count: number, make: () => Promise<unknown>): Promise<void> {
  for (let made = 0; made < count; made++) await make();
}

describe('the circuit breaker', () => {
  test('lets calls through while it is closed', async () => {
    const host = await breaker('{}');
    const after = await call(host, FINE);
    expect(after?.result).toBe(FINE);
    expect(Object.keys(after?.metadata ?? {})).toEqual(SEVEN);
    expect(after?.metadata).toMatchObject({ circuit_calls_in_window: 1, circuit_open_until: 0 });
  });

  test('opens on failures in a row and says until when', async () => {
    const host = await breaker('{}');
    await times(4, () => call(host, FAILED));
    const tripping = await call(host, FAILED);
    expect(tripping?.metadata).toMatchObject({
      circuit_consecutive_failures: 5,
      circuit_failure_rate: 1,
      circuit_half_open: false,
      circuit_retry_after_seconds: 60,
      circuit_open_until: Date.UTC(2026, 0, 1, 0, 1) / 1000,
    });
    const { violation, metadata } = await host.begin('weather').pre({});
    expect(violation).toEqual({
      code: 'CIRCUIT_OPEN',
      reason: 'Circuit open',
      description:
        'weather keeps failing (5 times in a row), so this call was not made. Do not call weather again before ' +
        '2026-01-01T00:01:00.000Z (in 60 s). Use another tool, or go on without it.',
      details: { open_until: Date.UTC(2026, 0, 1, 0, 1) / 1000, retry_after_seconds: 60 },
      http_status_code: 503,
      http_headers: { 'Retry-After': '60' },
    });
    expect(Object.keys(metadata)).toEqual(SEVEN);
  });

  test('opens on the share of failures once there are enough calls', async () => {
    const host = await breaker('{ consecutive_failure_threshold: 100, min_calls: 4 }');
    await call(host, FINE);
    await times(2, () => call(host, FAILED));
    expect(await call(host, FINE)).toMatchObject({ metadata: { circuit_failure_rate: 0.5 } });
    expect(await call(host, FINE)).toBeUndefined();
  });

  test('counts the remaining time down to a tenth of a second', async () => {
    const host = await breaker('{ consecutive_failure_threshold: 1 }');
    await call(host, FAILED);
    host.clock.skip(12_340);
    const { violation } = await host.begin('weather').pre({});
    expect(violation?.details).toMatchObject({ retry_after_seconds: 47.7 });
    expect(violation?.http_headers).toEqual({ 'Retry-After': '48' });
  });

  test('lets one call through after the cooldown, marked as the probe, and closes when it succeeds', async () => {
    const host = await breaker('{ consecutive_failure_threshold: 1 }');
    await call(host, FAILED);
    host.clock.skip(60_000);
    const probe = host.begin('weather');
    expect((await probe.pre({})).violation).toBeUndefined();
    const other = await host.begin('weather').pre({});
    expect(other.violation?.code).toBe('CIRCUIT_HALF_OPEN_PROBE_IN_FLIGHT');
    expect(other.metadata['circuit_half_open']).toBe(true);
    const { metadata } = await probe.post(FINE);
    expect(metadata).toMatchObject({ circuit_half_open: true, circuit_consecutive_failures: 0 });
    expect((await call(host, FINE))?.metadata).toMatchObject({ circuit_half_open: false });
  });

  test('opens again for a whole cooldown when the probe fails', async () => {
    const host = await breaker('{ consecutive_failure_threshold: 1 }');
    await call(host, FAILED);
    host.clock.skip(60_000);
    expect(await call(host, FAILED)).toMatchObject({
      metadata: { circuit_retry_after_seconds: 60 },
    });
    host.clock.skip(59_999);
    expect(await call(host, FINE)).toBeUndefined();
    host.clock.skip(1);
    expect(await call(host, FINE)).toBeDefined();
  });

  test('gives the place of a probe that never ends to another', async () => {
    const host = await breaker('{ consecutive_failure_threshold: 1 }');
    await call(host, FAILED);
    host.clock.skip(60_000);
    const stale = host.begin('weather');
    await stale.pre({});
    host.clock.skip(60_000);
    expect(await call(host, FINE)).toBeDefined();
    // What the first one says at last is too late to matter.
    await stale.post(FAILED);
    expect(await call(host, FINE)).toBeDefined();
  });

  test('counts a timeout as a failure although the result says success', async () => {
    const host = await breaker('{ consecutive_failure_threshold: 2 }');
    await times(2, () => call(host, FINE, 'weather', { timedOut: true }));
    expect(await call(host, FINE)).toBeUndefined();
  });

  test.each([
    ['is_error', { is_error: true }, 1],
    ['isError', { isError: true }, 1],
    ['is_error over isError', { is_error: false, isError: true }, 0],
    ['is_error over isError, the other way round', { is_error: true, isError: false }, 1],
    ['neither', { content: [] }, 0],
    ['a text', 'isError: true', 0],
    ['nothing', null, 0],
  ])('reads failures from %s', async (_, result, failures) => {
    const host = await breaker('{}');
    expect((await call(host, result))?.metadata['circuit_failures_in_window']).toBe(failures);
  });

  test('does not count errors of arguments where counts says so', async () => {
    const host = await breaker(
      '{ consecutive_failure_threshold: 2, counts: { invalid-arguments: false } }',
    );
    const text = 'MCP error -32602: Invalid arguments for tool weather: city is required';
    const wrong = { isError: true, content: [{ type: 'text', text }] };
    await times(5, () => call(host, wrong));
    expect((await call(host, FINE))?.metadata).toMatchObject({ circuit_failures_in_window: 0 });
  });

  test('counts a call it hears of only when it is over, and a refused one never', async () => {
    const host = await breaker('{ consecutive_failure_threshold: 2 }');
    await times(2, () => host.begin('weather').post(FAILED));
    const refused = host.begin('weather');
    expect((await refused.pre({})).violation?.code).toBe('CIRCUIT_OPEN');
    host.clock.skip(60_000);
    await refused.post(FAILED);
    expect(await call(host, FINE)).toBeDefined();
  });

  test('forgets what is older than the window', async () => {
    const host = await breaker('{ consecutive_failure_threshold: 100, min_calls: 4 }');
    await times(3, () => call(host, FAILED));
    host.clock.skip(61_000);
    expect((await call(host, FINE))?.metadata).toMatchObject({ circuit_calls_in_window: 1 });
  });

  test('has a circuit for each tool of each server', async () => {
    const host = await breaker('{ consecutive_failure_threshold: 1 }');
    await call(host, FAILED, 'search', { server: 'one' });
    expect(await call(host, FINE, 'search', { server: 'one' })).toBeUndefined();
    expect(await call(host, FINE, 'search', { server: 'two' })).toBeDefined();
    expect(await call(host, FINE, 'read', { server: 'one' })).toBeDefined();
  });

  test('uses the name that the model knows in what it is told', async () => {
    const { host } = await breaker('{ consecutive_failure_threshold: 1 }');
    const say = { requestId: '1', tool: 'weather', shownName: 'home__weather' };
    const run = host.begin(say);
    await run?.pre({});
    await run?.post(FAILED);
    const outcome = await host.begin(say)?.pre({});
    expect(outcome?.violation?.description).toContain('Do not call home__weather again before');
  });
});

describe('results with isError', () => {
  const MISSING = { isError: true, content: [{ type: 'text', text: 'ENOENT: no such file' }] };
  const WRONG = { isError: true, content: [{ type: 'text', text: 'Invalid arguments' }] };
  const DENIED = { is_error: true, content: [{ type: 'text', text: 'Access denied' }] };

  test.each([
    ['not found', MISSING],
    ['wrong arguments', WRONG],
    ['access denied', DENIED],
  ])('count as failures when they say %s, as every one does', async (_, result) => {
    const host = await breaker('{}');
    await times(5, () => call(host, result));
    expect(await call(host, FINE)).toBeUndefined();
  });

  test('do not count when counts leaves their class out', async () => {
    const host = await breaker('{ counts: { not-found: false } }');
    await times(20, () => call(host, MISSING));
    expect(await call(host, FINE)).toBeDefined();
    await times(5, () => call(host, DENIED));
    expect(await call(host, FINE)).toBeUndefined();
  });

  test('count by the override of their tool', async () => {
    const host = await breaker('{ tool_overrides: { files: { counts: { not-found: false } } } }');
    await times(20, () => call(host, MISSING, 'files'));
    expect(await call(host, FINE, 'files')).toBeDefined();
  });
});

describe('payment_api, by the overrides of the story', () => {
  test('opens after two failures for two minutes', async () => {
    const host = await breaker(PAYMENT);
    await times(2, () => call(host, FAILED, 'payment_api', { server: 'bank' }));
    const { violation } = await host.begin('payment_api', 'bank').pre({});
    expect(violation?.details).toMatchObject({ retry_after_seconds: 120 });
  });

  test('looks at the share from its third call on', async () => {
    const host = await breaker(PAYMENT);
    await call(host, FAILED, 'payment_api');
    await call(host, FINE, 'payment_api');
    await call(host, FAILED, 'payment_api');
    expect(await call(host, FINE, 'payment_api')).toBeUndefined();
  });

  test('leaves other tools at five failures and 30 seconds', async () => {
    const host = await breaker(PAYMENT);
    await times(4, () => call(host, FAILED));
    expect((await call(host, FAILED))?.metadata).toMatchObject({ circuit_retry_after_seconds: 30 });
  });

  test('may raise a threshold too', async () => {
    const host = await breaker(
      '{ tool_overrides: { slow: { consecutive_failure_threshold: 10 } } }',
    );
    await times(5, () => call(host, FAILED, 'slow'));
    expect(await call(host, FINE, 'slow')).toBeDefined();
  });
});

/** What the plugin this one stands in for got wrong, in the order in which it was found. */
describe('the circuit breaker does better than its model', () => {
  const SHORT = '{ min_calls: 10, cooldown_seconds: 30, window_seconds: 60 }';

  test('a probe that succeeds closes the circuit, whatever the window still holds', async () => {
    const host = await breaker(SHORT);
    await times(10, () => call(host, FAILED));
    host.clock.skip(30_000);
    expect(await call(host, FINE)).toBeDefined();
    expect(await call(host, FINE)).toBeDefined();
  });

  test('a failure from before it opened changes nothing while the probe runs', async () => {
    const host = await breaker(SHORT);
    const late = host.begin('weather');
    await late.pre({});
    await times(5, () => call(host, FAILED));
    host.clock.skip(30_000);
    const probe = host.begin('weather');
    await probe.pre({});
    await late.post(FAILED);
    await probe.post(FINE);
    expect(await call(host, FINE)).toBeDefined();
  });

  test('a late success does not zero the count of an open circuit', async () => {
    const host = await breaker(SHORT);
    const late = host.begin('weather');
    await late.pre({});
    await times(5, () => call(host, FAILED));
    expect((await late.post(FINE)).metadata).toMatchObject({ circuit_consecutive_failures: 5 });
    expect(await call(host, FINE)).toBeUndefined();
  });

  test('a probe that was cancelled gives its place back at once', async () => {
    const host = await breaker(SHORT);
    await times(5, () => call(host, FAILED));
    host.clock.skip(30_000);
    const probe = host.begin('weather');
    await probe.pre({});
    probe.abandon();
    expect(await call(host, FINE)).toBeDefined();
  });

  test('a probe that another plugin stopped gives its place back too', async () => {
    const host = await hostOfYaml(`
- { name: cb, kind: circuit-breaker, priority: 1, config: { consecutive_failure_threshold: 1 } }
- name: guard
  kind: schema-guard
  priority: 2
  config: { arg_schemas: { pay: { required: [amount] } } }
`);
    const run = host.begin('pay');
    await run.pre({ amount: 1 });
    await run.post(FAILED);
    host.clock.skip(60_000);
    expect((await host.begin('pay').pre({})).violation?.code).toBe('SCHEMA_GUARD_ARGS');
    expect((await host.begin('pay').pre({ amount: 1 })).violation).toBeUndefined();
  });

  test('an attempt that timed out does not make a failure of the next one', async () => {
    const host = await breaker('{ consecutive_failure_threshold: 2 }');
    const run = host.begin('weather');
    await run.pre({});
    await run.post(null, { timedOut: true });
    await run.pre({});
    const { metadata } = await run.post(FINE);
    expect(metadata).toMatchObject({ circuit_calls_in_window: 2, circuit_failures_in_window: 1 });
  });

  test('two hosts share no circuits', async () => {
    const one = await breaker('{ consecutive_failure_threshold: 1 }');
    const other = await breaker('{ consecutive_failure_threshold: 1 }');
    await call(one, FAILED);
    expect(await call(other, FINE)).toBeDefined();
  });

  test('a retry that its own circuit would refuse is not asked for, so that the error is not lost', async () => {
    const host = await hostOfYaml(`
- { name: cb, kind: circuit-breaker, priority: 70, config: { consecutive_failure_threshold: 2 } }
- { name: retry, kind: retry-with-backoff, priority: 170 }
`);
    const run = host.begin('weather');
    await run.pre({});
    expect((await run.post(FAILED)).retryDelayMs).toBe(100);
    await run.pre({});
    const last = await run.post(FAILED);
    expect(last.retryDelayMs).toBeUndefined();
    expect(last.result).toBe(FAILED);
  });
});

describe('what a circuit breaker may be told', () => {
  test.each([
    ['{ cooldown: 3 }', '[0].config.cooldown', 'unknown key'],
    ['{ error_rate_threshold: 0 }', '[0].config.error_rate_threshold', 'above 0, up to 1, got 0'],
    [
      '{ counts: { not_found: false } }',
      '[0].config.counts.not_found',
      'unknown key; did you mean not-found?',
    ],
    ['{ counts: { auth: 0 } }', '[0].config.counts.auth', 'expected true or false, got 0'],
    [
      '{ tool_overrides: { pay: { minCalls: 3 } } }',
      '[0].config.tool_overrides.pay.minCalls',
      'unknown key; did you mean min_calls?',
    ],
    [
      '{ tool_overrides: { pay: { tool_overrides: {} } } }',
      '[0].config.tool_overrides.pay.tool_overrides',
      'unknown key; expected error_rate_threshold, window_seconds',
    ],
  ])('refuses %s', async (config, path, message) => {
    const refusal = expect(breaker(config)).rejects;
    await refusal.toThrow(`"path":"${path}"`);
    await refusal.toThrow(message);
  });

  test('takes numbers from variables', async () => {
    const yaml = `- name: cb
  kind: circuit-breaker
  config: { consecutive_failure_threshold: "{{ env.MOST | default(7) }}" }`;
    const host = await hostOfYaml(yaml, { MOST: '1' });
    await call(host, FAILED);
    expect(await call(host, FINE)).toBeUndefined();
  });
});

describe('a circuit that was isolated without an end', () => {
  test('refuses calls, and says that an operator has to reset it', async () => {
    const host = await breaker('{}');
    await call(host, FINE);
    host.host.circuitOf?.('weather')?.isolate('moving');
    const { violation } = await host.begin('weather').pre({});

    expect(violation).toMatchObject({
      code: 'CIRCUIT_OPEN',
      details: { open_until: null, retry_after_seconds: null },
    });
    expect(violation?.description).toContain('weather was isolated by an operator');
  });
});

describe('a tool that its server does not list', () => {
  const fail = async ({ host }: HostUnderTest, tool: string): Promise<boolean> => {
    const run = host.begin({ requestId: '1', tool, server: 'shop', isUnlisted: true });
    const { violation } = (await run?.pre({})) ?? {};
    if (violation === undefined) await run?.post(FAILED);
    return violation === undefined;
  };

  test('gets no circuit, however often it fails', async () => {
    const host = await breaker('{ consecutive_failure_threshold: 1 }');
    for (let at = 0; at < 3; at++) expect(await fail(host, 'invented')).toBe(true);

    expect(host.host.circuits?.()).toEqual([]);
  });

  test('is refused while a person isolates it', async () => {
    const host = await breaker('{}');
    host.host.circuitOf?.('invented', 'shop')?.isolate('moving');

    expect(await fail(host, 'invented')).toBe(false);
  });
});
