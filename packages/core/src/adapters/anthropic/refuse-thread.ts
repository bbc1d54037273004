import { isJsonObject } from '../../parse/call-keys.ts';
import type { JsonObject } from '../../types.ts';

/**
 * Refuses a conversation that the server is to keep, as the SDK's own tool loop asks for: the server would keep
 * the answer as it was before it was mended, and not know the call that the next result is of. An SDK that is
 * told so in these words sends the whole conversation, from then on too.
 */
export function refuseThread({ thread }: JsonObject): JsonObject | undefined {
  if (!isJsonObject(thread)) return undefined;
  return {
    type: 'error',
    error: {
      type: 'invalid_request_error',
      message:
        'thread: an answer whose calls are mended cannot be kept by the server; expected the whole conversation in messages, without thread',
      details: { error_code: 'thread_unsupported_request' },
    },
  };
}
