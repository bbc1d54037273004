import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, test } from 'vitest';
import { Redactor } from '../redact/redactor.ts';
import type { CallEvent } from '../mcp/call/call-event.ts';
import { CircuitTimelines } from './circuit-timelines.ts';
import type { CallEnded } from './gateway-event.ts';
import { Observer } from './observer.ts';
import { Reporter } from './reporter.ts';

const SECRET = 'CANARY-of-the-configuration';

function reporter(): { report: Reporter; last: () => unknown; observer: Observer } {
  const observer = new Observer({ clock: new ManualClock() });
  const redactor = new Redactor([SECRET]);
  const timelines = new CircuitTimelines();
  return {
    report: new Reporter({ observer, source: 'mcp', redactor, timelines }),
    last: () => observer.recent({ limit: 1 })[0]?.event,
    observer,
  };
}

const ENDED: CallEnded = {
  type: 'call-ended',
  id: 'c1',
  server: 'shop',
  tool: 'pay',
  outcome: 'ok',
  class: undefined,
  failureType: undefined,
  message: undefined,
  attempts: 1,
  durationMs: 5,
  repairs: [],
  advice: undefined,
};

describe('a reporter', () => {
  test('passes on what went well as it is', () => {
    const { report, last, observer } = reporter();
    report.ended(ENDED);
    expect(last()).toBe(ENDED);
    expect(observer.recent()[0]?.source).toBe('mcp');
    const refused: CallEvent = {
      type: 'circuit-refused',
      circuit: 'pay',
      retryAfterMs: 5,
      isShadow: false,
    };
    report.tell(refused);
    expect(last()).toBe(refused);
  });

  test('makes one short line of what failed, without secrets', () => {
    const { report, last } = reporter();
    report.ended({
      ...ENDED,
      outcome: 'failed',
      message: `no\n\tluck with\u202e ${SECRET} ${'x'.repeat(5000)}`,
      advice: `Leave it, ${SECRET}.`,
    });
    const { message, advice } = last() as CallEnded;
    expect(message).toHaveLength(200);
    expect(message).toMatch(/^no luck with \*\*\* x+…$/);
    expect(advice).toBe('Leave it, ***.');
  });

  test('keeps nothing of a failure but its class, status and message', () => {
    const { report, last } = reporter();
    report.tell({
      type: 'retry-scheduled',
      name: 'pay',
      attempt: 1,
      maxAttempts: 3,
      delayMs: 100,
      failure: { class: 'server', message: SECRET, status: 503, cause: { whole: 'result' } },
    });
    expect(last()).toMatchObject({ failure: { class: 'server', message: '***', status: 503 } });
    expect(JSON.stringify(last())).not.toContain('whole');
  });

  test.each<CallEvent>([
    { type: 'advice-given', tool: 'pay', rules: ['same-call'], log: `[Fallback] ${SECRET}` },
    { type: 'call-vetoed', tool: 'pay', rule: 'same-call', log: `[Fallback] ${SECRET}` },
    { type: 'advisor-failed', at: 'after', error: new Error(SECRET) },
    { type: 'arguments-repaired', server: 's', tool: 't', repairs: [`renamed at ${SECRET}`] },
    { type: 'arguments-refused', server: 's', tool: 't', issues: [`missing at ${SECRET}`] },
  ])('masks what $type says', (event) => {
    const { report, last } = reporter();
    report.tell(event);
    expect(JSON.stringify(last())).toContain('***');
    expect(JSON.stringify(last())).not.toContain('CANARY');
  });

  test('masks the keys of one request too', () => {
    const { report } = reporter();
    const line = report.line(
      'bad key sesame-of-the-client',
      new Redactor(['sesame-of-the-client']),
    );
    expect(line).toBe('bad key ***');
  });
});
