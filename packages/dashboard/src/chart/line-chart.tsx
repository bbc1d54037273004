import type { JSX } from 'preact';
import { formatDuration } from '../format/duration.ts';
import { areaPath, linePath } from './line-path.ts';
import { lastValue } from './series.ts';
import type { ChartData } from './series.ts';
import { niceTicks } from './ticks.ts';
import { TimeChart } from './time-chart.tsx';

export interface LineChartProps {
  readonly title: string;
  readonly data: ChartData;
}

/** Durations over time. The first series is the one that matters: the space below it is filled. */
export function LineChart({ title, data }: LineChartProps): JSX.Element {
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
        const series = data.series[index];
        const value = series === undefined ? null : lastValue(series);
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
