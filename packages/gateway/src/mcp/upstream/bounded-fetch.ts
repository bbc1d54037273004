import type { Clock } from '@holdfast/core';
import { systemClock } from '@holdfast/core/guard';
import type { FetchLike } from '@modelcontextprotocol/client';
import { ERROR_LIMITS } from './bound-error.ts';
import { MessageMeter } from './message-meter.ts';
import { MessageTooLongError } from './message-too-long-error.ts';

export interface BoundedFetchOptions {
  /** Of one message, once it is unpacked. */
  readonly maxBytes: number;
  /** Told where a message is longer, before whoever reads the answer is. */
  readonly onTooLong?: (asked: RequestInit | undefined) => void;
  /** Asked before each read of an answer. Default: nothing is waited for. */
  readonly pace?: ReadPace;
  /** Default: the system's. */
  readonly fetch?: FetchLike;
}

/** The most that is read of an answer that says what went wrong: an error of the protocol, or a page. */
const LONGEST_ERROR = 65_536;
const LONGEST_PAGE = ERROR_LIMITS.text;

/** How long a server is not read that sends too much. */
const PAUSE_MS = 100;

/** Makes reads wait after `slowDown`, so that a server that floods takes little of the time of others. */
export class ReadPace {
  readonly #clock: Clock;
  #until = -Infinity;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  slowDown(): void {
    this.#until = Math.max(this.#until, this.#clock.now() + PAUSE_MS);
  }

  /** Resolves when the next read may be made. */
  async turn(): Promise<void> {
    const waitMs = this.#until - this.#clock.now();
    if (waitMs > 0) {
      await new Promise<void>((resolve) => this.#clock.setTimer(resolve, waitMs, true));
    }
  }
}

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
    if (isKnown && Number(headers.get('content-length')) <= limit) return response;
    const isStream = headers.get('content-type')?.includes('text/event-stream') === true;
    const meter = new MessageMeter(isStream && ok ? 'events' : 'whole');
    const reader = body.getReader();
    const bounded = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        await pace?.turn();
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return;
        }
        if (meter.add(value) <= limit) {
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
