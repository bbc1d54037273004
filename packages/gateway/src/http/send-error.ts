import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@holdfast/core';
import type { Redactor } from '../redact/redactor.ts';
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
  readonly redactor: Redactor;
  readonly clock: Clock;
}

/**
 * Answers with an error. The rest of a long body is not waited for: the connection is closed, as is that of a client
 * without the token.
 */
export function sendError(refused: RefusedRequest, error: RequestError): void {
  const { id, request, response, redactor, clock } = refused;
  // What is wrong is quoted, and it may stand where keys do.
  const message = redactor.text(error.message);
  const body = error.body ?? errorBody(error.kind, message, id, error.details);
  const isStranger = error.status === 401;
  if (request.complete || request.headers.expect !== undefined) {
    // A client that asked about its body may never send it, and what comes next is then no body.
    const closes = isStranger || !request.complete;
    const headers = closes ? { ...error.headers, connection: 'close' } : error.headers;
    sendJson(response, error.status, body, headers);
    return;
  }
  if (!isStranger && bytesLeft(request) <= SMALL_BODY_BYTES) {
    sendJson(response, error.status, body, error.headers);
    const cancel = clock.setTimer(() => request.destroy(), LINGER_MS, true);
    request.once('close', cancel).once('end', cancel).resume();
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
