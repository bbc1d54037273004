import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@holdfast/core';
import { errorBody } from './error-body.ts';
import type { RequestError } from './request-error.ts';
import { jsonHeaders, sendJson } from './send-json.ts';

/** What may be left of a body that is read to its end, so that the connection can be used again. */
const SMALL_BODY_BYTES = 65_536;
/** How long a client may go on sending a body that is not wanted. */
const LINGER_MS = 1_000;

export interface RefusedRequest {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly clock: Clock;
}

/** Answers with an error. The rest of a long body is not waited for: the connection is closed. */
export function sendError(refused: RefusedRequest, error: RequestError): void {
  const { id, request, response, clock } = refused;
  const body = error.body ?? errorBody(error.kind, error.message, id, error.details);
  if (!request.complete && request.headers.expect !== undefined) {
    // It may never send the body it asked about, and what comes next is then no body.
    sendJson(response, error.status, body, { ...error.headers, connection: 'close' });
    return;
  }
  if (request.complete || bytesLeft(request) <= SMALL_BODY_BYTES) {
    sendJson(response, error.status, body, error.headers);
    return;
  }
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(
    error.status,
    jsonHeaders(bytes.length, { ...error.headers, connection: 'close' }),
  );
  response.write(bytes);
  // Closed at once, the connection would be reset under a client that is still sending, and what it reads is
  // the reset instead of the answer. So what it sends is thrown away for a moment.
  const close = (): void => {
    cancel();
    response.end();
  };
  const cancel = clock.setTimer(close, LINGER_MS, true);
  request.once('close', close).once('end', close).resume();
}

function bytesLeft(request: IncomingMessage): number {
  const { 'content-length': length, 'transfer-encoding': chunked } = request.headers;
  return chunked === undefined ? Number(length ?? 0) : Infinity;
}
