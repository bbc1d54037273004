import { pipeline } from 'node:stream/promises';
import type { BodyLimit } from '../http/body-limit.ts';
import { ClientGoneError } from '../http/client-gone-error.ts';
import type { HttpHandler } from '../http/http-exchange.ts';
import { RequestError } from '../http/request-error.ts';
import { readBounded } from './read-bounded.ts';
import { bodyHeaders, limitHeaders } from './upstream/response-headers.ts';
import { unreachable } from './upstream/unreachable.ts';
import { passedHeaders } from './upstream/upstream-headers.ts';
import type { UpstreamAnswer } from './upstream/upstream-client.ts';
import { NO_UPSTREAM } from './upstream/upstreams.ts';
import type { Upstreams } from './upstream/upstreams.ts';

/**
 * Forwards a request to the first upstream and returns its response, both as they are, but for what would act in the
 * gateway's name: a redirect would have the client send its token to another host, and only the headers of
 * `bodyHeaders` and `limitHeaders` pass. An error is redacted, as it may quote the key of the upstream.
 */
export function passThrough(upstreams: Upstreams, limit: BodyLimit): HttpHandler {
  return async (exchange) => {
    const [upstream] = upstreams.all;
    if (upstream === undefined) throw new RequestError(404, 'not-found', NO_UPSTREAM);
    const { method, path, query, request, response, redactor, signal } = exchange;
    const { tokenHeaders = [] } = exchange;
    if (!METHODS.has(method)) {
      const methods = [...METHODS].join(', ');
      throw new RequestError(405, 'invalid-request', `expected ${methods}, got ${method}`, {
        headers: { allow: methods },
      });
    }
    const hasBody = method !== 'GET' && method !== 'HEAD';
    let answer: UpstreamAnswer;
    try {
      answer = await upstream.ask({
        method,
        path: path.replace(/^\/v1(?=\/|$)/, '') + query,
        headers: passedHeaders({ headers: request.headers, tokenHeaders }, upstream.config),
        body: hasBody ? await exchange.readBody(limit) : undefined,
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
    const headers = {
      ...bodyHeaders(answer.headers),
      ...limitHeaders(answer.headers),
      ...AS_DATA,
      'x-holdfast-upstream': upstream.config.name,
    };
    if (method !== 'HEAD' && isErrorText(answer)) {
      // One that breaks off is an error all the same.
      const said = await readBounded(answer.body, LONGEST_ERROR, 'cut').catch(() => '');
      const text = redactor.text(said);
      const length = Buffer.byteLength(text);
      response.writeHead(answer.statusCode, { ...headers, 'content-length': length }).end(text);
      return;
    }
    response.writeHead(answer.statusCode, headers);
    await pipeline(answer.body, response, { signal });
  };
}

/** Whether it is an error that can be read: no stream, and not packed. */
function isErrorText({ statusCode, headers }: UpstreamAnswer): boolean {
  const isText = /json|^text\/(?!event-stream)/i.test(
    String(headers['content-type'] ?? 'text/plain'),
  );
  return statusCode >= 400 && isText && headers['content-encoding'] === undefined;
}

const LONGEST_ERROR = 65_536;

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** TRACE would return the key of the upstream, and CONNECT would open a tunnel. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** No response of an upstream is a page of the gateway, and none is for a cache that others share. */
const AS_DATA = {
  'cache-control': 'no-store',
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
};
