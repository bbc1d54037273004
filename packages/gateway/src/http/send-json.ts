import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** Answers with a value as JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: OutgoingHttpHeaders = {},
): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, jsonHeaders(body, headers));
  response.end(body);
}

/** The headers of an answer that is all of `body`. */
export function jsonHeaders(body: Buffer, headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return {
    ...headers,
    'content-type': 'application/json',
    'content-length': body.length,
    // An answer that quotes a request must not become a page.
    'x-content-type-options': 'nosniff',
  };
}
