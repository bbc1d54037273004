import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** Answers with a value as JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: OutgoingHttpHeaders = {},
): void {
  sendJsonText(response, status, JSON.stringify(value), headers);
}

/** Sends a response whose body is JSON text. */
export function sendJsonText(
  response: ServerResponse,
  status: number,
  body: string,
  headers: OutgoingHttpHeaders = {},
): void {
  // A text goes out with the headers in one piece, bytes behind them in another.
  response.writeHead(status, jsonHeaders(Buffer.byteLength(body), headers));
  response.end(body);
}

/** The headers of an answer of so many bytes. */
export function jsonHeaders(bytes: number, headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return {
    ...headers,
    'content-type': 'application/json',
    'content-length': bytes,
    // An answer that quotes a request must not become a page.
    'x-content-type-options': 'nosniff',
  };
}
