import { describe, expect, test } from 'vitest';
import type { TurnErrorKind } from '../turn/turn-error.ts';
import { messagesErrorAnswer, messagesErrorEvent, readMessagesError } from './messages-errors.ts';

describe('an error', () => {
  test.each<[TurnErrorKind, number, string]>([
    ['invalid-request', 400, 'invalid_request_error'],
    ['authentication', 401, 'authentication_error'],
    ['permission', 403, 'permission_error'],
    ['not-found', 404, 'not_found_error'],
    ['too-large', 413, 'request_too_large'],
    ['rate-limited', 429, 'rate_limit_error'],
    ['upstream', 502, 'api_error'],
    ['overloaded', 529, 'overloaded_error'],
    ['timeout', 504, 'timeout_error'],
    ['internal', 500, 'api_error'],
  ])('of kind %s is answered with %i %s', (kind, status, type) => {
    expect(messagesErrorAnswer({ kind, message: 'x' }, 'req_1')).toEqual({
      status,
      headers: {},
      body: { type: 'error', error: { type, message: 'x' }, request_id: 'req_1' },
    });
  });

  test('keeps the status of the upstream, and how long it asks to wait', () => {
    const error = { kind: 'overloaded', message: 'x', status: 503, retryAfterMs: 1500 } as const;
    expect(messagesErrorAnswer(error, 'r')).toMatchObject({
      status: 503,
      headers: { 'retry-after': '2' },
    });
  });

  test('is no success, whatever the upstream answered with', () => {
    const error = { kind: 'upstream', message: 'x', status: 200 } as const;
    expect(messagesErrorAnswer(error, 'r').status).toBe(502);
  });

  test.each([
    [{ error: { type: 'overloaded_error', message: 'busy' } }, 'overloaded', 'busy'],
    [{ error: { message: 'no such model', code: 404 } }, 'upstream', 'no such model'],
    [{ error: 'broken' }, 'upstream', 'broken'],
    [{ type: 'rate_limit_error', message: 'slow down' }, 'rate-limited', 'slow down'],
    [{ error: {} }, 'upstream', 'the upstream reported an error and did not say which'],
  ])('is read from %j', (body, kind, message) => {
    expect(readMessagesError(body)).toEqual({ kind, message });
  });

  test('reads back as it was told', () => {
    const error = { kind: 'timeout', message: 'late' } as const;
    expect(readMessagesError(messagesErrorEvent(error))).toEqual(error);
  });
});
