import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import type { Clock } from '@holdfast/core';
import { systemClock } from '@holdfast/core/guard';
import type { Logger } from '../log/logger.ts';
import type { Redactor } from '../redact/redactor.ts';
import { checkListenAddress } from './check-listen-address.ts';
import { createHostCheck } from './host-check.ts';
import type { Route } from './http-exchange.ts';
import { CHECK_EVERY_MS, HTTP_LIMITS, MAX_WAITING_CONNECTIONS } from './http-limits.ts';
import type { HttpLimits } from './http-limits.ts';
import { isLoopback } from './is-loopback.ts';
import { Responder } from './responder.ts';
import { UnknownConnections } from './unknown-connections.ts';

export interface HttpServerOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** What clients have to show. Needed on any address but loopback. */
  readonly token?: string;
  /** Other names that clients may call us by in the Host header. Default: none. */
  readonly hosts?: readonly string[];
  readonly routes: readonly Route[];
  readonly log: Logger;
  /** Default: one that knows the shapes and names of secrets only. */
  readonly redactor?: Redactor;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Default: random. */
  readonly nextId?: () => string;
  /** How long `close` lets running requests go on. */
  readonly shutdownGraceMs: number;
  /** Default: `HTTP_LIMITS`. */
  readonly limits?: Partial<HttpLimits>;
}

export interface HttpServer {
  /** How this machine reaches it, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Takes no more requests, and resolves when those that run are done or their time is up. */
  close(): Promise<void>;
}

/** Listens, and answers with `routes`. Rejects with a clear reason if it cannot. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { host, token, hosts = [] } = options;
  checkListenAddress(host, token);
  const limits = { ...HTTP_LIMITS, ...options.limits };
  const unknown = new UnknownConnections(
    limits.maxUnknownConnections,
    options.clock ?? systemClock,
  );
  const responder = new Responder({
    ...options,
    onLetIn: ({ socket }) => unknown.letIn(socket),
    checkHost: createHostCheck({ listenHost: host, hosts }),
    maxHeaders: limits.maxHeaders,
    onLateEnd: () => server.closeIdleConnections(),
  });

  const server = createServer({
    maxHeaderSize: limits.maxHeaderBytes,
    // Left to itself, Node looks every half minute: until then clients that send slowly keep their connections.
    connectionsCheckingInterval: Math.min(CHECK_EVERY_MS, limits.headersTimeoutMs),
  });
  server.headersTimeout = limits.headersTimeoutMs;
  server.requestTimeout = limits.requestTimeoutMs;
  server.keepAliveTimeout = limits.keepAliveTimeoutMs;
  // Node would leave out the headers past its limit, and a check could miss the one it looks for.
  server.maxHeadersCount = 0;
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    unknown.requestBegan(socket);
    response.once('close', () => unknown.requestEnded(socket));
    responder.respond(request, response);
  };
  server.on('connection', (socket) => unknown.add(socket));
  server.on('request', onRequest);
  // A body is asked for where it is read, after all that could refuse the request.
  server.on('checkContinue', onRequest);

  const address = await listen(server, host, options.port);
  if (token === undefined && !isLoopback(address.address)) {
    server.close();
    checkListenAddress(address.address, token);
  }
  let closing: Promise<void> | undefined;
  return {
    url: urlOf(address),
    port: address.port,
    close: () => {
      unknown.close();
      return (closing ??= shutDown(server, responder));
    },
  };
}

interface BoundAddress {
  readonly address: string;
  readonly port: number;
}

function listen(server: Server, host: string, port: number): Promise<BoundAddress> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new Error(`cannot listen on ${host}:${port}: ${reasonOf(error)}`, { cause: error }));
    });
    server.listen({ host, port, backlog: MAX_WAITING_CONNECTIONS }, () => {
      const bound = server.address();
      if (bound === null || typeof bound === 'string') reject(new Error('no address was bound'));
      else resolve(bound);
    });
  });
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE') return 'the port is in use';
  if (code === 'EACCES') return 'the port needs more rights than this user has';
  if (code === 'EADDRNOTAVAIL') return 'the address is not one of this machine';
  return message;
}

function urlOf({ address, port }: BoundAddress): string {
  if (address === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (address === '::') return `http://[::1]:${port}`;
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port}`;
}

async function shutDown(server: Server, responder: Responder): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  await responder.close();
  server.closeAllConnections();
  await closed;
}
