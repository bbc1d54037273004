import { expect, test } from 'vitest';
import { responsesError } from './responses-errors.ts';

test('a failure names the field that is at fault, and why, where that is known', () => {
  const details = { param: 'previous_response_id', code: 'unsupported_parameter' };
  const { status, body } = responsesError({ kind: 'invalid-request', message: 'no', details });
  expect(status).toBe(400);
  expect(body).toEqual({
    error: { message: 'no', type: 'invalid_request_error', ...details },
  });
});

test('any other failure is told as in Chat Completions', () => {
  const answer = responsesError({ kind: 'rate-limited', message: 'wait', retryAfterMs: 1500 });
  expect(answer).toEqual({
    status: 429,
    headers: { 'retry-after': '2', 'retry-after-ms': '1500' },
    body: {
      error: {
        message: 'wait',
        type: 'rate_limit_error',
        param: null,
        code: 'rate_limit_exceeded',
      },
    },
  });
});
