import { isObject } from '../json/json-fields.ts';
import type { Refused } from '../client-protocol.ts';

/**
 * Refuses a conversation that the server is to keep, as the SDK's own tool loop asks for: what is sent next would
 * be the last result alone, without the tools and the turns before it, and no local server keeps those. An SDK
 * that is told so in these words sends the whole conversation, from then on too.
 */
export function refuseThread(request: unknown): Refused | undefined {
  if (!isObject(request) || !isObject(request['thread'])) return undefined;
  return {
    ok: false,
    error: {
      kind: 'invalid-request',
      message:
        'thread: conversations are not kept here; expected the whole of it in messages, without thread',
      details: { error_code: 'thread_unsupported_request' },
    },
  };
}
