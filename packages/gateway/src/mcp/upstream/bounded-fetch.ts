import { setTimeout as sleep } from 'node:timers/promises';
import type { FetchLike } from '@modelcontextprotocol/client';
import { ERROR_LIMITS } from './bound-error.ts';
import { MessageMeter } from './message-meter.ts';
import { MessageTooLongError } from './message-too-long-error.ts';
import type { ReadPace } from '../stdio/read-pace.ts';

export interface BoundedFetchOptions {
  /** Of one message, once it is unpacked. */
  readonly maxBytes: number;
  /** Told where a message is longer, before whoever reads the answer is. */
  readonly onTooLong?: (asked: RequestInit | undefined) => void;
  /** How long to wait before each read. Default: not at all. */
  readonly pace?: ReadPace;
  /** Default: the system's. */
  readonly fetch?: FetchLike;
}

/** The most that is read of an answer that says what went wrong: an error of the protocol, or a page. */
const LONGEST_ERROR = 65_536;
const LONGEST_PAGE = ERROR_LIMITS.text;

/** A message has no room for too many JSON values in fewer bytes. */
const FEW_BYTES = 10_000;

/**
 * A `fetch` for servers that may answer anything. A message that grows past the limit breaks its answer off, however
 * small it was on the way: bytes are counted as they are unpacked. Of an error, the beginning is enough.
 */
export function boundedFetch(options: BoundedFetchOptions): FetchLike {
  const { maxBytes, onTooLong, pace, fetch: ask = fetch } = options;
  return async (url, init) => {
    const response = await ask(url, init);
    const { body, ok, status, statusText, headers } = response;
    if (body === null) return response;
    const isJson = headers.get('content-type')?.includes('json') === true;
    const limit = ok ? maxBytes : isJson ? LONGEST_ERROR : LONGEST_PAGE;
    // The connection is held to the length it was promised.
    const isKnown = headers.has('content-length') && !headers.has('content-encoding');
    const length = isKnown ? Number(headers.get('content-length')) : Infinity;
    if (length <= (ok ? Math.min(limit, FEW_BYTES) : limit)) return response;
    const isStream = headers.get('content-type')?.includes('text/event-stream') === true;
    const meter = new MessageMeter(isStream && ok ? 'events' : 'whole', limit);
    const reader = body.getReader();
    let lastBytes = 0;
    const bounded = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const pauseMs = pace?.pauseAfter(lastBytes) ?? 0;
        if (pauseMs > 0) await sleep(pauseMs);
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return;
        }
        lastBytes = value.length;
        if (meter.add(value) <= limit && !(ok && meter.hasTooManyValues)) {
          controller.enqueue(value);
          return;
        }
        reader.cancel().catch(() => undefined);
        if (!ok) {
          controller.enqueue(value.subarray(0, limit));
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
