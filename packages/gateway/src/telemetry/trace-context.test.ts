import { describe, expect, test } from 'vitest';
import { formatTraceparent, parseTraceparent, readTraceContext } from './trace-context.ts';

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('a trace context', () => {
  test('is read from headers and from _meta alike', () => {
    const given = { traceparent: TRACEPARENT, tracestate: 'rojo=1,congo=2', baggage: 'user=alice' };
    expect(readTraceContext({ ...given, host: 'here' })).toEqual(given);
    expect(readTraceContext({})).toEqual({});
    expect(readTraceContext({ baggage: 'user=alice' })).toEqual({ baggage: 'user=alice' });
  });

  test.each([
    ['of another shape', 'nonsense'],
    ['without a trace', '00-00000000000000000000000000000000-00f067aa0ba902b7-01'],
    ['without a span', '00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01'],
    ['of the version that is none', TRACEPARENT.replace(/^00/, 'ff')],
    ['in capitals', TRACEPARENT.toUpperCase()],
    ['with more than its version has', `${TRACEPARENT}-more`],
    ['given twice', `${TRACEPARENT}, ${TRACEPARENT}`],
    ['that is no text', 7],
  ])('that is malformed is left out with its state: one %s', (_, traceparent) => {
    expect(readTraceContext({ traceparent, tracestate: 'rojo=1', baggage: 'a=b' })).toEqual({
      baggage: 'a=b',
    });
  });

  test('of a version to come is passed on', () => {
    const later = `${TRACEPARENT.replace(/^00/, '01')}-more`;
    expect(readTraceContext({ traceparent: later })).toEqual({ traceparent: later });
  });

  test('carries no line breaks, and no endless values', () => {
    const odd = { traceparent: TRACEPARENT, tracestate: 'a=b\r\nx: y', baggage: 'a'.repeat(9000) };
    expect(readTraceContext(odd)).toEqual({ traceparent: TRACEPARENT });
  });

  test('is written as it is read', () => {
    const place = parseTraceparent(TRACEPARENT);
    expect(place).toEqual({
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      spanId: '00f067aa0ba902b7',
      flags: 1,
    });
    expect(place && formatTraceparent(place)).toBe(TRACEPARENT);
  });
});
