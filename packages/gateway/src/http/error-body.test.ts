import { expect, test } from 'vitest';
import { errorBody } from './error-body.ts';

test('an error has what the SDKs of both families look for', () => {
  expect(errorBody('too-large', 'too long', 'req_1')).toEqual({
    type: 'error',
    error: { type: 'request_too_large', message: 'too long', param: null, code: 'too_large' },
    request_id: 'req_1',
  });
});

test('what is known of the fault is told where each SDK looks for it', () => {
  const details = { param: 'input[0]', code: 'unsupported_parameter', error_code: 'x' };
  expect(errorBody('invalid-request', 'no', 'req_1', details).error).toEqual({
    type: 'invalid_request_error',
    message: 'no',
    param: 'input[0]',
    code: 'unsupported_parameter',
    details: { error_code: 'x' },
  });
});
