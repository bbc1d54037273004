import type { IncomingHttpHeaders } from 'node:http';
import { isObject, objectOf } from '../proxy/json/json-fields.ts';
import { NO_TRACE, readTraceContext } from '../telemetry/trace-context.ts';

/**
 * A request with the trace that its HTTP headers name in `params._meta`, where MCP has it: from there it goes on
 * to any server, over pipes too. One that says it there already is left as it is.
 */
export function carryTrace(body: unknown, headers: IncomingHttpHeaders): unknown {
  const context = readTraceContext(headers);
  if (context === NO_TRACE || !isObject(body)) return body;
  if (typeof body['method'] !== 'string' || body['id'] === undefined) return body;
  const params = objectOf(body['params']);
  const meta = objectOf(params['_meta']);
  if (meta['traceparent'] !== undefined) return body;
  return { ...body, params: { ...params, _meta: { ...context, ...meta } } };
}
