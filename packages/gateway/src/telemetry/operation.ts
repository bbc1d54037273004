import type { TraceContext } from './trace-context.ts';

export type AttributeValue = string | number | boolean | readonly string[];

/** What is told of an operation, under the names of OpenTelemetry's conventions. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

export interface OperationStart {
  /** `tools/call get_weather`. */
  readonly name: string;
  /** `server` for what a client asked of us, `client` for what we ask of somebody else. */
  readonly kind: 'server' | 'client';
  readonly attributes: Attributes;
  /** What it is a part of, as far as whoever asked has said. */
  readonly parent: TraceContext;
}

export interface OperationEnd {
  /** A short word for what went wrong, of which there are few; undefined where all went well. */
  readonly errorType?: string | undefined;
  readonly message?: string | undefined;
  /** What became known on the way. */
  readonly attributes?: Attributes;
}

/** Something that takes time: a request of a client while it is answered, or one of ours to somebody else. */
export interface Operation {
  /** What is told to whoever is asked on its behalf. */
  readonly context: TraceContext;
  /** The same for requests over HTTP, as their headers. */
  readonly headers: TraceContext;
  /** Does work as a part of it. */
  run<T>(work: () => T): T;
  /** The first word counts. */
  end(end?: OperationEnd): void;
}

/** An operation that is over. */
export interface EndedOperation {
  readonly kind: OperationStart['kind'];
  readonly attributes: Attributes;
  readonly errorType: string | undefined;
  readonly durationMs: number;
}

/** Hears of operations. */
export interface OperationListener {
  began(start: OperationStart): void;
  ended(operation: EndedOperation): void;
}

/** A span of a tracing system, while it is open. */
export interface OpenSpan {
  readonly context: TraceContext;
  readonly headers: TraceContext;
  run<T>(work: () => T): T;
  end(end: OperationEnd): void;
}

/** Where spans come from. */
export interface SpanSource {
  start(start: OperationStart): OpenSpan;
}
