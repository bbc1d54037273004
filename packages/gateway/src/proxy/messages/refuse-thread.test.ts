import { describe, expect, test } from 'vitest';
import { refuseThread } from './refuse-thread.ts';

describe('a conversation that the server is to keep', () => {
  test.each([{ type: 'create' }, { type: 'continue', previous_message_id: 'msg_1' }])(
    'is refused with the code by which SDKs send all of it: %o',
    (thread) => {
      const refused = refuseThread({ model: 'm', messages: [], thread });

      expect(refused?.error).toMatchObject({
        kind: 'invalid-request',
        details: { error_code: 'thread_unsupported_request' },
      });
    },
  );

  test.each([{ model: 'm', messages: [] }, { thread: null }, 'no request', undefined])(
    'is not what %o asks for',
    (request) => {
      expect(refuseThread(request)).toBeUndefined();
    },
  );
});
