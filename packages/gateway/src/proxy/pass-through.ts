import { pipeline } from 'node:stream/promises';
import { ClientGoneError } from '../http/client-gone-error.ts';
import type { HttpHandler } from '../http/http-exchange.ts';
import { RequestError } from '../http/request-error.ts';
import { unreachable } from './upstream/unreachable.ts';
import { passedHeaders } from './upstream/upstream-headers.ts';
import type { UpstreamAnswer } from './upstream/upstream-client.ts';
import type { Upstreams } from './upstream/upstreams.ts';

/**
 * Passes a request to the first upstream and its answer back, both as they are, but for what would speak in our name:
 * a redirect would have the client carry its token to another host, and what opens an answer to web pages or runs as
 * one would do so on our origin.
 */
export function passThrough(upstreams: Upstreams, maxRequestBytes: number): HttpHandler {
  return async (exchange) => {
    const [upstream] = upstreams.all;
    if (upstream === undefined) throw new RequestError(404, 'not-found', 'there is no upstream');
    const { method, path, query, request, response, signal, tokenHeaders = [] } = exchange;
    const hasBody = method !== 'GET' && method !== 'HEAD';
    let answer: UpstreamAnswer;
    try {
      answer = await upstream.ask({
        method,
        path: path.replace(/^\/v1(?=\/|$)/, '') + query,
        headers: passedHeaders({ headers: request.headers, tokenHeaders }, upstream.config),
        body: hasBody ? await exchange.readBody(maxRequestBytes) : undefined,
        signal,
      });
    } catch (error) {
      if (error instanceof RequestError || error instanceof ClientGoneError) throw error;
      throw unreachable(error, upstream.config);
    }
    if (answer.headers['location'] !== undefined && isRedirect(answer.statusCode)) {
      await answer.body.dump();
      const message = `${upstream.config.name} redirects to another address; write the address it means into its url`;
      throw new RequestError(502, 'upstream', message);
    }
    response.writeHead(answer.statusCode, {
      ...answerHeaders(answer),
      ...AS_DATA,
      'x-holdfast-upstream': upstream.config.name,
    });
    await pipeline(answer.body, response, { signal });
  };
}

function answerHeaders({ headers }: UpstreamAnswer): Record<string, string | string[]> {
  const passed: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || OF_ONE_CONNECTION.has(name)) continue;
    if (!name.startsWith('access-control-')) passed[name] = value;
  }
  return passed;
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** Nothing that an upstream answers is a page of ours. */
const AS_DATA = {
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
};

/** A cookie of an upstream would be one of ours in a browser; the rest belongs to one connection. */
const OF_ONE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
