import { describe, expect, test } from 'vitest';
import { failedCall, observed, opened, turn } from './observed.case.ts';
import { toHistoryEntry } from './to-history-entry.ts';

describe('what is kept of an event', () => {
  test('is of a request what it was, without texts', () => {
    expect(toHistoryEntry(observed(turn()))).toEqual({
      kind: 'requests',
      about: {
        source: 'proxy',
        id: 'req_1',
        protocol: 'chat',
        model: 'qwen3-coder',
        upstream: 'local',
        status: 200,
        is_stream: true,
        tools: 2,
        calls: ['read_file'],
        formats: ['qwen'],
        repairs: ['missing-brace'],
        issues: [],
        normalised: [],
        prompted_in: null,
        advice: [],
        was_asked_again: false,
        attempts: 1,
        finish: 'tool_calls',
        duration_ms: 812,
        first_byte_ms: 90,
        input_tokens: 120,
        output_tokens: 31,
        error: null,
        is_aborted: false,
      },
    });
  });

  test('is of a call that failed how it failed, and nothing of one that went well', () => {
    expect(toHistoryEntry(observed(failedCall({ adviceRules: ['switch-tool'] })))).toEqual({
      kind: 'failures',
      about: {
        source: 'proxy',
        id: 'req_2',
        server: 'payments',
        tool: 'pay',
        outcome: 'failed',
        class: 'server',
        failure_type: 'network',
        attempts: 3,
        duration_ms: 1500,
        repairs: [],
        was_advised: true,
        advice: ['switch-tool'],
      },
    });
    expect(toHistoryEntry(observed(failedCall({ outcome: 'refused' })))?.kind).toBe('failures');
    expect(toHistoryEntry(observed(failedCall({ outcome: 'ok' })))).toBeUndefined();
  });

  test('is of a circuit each transition', () => {
    const of = (event: Parameters<typeof observed>[0]): unknown =>
      toHistoryEntry(observed(event))?.about;

    expect(of(opened('pay'))).toEqual({
      source: 'proxy',
      circuit: 'pay',
      from: 'half_open',
      to: 'open',
      reason: 'probe_failed',
      failures: 1,
      open_for_ms: 60_000,
      replica: null,
    });
    expect(
      of({
        type: 'circuit-opened',
        circuit: 'pay',
        from: 'closed',
        reason: 'isolated',
        failures: 0,
        openForMs: Infinity,
      }),
    ).toMatchObject({ reason: 'isolated', open_for_ms: null });
    expect(of({ type: 'circuit-half-opened', circuit: 'pay' })).toMatchObject({
      from: 'open',
      to: 'half_open',
    });
    expect(of({ type: 'circuit-closed', circuit: 'pay', reason: 'probe_succeeded' })).toMatchObject(
      { from: 'half_open', to: 'closed' },
    );
    expect(of({ type: 'circuit-closed', circuit: 'pay', reason: 'reset' })).toMatchObject({
      from: null,
      reason: 'reset',
    });
    expect(of({ type: 'config-loaded', changed: [] })).toBeUndefined();
  });

  test('holds no text that could quote a prompt, an argument or a result', () => {
    const quoted = 'QUOTED';
    const events = [
      turn({
        issues: [{ code: 'invalid-json', message: quoted }],
        repairs: [`coerced-value at ${quoted}`],
        error: { kind: 'upstream', message: quoted },
      }),
      failedCall({ message: quoted, advice: quoted, repairs: [`renamed-argument at ${quoted}`] }),
    ];

    const kept = events.map((event) => toHistoryEntry(observed(event)));
    expect(JSON.stringify(kept)).not.toContain(quoted);
    expect(kept[0]?.about).toMatchObject({
      issues: ['invalid-json'],
      repairs: ['coerced-value'],
      error: 'upstream',
    });
  });

  test('is small whatever a model calls its tools', () => {
    const calls = Array.from({ length: 10_000 }, () => ({ name: 'x'.repeat(10_000) }));
    const entry = toHistoryEntry(observed(turn({ calls, model: 'm'.repeat(100_000) })));

    expect(JSON.stringify(entry).length).toBeLessThan(12_000);
  });
});
