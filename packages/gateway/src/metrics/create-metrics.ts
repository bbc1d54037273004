import type { Clock } from '@holdfast/core';
import type { HttpHandler, Route } from '../http/http-exchange.ts';
import { RequestError } from '../http/request-error.ts';
import type { ObservedEvent } from '../observe/gateway-event.ts';
import type { OperationListener } from '../telemetry/operation.ts';
import { callMetrics } from './call-metrics.ts';
import { circuitMetrics } from './circuit-metrics.ts';
import { LabelBook } from './label-book.ts';
import type { MetricFamily } from './metric-family.ts';
import { MetricRegistry } from './metric-registry.ts';
import { negotiateFormat } from './negotiate-format.ts';
import { operationMetrics } from './operation-metrics.ts';
import { runtimeMetrics } from './runtime-metrics.ts';
import { stateMetrics } from './state-metrics.ts';
import type { GatewayState } from './state-metrics.ts';
import { turnMetrics } from './turn-metrics.ts';
import { CONTENT_TYPES, writeMetrics } from './write-metrics.ts';

export interface MetricsOptions {
  /** How the gateway is now. Asked once for every scrape. */
  readonly state: () => GatewayState;
  /** Whether they are served. */
  readonly isOn: () => boolean;
  /** Log records that could not be written; undefined where that is not known. */
  readonly droppedRecords?: () => number | undefined;
  /** Takes secrets out of a name. */
  readonly clean: (name: string) => string;
  readonly version: string;
  readonly clock: Clock;
}

/** What is counted and measured, for Prometheus to scrape. */
export interface Metrics {
  /** For the observer of the gateway. */
  readonly count: (observed: ObservedEvent) => void;
  readonly operations: OperationListener;
  readonly routes: readonly Route[];
  collect(): readonly MetricFamily[];
  close(): void;
}

export function createMetrics(options: MetricsOptions): Metrics {
  const book = new LabelBook(options.clean);
  const registry = new MetricRegistry(book);
  let now: GatewayState = { circuits: [], servers: [], tools: [] };
  const stop = runtimeMetrics(registry, options);
  const operations = operationMetrics(registry);
  const counters = [
    turnMetrics(registry),
    callMetrics(registry),
    circuitMetrics(registry),
    stateMetrics(registry, () => now),
  ];
  registry.reading(
    {
      name: 'holdfast_metrics_folded_total',
      help: 'Measurements that were told under the name other, because a label has too many values.',
      labels: ['label'],
    },
    { type: 'counter', read: () => [...book.folded()].map(([label, count]) => [{ label }, count]) },
  );
  registry.reading(
    {
      name: 'holdfast_log_records_dropped_total',
      help: 'Log records that were dropped because standard error could not be written.',
    },
    {
      type: 'counter',
      read: () => {
        const dropped = options.droppedRecords?.();
        return dropped === undefined ? [] : [[{}, dropped]];
      },
    },
  );
  const collect = (): readonly MetricFamily[] => {
    now = options.state();
    // Tools that exist keep their names, however many a model invents later.
    for (const tool of now.tools) book.of('tool').expect(tool);
    return registry.collect();
  };
  const handle: HttpHandler = async ({ request, response }) => {
    if (!options.isOn()) {
      throw new RequestError(404, 'not-found', 'metrics are turned off (observe.metrics)');
    }
    const format = negotiateFormat(request.headers.accept);
    const body = Buffer.from(writeMetrics(collect(), format));
    response.writeHead(200, {
      'content-type': CONTENT_TYPES[format],
      'content-length': body.length,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    response.end(body);
  };
  return {
    count: (observed) => {
      for (const counter of counters) counter(observed);
    },
    operations,
    routes: [{ method: 'GET', path: '/metrics', handle }],
    collect,
    close: stop,
  };
}
