import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@holdfast/core';
import { credentialsIn, redactingLogger } from '../redact/redactor.ts';
import type { Redactor } from '../redact/redactor.ts';
import type { Logger } from '../log/logger.ts';
import { admitRequest } from './admit-request.ts';
import type { AdmissionRules } from './admit-request.ts';
import { ClientGoneError } from './client-gone-error.ts';
import { checkContentType } from './content-type-check.ts';
import { findOpenRoute, findRoute } from './find-route.ts';
import type { HttpExchange, Route } from './http-exchange.ts';
import { readBody } from './read-body.ts';
import { RequestError } from './request-error.ts';
import { givenRequestId } from './request-id.ts';
import { sendError } from './send-error.ts';
import type { TokenCheck } from './token-check.ts';

export interface ServeOptions extends AdmissionRules {
  readonly routes: readonly Route[];
  readonly checkToken: TokenCheck;
  readonly log: Logger;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly nextId: () => string;
  /** True once no new request is taken on. */
  readonly isClosing: () => boolean;
  /** Called with a request whose sender may use the gateway. Default: nothing is called. */
  readonly onLetIn?: (request: IncomingMessage) => void;
  /** Whether clients that ask first if their body is wanted were told so before. Default: they were not. */
  readonly isContinueSent?: boolean;
}

/** Answers one request, whatever happens. Resolves when its handler is done. */
export async function serveRequest(
  request: IncomingMessage,
  response: ServerResponse,
  controller: AbortController,
  options: ServeOptions,
): Promise<void> {
  const { clock, nextId } = options;
  const startedAt = clock.now();
  const credentials = credentialsIn(request.headers);
  const redactor = options.redactor.with(credentials);
  const id = givenRequestId(request.headers['x-request-id'], redactor.text) ?? nextId();
  const log = redactingLogger(options.log.child({ requestId: id }), credentials);
  response.setHeader('x-request-id', id);
  // A write that meets a closed connection is told by `close`, which is listened to below.
  response.on('error', () => undefined);
  // A query may hold a key.
  const asked = { method: request.method, path: request.url?.split('?', 1)[0] };
  let isSent = false;
  response.on('finish', () => (isSent = true));
  response.on('close', () => {
    const fields = {
      ...asked,
      status: response.statusCode,
      durationMs: Math.round(clock.now() - startedAt),
    };
    // `writableFinished` says yes to what was dropped on a dead connection, too.
    if (isSent) {
      log.debug(fields, 'request answered');
      return;
    }
    log.debug(fields, 'connection closed before the answer was complete');
    controller.abort(new ClientGoneError());
  });
  try {
    await answer(request, response, { id, log, redactor, signal: controller.signal }, options);
    if (!response.writableEnded) throw new Error('the handler returned without an answer');
  } catch (error) {
    if (error instanceof ClientGoneError || response.destroyed) {
      log.debug({ error }, 'request given up, the client has gone');
      return;
    }
    if (error instanceof RequestError) log.info({ ...asked, status: error.status }, error.message);
    else log.error({ error }, 'request failed');
    if (response.headersSent) {
      // An answer that was begun cannot become an error; cut off, it is at least not taken for complete.
      response.destroy();
      return;
    }
    sendError({ id, request, response, redactor, clock }, forClient(error));
  }
}

/** What a client may know. */
function forClient(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  return new RequestError(500, 'internal', 'the gateway failed; its log has the reason');
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  own: Pick<HttpExchange, 'id' | 'log' | 'redactor' | 'signal'>,
  options: ServeOptions,
): Promise<void> {
  const { method = '', headers } = request;
  if (options.isClosing()) {
    throw new RequestError(503, 'overloaded', 'the gateway is shutting down', {
      headers: { connection: 'close', 'retry-after': '1' },
    });
  }
  const { path, query } = admitRequest(request, options);
  if (method === 'HEAD' && path === '/') {
    // Clients look whether anybody is there. It tells nothing, so it needs no token.
    response.writeHead(200).end();
    return;
  }
  const open = findOpenRoute(options.routes, method, path);
  const tokenHeaders = open === undefined ? options.checkToken(headers) : [];
  if (open === undefined) options.onLetIn?.(request);
  const route = open ?? findRoute(options.routes, method, path);
  if (route.bodies !== 'any') checkContentType(headers);
  await route.handle({
    ...own,
    method,
    path,
    query,
    request,
    response,
    tokenHeaders,
    readBody: (limit, onChunk = ignore) =>
      readBody({ request, response, limit, onChunk, isContinueSent: options.isContinueSent }),
  });
}

function ignore(): void {}
