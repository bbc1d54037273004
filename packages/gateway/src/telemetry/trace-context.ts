/** Which trace a request belongs to, in the words of W3C Trace Context and Baggage. */
export interface TraceContext {
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

/** A place in a trace. */
export interface TracePlace {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
}

/** What belongs to no trace. */
export const NO_TRACE: TraceContext = Object.freeze({});

const LONGEST_STATE = 4096;
const LONGEST_BAGGAGE = 8192;

/**
 * The context among the headers of a request, or in `params._meta` of a message: the keys are the same. What is
 * malformed is left out, and the state of a trace with the trace it belongs to.
 */
export function readTraceContext(from: Readonly<Record<string, unknown>>): TraceContext {
  const { traceparent, tracestate, baggage } = from;
  const place = typeof traceparent === 'string' ? parseTraceparent(traceparent) : undefined;
  if (place === undefined && baggage === undefined) return NO_TRACE;
  return {
    ...(place !== undefined && { traceparent: traceparent as string }),
    ...(place !== undefined && isLine(tracestate, LONGEST_STATE) && { tracestate }),
    ...(isLine(baggage, LONGEST_BAGGAGE) && { baggage }),
  };
}

/** Versions to come may say more behind the flags. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.{0,200})?$/;

export function parseTraceparent(text: string): TracePlace | undefined {
  const [, version, traceId, spanId, flags] = TRACEPARENT.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === 'ff' || (version === '00' && text.length > 55)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

export function formatTraceparent({ traceId, spanId, flags }: TracePlace): string {
  return `00-${traceId}-${spanId}-${(flags & 0xff).toString(16).padStart(2, '0')}`;
}

function isLine(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value.length <= longest && /^[\t\x20-\x7e]+$/.test(value);
}
