import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, test } from 'vitest';
import type { EndedOperation, OperationStart } from './operation.ts';
import { createTelemetry, NO_TELEMETRY } from './telemetry.ts';

const START: OperationStart = {
  name: 'tools/call get_weather',
  kind: 'client',
  attributes: { 'mcp.method.name': 'tools/call' },
  parent: {
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    baggage: 'a=b',
  },
};

describe('telemetry', () => {
  test('that nobody wants passes the context on', () => {
    expect(createTelemetry({ clock: new ManualClock() })).toBe(NO_TELEMETRY);
    const operation = NO_TELEMETRY.begin(START);
    expect(operation.context).toBe(START.parent);
    expect(operation.run(() => 7)).toBe(7);
    operation.end();
  });

  test('tells of the end once, with the time it took and all that is known', async () => {
    const clock = new ManualClock();
    const ended: EndedOperation[] = [];
    const telemetry = createTelemetry({
      clock,
      listener: { began: () => undefined, ended: (operation) => void ended.push(operation) },
    });
    const operation = telemetry.begin(START);
    expect(operation.context).toBe(START.parent);
    await clock.advance(250);
    operation.end({ errorType: 'timeout', attributes: { attempt: 2 } });
    operation.end();
    expect(ended).toEqual([
      {
        kind: 'client',
        attributes: { 'mcp.method.name': 'tools/call', attempt: 2 },
        errorType: 'timeout',
        durationMs: 250,
      },
    ]);
  });

  test('that fails breaks nothing', () => {
    const fail = (): never => {
      throw new Error('the watcher is broken');
    };
    const telemetry = createTelemetry({
      clock: new ManualClock(),
      spans: { start: fail },
      listener: { began: fail, ended: fail },
    });
    const operation = telemetry.begin(START);
    expect(operation.context).toBe(START.parent);
    expect(operation.run(() => 7)).toBe(7);
    operation.end();
  });
});
