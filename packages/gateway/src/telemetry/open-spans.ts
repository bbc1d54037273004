import { channel } from 'node:diagnostics_channel';
import type { Attributes as OtelAttributes, Context, Span, Tracer } from '@opentelemetry/api';
import type {
  Attributes,
  OpenSpan,
  OperationEnd,
  OperationStart,
  SpanSource,
} from './operation.ts';
import { formatTraceparent, parseTraceparent } from './trace-context.ts';
import type { TraceContext } from './trace-context.ts';

type Api = typeof import('@opentelemetry/api');

/** Whoever instruments HTTP clients listens here, and writes a trace into every request: ours would be a second one. */
const REQUESTS = channel('undici:request:create');

export interface OpenSpansOptions {
  readonly version: string;
  /** Takes secrets out of what is told. */
  readonly clean: (text: string) => string;
}

/**
 * Spans of OpenTelemetry, where its API is installed and an SDK was started before us; undefined otherwise. It is
 * not a dependency: whoever wants traces brings the SDK, and with it the API.
 */
export async function openSpans(options: OpenSpansOptions): Promise<SpanSource | undefined> {
  const api = await loadApi();
  const tracer = api && findTracer(api, options.version);
  if (api === undefined || tracer === undefined) return undefined;
  return { start: (start) => new OtelSpan(api, tracer, start, options.clean) };
}

async function loadApi(): Promise<Api | undefined> {
  try {
    return await import('@opentelemetry/api');
  } catch {
    return undefined;
  }
}

/** Without an SDK the API hands out tracers that do nothing, which would cost a little for nothing. */
function findTracer({ trace, ProxyTracerProvider }: Api, version: string): Tracer | undefined {
  const provider = trace.getTracerProvider();
  return provider instanceof ProxyTracerProvider
    ? provider.getDelegateTracer('holdfast', version)
    : provider.getTracer('holdfast', version);
}

class OtelSpan implements OpenSpan {
  readonly context: TraceContext;
  readonly headers: TraceContext;
  readonly #api: Api;
  readonly #span: Span;
  readonly #inside: Context;
  readonly #clean: (text: string) => string;

  constructor(api: Api, tracer: Tracer, start: OperationStart, clean: (text: string) => string) {
    const { SpanKind, trace } = api;
    const parent = parentOf(api, start.parent);
    this.#api = api;
    this.#clean = clean;
    this.#span = tracer.startSpan(
      clean(start.name),
      {
        kind: start.kind === 'server' ? SpanKind.SERVER : SpanKind.CLIENT,
        attributes: told(start.attributes, clean),
      },
      parent,
    );
    this.#inside = trace.setSpan(parent, this.#span);
    const { traceId, spanId, traceFlags, traceState } = this.#span.spanContext();
    const tracestate = traceState?.serialize() ?? '';
    const { baggage } = start.parent;
    this.context = {
      traceparent: formatTraceparent({ traceId, spanId, flags: traceFlags }),
      ...(tracestate !== '' && { tracestate }),
      ...(baggage !== undefined && { baggage }),
    };
    this.headers = REQUESTS.hasSubscribers ? { ...(baggage && { baggage }) } : this.context;
  }

  run<T>(work: () => T): T {
    return this.#api.context.with(this.#inside, work);
  }

  end({ errorType, message, attributes = {} }: OperationEnd): void {
    this.#span.setAttributes(told(attributes, this.#clean));
    if (errorType !== undefined) {
      this.#span.setAttribute('error.type', errorType);
      this.#span.setStatus({
        code: this.#api.SpanStatusCode.ERROR,
        ...(message !== undefined && { message: this.#clean(message) }),
      });
    }
    this.#span.end();
  }
}

/**
 * What is running now, where it is of the trace that the caller names, or the caller names none: then somebody
 * nearer has a span already, such as the instrumentation of HTTP. Otherwise what the caller says.
 */
function parentOf(
  { context, trace, createTraceState, ROOT_CONTEXT }: Api,
  { traceparent, tracestate }: TraceContext,
): Context {
  const active = context.active();
  const place = traceparent === undefined ? undefined : parseTraceparent(traceparent);
  if (place === undefined || trace.getSpanContext(active)?.traceId === place.traceId) return active;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: place.traceId,
    spanId: place.spanId,
    traceFlags: place.flags,
    isRemote: true,
    ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }),
  });
}

/** A name or an address may hold what nobody meant to tell. */
function told(attributes: Attributes, clean: (text: string) => string): OtelAttributes {
  const entries: [string, OtelAttributes[string]][] = [];
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'string') entries.push([name, clean(value)]);
    else if (typeof value === 'object') entries.push([name, value.map(clean)]);
    else if (value !== undefined) entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}
