import { expect, test } from 'vitest';
import { errorBody } from './error-body.ts';

test('an error has what the SDKs of both families look for', () => {
  expect(errorBody('too-large', 'too long', 'req_1')).toEqual({
    type: 'error',
    error: { type: 'request_too_large', message: 'too long', param: null, code: 'too_large' },
    request_id: 'req_1',
  });
});
