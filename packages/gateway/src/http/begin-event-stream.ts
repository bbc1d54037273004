import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { StreamWriter } from './stream-writer.ts';

/** Begins an answer of server-sent events. */
export function beginEventStream(
  response: ServerResponse,
  headers: OutgoingHttpHeaders = {},
): StreamWriter {
  response.writeHead(200, eventStreamHeaders(headers));
  const writer = new StreamWriter(response);
  // A model may think for minutes before its first word; the client hears at once that it was let in.
  writer.begin();
  return writer;
}

export function eventStreamHeaders(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    // Or nginx would keep events until it has a buffer full of them.
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  };
}
