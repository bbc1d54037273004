import type { JSX } from 'preact';
import type { Overview, SeriesPoint } from '../../api/api-types.ts';
import { parts } from '../../api/gateway.ts';
import { BarChart } from '../../chart/bar-chart.tsx';
import { LineChart } from '../../chart/line-chart.tsx';
import type { ChartData } from '../../chart/series.ts';
import { formatSeconds } from '../../format/duration.ts';
import { sinceStart } from './since-start.ts';

type Pick = (point: SeriesPoint) => number | null;

/** Durations and counts, of turns of models and of calls of tools, over time. */
export function OverviewCharts({ overview }: { readonly overview: Overview }): JSX.Element {
  const series = sinceStart(overview);
  const times = series.map(({ at }) => Date.parse(at));
  const data = (
    ...lines: readonly (readonly [name: string, tone: string, pick: Pick])[]
  ): ChartData => ({
    times,
    series: lines.map(([name, tone, pick]) => ({ name, tone, values: series.map(pick) })),
  });
  const { latency_ms: latency, totals } = overview;
  const hasTurns = parts.value?.hasModels !== false || totals.turns > 0;
  const hasCalls = parts.value?.hasServers !== false || totals.calls > 0;
  const per = `per ${formatSeconds(overview.slot_seconds)}`;
  return (
    <div class="columns columns-even">
      {hasTurns && (
        <div class="panel">
          <LineChart
            title="Latency of model turns"
            totals={{ ...latency.turns }}
            data={data(
              ['p50', 'one', (point) => point.turn_p50],
              ['p95', 'two', (point) => point.turn_p95],
              ['p99', 'three', (point) => point.turn_p99],
            )}
          />
        </div>
      )}
      {hasCalls && (
        <div class="panel">
          <LineChart
            title="Latency of tool calls"
            totals={{ ...latency.calls }}
            data={data(
              ['p50', 'one', (point) => point.call_p50],
              ['p95', 'two', (point) => point.call_p95],
              ['p99', 'three', (point) => point.call_p99],
            )}
          />
        </div>
      )}
      {hasTurns && (
        <div class="panel">
          <BarChart
            title="Model turns"
            unit={per}
            data={data(
              ['ok', 'ok', okTurns],
              ['failed', 'failed', (point) => point.turns_failed],
              ['refused', 'refused', (point) => point.turns_refused],
            )}
          />
        </div>
      )}
      {hasCalls && (
        <div class="panel">
          <BarChart
            title="Tool calls"
            unit={per}
            data={data(
              ['ok', 'ok', okCalls],
              ['failed', 'failed', (point) => point.calls_failed],
              ['refused', 'refused', (point) => point.calls_refused],
            )}
          />
        </div>
      )}
    </div>
  );
}

function okTurns({ turns, turns_failed, turns_refused }: SeriesPoint): number {
  return Math.max(0, turns - turns_failed - turns_refused);
}

function okCalls({ calls, calls_failed, calls_refused }: SeriesPoint): number {
  return Math.max(0, calls - calls_failed - calls_refused);
}
