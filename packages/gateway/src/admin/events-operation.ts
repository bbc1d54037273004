import type { JsonObject } from '@holdfast/core';
import type { HttpExchange } from '../http/http-exchange.ts';
import { RequestError } from '../http/request-error.ts';
import type { AdminOperation } from './admin-operation.ts';
import { EventStream } from './event-stream.ts';
import type { EventStreamOptions } from './event-stream.ts';
import { flag, said, text } from './schema-words.ts';

/** Each costs a connection and a little work for every event. */
export const MOST_STREAMS = 100;

/** The streams of events that are open. */
export class EventsOperation {
  readonly #options: EventStreamOptions & { readonly hello: () => JsonObject };
  readonly #streams = new Set<EventStream>();

  constructor(options: EventStreamOptions & { readonly hello: () => JsonObject }) {
    this.#options = options;
  }

  get operation(): AdminOperation {
    return {
      method: 'GET',
      path: '/api/v1/events',
      id: 'stream_events',
      summary: 'What happens, as it happens, as server-sent events.',
      query: {
        after: {
          type: 'integer',
          description:
            'What came after this seq and is still kept comes first; Last-Event-ID says the same.',
        },
        types: said(text, 'Only events of these types, separated by commas. All without it.'),
        logs: said(flag, '1: lines of the log too, as events of the type log.'),
      },
      gives: said(
        text,
        'First hello {version, started_at, last_seq}; then events with their seq as id, their type as event, and ' +
          'all of them as data; events-lost {count} where a client was too slow or away for too long.',
      ),
      errors: { 503: 'Too many streams are open.' },
      isStream: true,
      run: async ({ query, exchange }) => {
        if (this.#streams.size >= MOST_STREAMS) {
          const message = `${MOST_STREAMS} streams of events are open, and no more are taken`;
          throw new RequestError(503, 'overloaded', message, { headers: { 'retry-after': '10' } });
        }
        const { types, logs = false } = query;
        const wish = {
          after: afterOf(query['after'], exchange),
          types: typeof types === 'string' ? new Set(types.split(',')) : undefined,
          logs: logs === true,
        };
        const stream = new EventStream(this.#options, wish);
        this.#streams.add(stream);
        try {
          await stream.run(exchange, this.#options.hello());
        } finally {
          this.#streams.delete(stream);
        }
        return undefined;
      },
    };
  }

  /** Ends all of them: they would never end by themselves. */
  end(): void {
    for (const stream of this.#streams) stream.end();
  }
}

/** What a browser remembers goes before what the page asked for when it first did. */
function afterOf(
  asked: string | number | boolean | undefined,
  { request }: HttpExchange,
): number | undefined {
  const header = request.headers['last-event-id'];
  if (typeof header === 'string' && /^\d{1,15}$/.test(header)) return Number(header);
  return typeof asked === 'number' ? asked : undefined;
}
