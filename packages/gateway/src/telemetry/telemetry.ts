import type { Clock } from '@holdfast/core';
import type {
  OpenSpan,
  Operation,
  OperationEnd,
  OperationListener,
  OperationStart,
  SpanSource,
} from './operation.ts';
import type { TraceContext } from './trace-context.ts';

/** Where the parts of the gateway tell what they begin and end. */
export interface Telemetry {
  begin(start: OperationStart): Operation;
}

export interface TelemetryOptions {
  readonly clock: Clock;
  /** Default: no spans are made, and trace contexts are passed on as they came. */
  readonly spans?: SpanSource | undefined;
  /** Default: nobody. What it throws is dropped. */
  readonly listener?: OperationListener | undefined;
}

/** Times operations, makes spans of them where somebody collects spans, and tells one listener. */
export function createTelemetry(options: TelemetryOptions): Telemetry {
  const { spans, listener } = options;
  if (spans === undefined && listener === undefined) return NO_TELEMETRY;
  return { begin: (start) => new ToldOperation(start, options) };
}

/** Nobody wants to know. Contexts are passed on all the same. */
export const NO_TELEMETRY: Telemetry = Object.freeze({
  begin: ({ parent }: OperationStart): Operation => ({
    context: parent,
    headers: parent,
    run: (work) => work(),
    end: () => undefined,
  }),
});

class ToldOperation implements Operation {
  readonly context: TraceContext;
  readonly headers: TraceContext;
  readonly #start: OperationStart;
  readonly #options: TelemetryOptions;
  readonly #span: OpenSpan | undefined;
  readonly #startedAt: number;
  #isOver = false;

  constructor(start: OperationStart, options: TelemetryOptions) {
    this.#start = start;
    this.#options = options;
    this.#startedAt = options.clock.now();
    this.#span = guarded(() => options.spans?.start(start));
    this.context = this.#span?.context ?? start.parent;
    this.headers = this.#span?.headers ?? start.parent;
    guarded(() => options.listener?.began(start));
  }

  run<T>(work: () => T): T {
    return this.#span === undefined ? work() : this.#span.run(work);
  }

  end(end: OperationEnd = {}): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { kind, attributes } = this.#start;
    const durationMs = this.#options.clock.now() - this.#startedAt;
    guarded(() => this.#span?.end(end));
    guarded(() =>
      this.#options.listener?.ended({
        kind,
        attributes: { ...attributes, ...end.attributes },
        errorType: end.errorType,
        durationMs,
      }),
    );
  }
}

/** Whoever watches must not break what is watched. */
function guarded<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
