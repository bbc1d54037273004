import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from '@holdfast/core';
import type { MetricRegistry } from './metric-registry.ts';

/** How often the delay of the event loop is looked at. */
const RESOLUTION_MS = 20;

/** What the process costs, under the names that dashboards for Node know. Returns what ends the measuring. */
export function runtimeMetrics(
  registry: MetricRegistry,
  { version, clock }: { readonly version: string; readonly clock: Clock },
): () => void {
  const startedAt = clock.wallTime() / 1000 - process.uptime();
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const gauge = (name: string, help: string, read: () => number | undefined): void => {
    registry.reading(
      { name, help },
      {
        type: 'gauge',
        read: () => {
          const value = read();
          return value === undefined ? [] : [[{}, value]];
        },
      },
    );
  };
  registry.reading(
    {
      name: 'holdfast_build_info',
      help: 'Which version this is, and of Node.',
      labels: ['version', 'node'],
    },
    { type: 'gauge', read: () => [[{ version, node: process.versions.node }, 1]] },
  );
  registry.reading(
    { name: 'process_cpu_seconds_total', help: 'Time of the processor that was used.' },
    {
      type: 'counter',
      read: () => {
        const { user, system } = process.cpuUsage();
        return [[{}, (user + system) / 1e6]];
      },
    },
  );
  gauge(
    'process_start_time_seconds',
    'When the process was started, in seconds since 1970.',
    () => startedAt,
  );
  gauge('process_resident_memory_bytes', 'Memory of the process.', () =>
    ifTold(() => process.memoryUsage.rss()),
  );
  gauge('nodejs_heap_size_used_bytes', 'Memory that objects take.', () =>
    ifTold(() => process.memoryUsage().heapUsed),
  );
  // A timer that is on time takes as long as the resolution.
  const late = (percentile: number): number =>
    delay.count === 0 ? 0 : Math.max(0, delay.percentile(percentile) / 1e9 - RESOLUTION_MS / 1000);
  const lag = 'since the last scrape';
  gauge('nodejs_eventloop_lag_p50_seconds', `How late half of the timers were ${lag}.`, () =>
    late(50),
  );
  gauge('nodejs_eventloop_lag_p99_seconds', `How late one in a hundred timers was ${lag}.`, () =>
    late(99),
  );
  gauge('nodejs_eventloop_lag_max_seconds', `How late the latest timer was ${lag}.`, () => {
    const latest = late(100);
    delay.reset();
    return latest;
  });
  return () => void delay.disable();
}

/** Node opens a file to tell how much memory there is in use: out of files, the other metrics are told without it. */
function ifTold(read: () => number): number | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
