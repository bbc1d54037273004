import type { JSX } from 'preact';
import { formatDuration } from '../format/duration.ts';
import { areaPath, linePath } from './line-path.ts';
import type { ChartData } from './series.ts';
import { niceTicks } from './ticks.ts';
import { TimeChart } from './time-chart.tsx';

export interface LineChartProps {
  readonly title: string;
  readonly data: ChartData;
  /** The same for the whole time that is shown, by the names of the series. */
  readonly totals: Readonly<Record<string, number | null>>;
}

/** Durations over time. The first series is the one that matters: the space below it is filled. */
export function LineChart({ title, data, totals }: LineChartProps): JSX.Element {
  const max = Math.max(
    0,
    ...data.series.flatMap(({ values }) => values.map((value) => value ?? 0)),
  );
  const [first] = data.series;
  return (
    <TimeChart
      title={title}
      unit=""
      data={data}
      ticks={niceTicks(max, 4)}
      format={formatDuration}
      legend={(index) => {
        // What happened last would be taken for all of it.
        const value = totals[data.series[index]?.name ?? ''] ?? null;
        return value === null ? '–' : formatDuration(value);
      }}
      marks={({ x, y, frame }) => (
        <>
          {first !== undefined && (
            <path
              class={`area series-${first.tone}`}
              d={areaPath(first.values, x, y, frame.height - frame.bottom)}
            />
          )}
          {data.series.toReversed().map(({ name, tone, values }) => (
            <path key={name} class={`line series-${tone}`} d={linePath(values, x, y)} />
          ))}
        </>
      )}
    />
  );
}
