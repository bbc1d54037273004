import type { Logger } from '../log/logger.ts';
import { parseTraceparent } from './trace-context.ts';
import type { TraceContext } from './trace-context.ts';

/** A logger whose lines say which trace they belong to, by the names that log collectors look for. */
export function tracedLogger(log: Logger, { traceparent }: TraceContext): Logger {
  const place = traceparent === undefined ? undefined : parseTraceparent(traceparent);
  if (place === undefined) return log;
  return log.child({ trace_id: place.traceId, span_id: place.spanId });
}
