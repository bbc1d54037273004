import { onTestFinished } from 'vitest';
import { memoryLogger } from '../log/memory-logger.case.ts';
import type { MemoryLogger } from '../log/memory-logger.case.ts';
import type { HttpHandler } from './http-exchange.ts';
import { startHttpServer } from './http-server.ts';
import type { HttpServer, HttpServerOptions } from './http-server.ts';
import { sendJson } from './send-json.ts';

export interface RunningServer extends HttpServer {
  readonly log: MemoryLogger;
}

/** A server on a free port of this machine that is closed with the test. Its one route is `POST /v1/chat`. */
export async function runningServer(
  handle: HttpHandler = async ({ response }) => sendJson(response, 200, { ok: true }),
  options: Partial<HttpServerOptions> = {},
): Promise<RunningServer> {
  const log = memoryLogger();
  const server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    routes: [{ method: 'POST', path: '/v1/chat', handle }],
    log,
    shutdownGraceMs: 50,
    ...options,
  });
  onTestFinished(() => server.close());
  return { ...server, log };
}
