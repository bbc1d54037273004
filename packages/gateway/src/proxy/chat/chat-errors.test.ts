import { describe, expect, test } from 'vitest';
import { chatError } from './chat-errors.ts';

describe('chatError', () => {
  test.each([
    ['invalid-request', 400, 'invalid_request_error', null],
    ['authentication', 401, 'authentication_error', 'invalid_api_key'],
    ['permission', 403, 'permission_error', null],
    ['not-found', 404, 'not_found_error', null],
    ['too-large', 413, 'invalid_request_error', 'request_too_large'],
    ['rate-limited', 429, 'rate_limit_error', 'rate_limit_exceeded'],
    ['upstream', 502, 'upstream_error', 'upstream_error'],
    ['overloaded', 503, 'overloaded_error', 'overloaded'],
    ['timeout', 504, 'timeout_error', 'timeout'],
    ['internal', 500, 'server_error', 'internal_error'],
  ] as const)('answers %s with %i', (kind, status, type, code) => {
    expect(chatError({ kind, message: 'why' })).toEqual({
      status,
      headers: {},
      body: { error: { message: 'why', type, param: null, code } },
    });
  });

  test("keeps the upstream's status where that is a failure", () => {
    expect(chatError({ kind: 'upstream', message: '', status: 500 }).status).toBe(500);
    expect(chatError({ kind: 'invalid-request', message: '', status: 422 }).status).toBe(422);
    expect(chatError({ kind: 'upstream', message: '', status: 200 }).status).toBe(502);
  });

  test('tells how long to wait', () => {
    expect(chatError({ kind: 'rate-limited', message: '', retryAfterMs: 1200 }).headers).toEqual({
      'retry-after': '2',
      'retry-after-ms': '1200',
    });
  });
});
