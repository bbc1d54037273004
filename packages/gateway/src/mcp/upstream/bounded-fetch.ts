import type { FetchLike } from '@modelcontextprotocol/client';
import { MessageMeter } from './message-meter.ts';
import { MessageTooLongError } from './message-too-long-error.ts';

export interface BoundedFetchOptions {
  /** Of one message, once it is unpacked. */
  readonly maxBytes: number;
  /** Told where a message is longer, before whoever reads the answer is. */
  readonly onTooLong?: (asked: RequestInit | undefined) => void;
  /** Default: the system's. */
  readonly fetch?: FetchLike;
}

/** Nobody reads more than this of an answer that says what went wrong. */
const LONGEST_ERROR = 65_536;

/** A message has no room for too many JSON values in fewer bytes. */
const FEW_BYTES = 10_000;

/**
 * A `fetch` for servers that may answer anything. A message that grows past the limit breaks its answer off, however
 * small it was on the way: bytes are counted as they are unpacked. Of an error, the beginning is enough.
 */
export function boundedFetch(options: BoundedFetchOptions): FetchLike {
  const { maxBytes, onTooLong, fetch: ask = fetch } = options;
  return async (url, init) => {
    const response = await ask(url, init);
    const { body, ok, status, statusText, headers } = response;
    if (body === null) return response;
    const limit = ok ? maxBytes : LONGEST_ERROR;
    // The connection is held to the length it was promised.
    const isKnown = headers.has('content-length') && !headers.has('content-encoding');
    const length = isKnown ? Number(headers.get('content-length')) : Infinity;
    if (length <= (ok ? Math.min(limit, FEW_BYTES) : limit)) return response;
    const isStream = headers.get('content-type')?.includes('text/event-stream') === true;
    const meter = new MessageMeter(isStream && ok ? 'events' : 'whole', limit);
    const reader = body.getReader();
    const bounded = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return;
        }
        if (meter.add(value) <= limit && !(ok && meter.hasTooManyValues)) {
          controller.enqueue(value);
          return;
        }
        reader.cancel().catch(() => undefined);
        if (!ok) {
          controller.enqueue(value.subarray(0, LONGEST_ERROR));
          controller.close();
          return;
        }
        onTooLong?.(init);
        controller.error(new MessageTooLongError('the server', maxBytes));
      },
      cancel: (reason) => reader.cancel(reason),
    });
    return new Response(bounded, { status, statusText, headers });
  };
}
