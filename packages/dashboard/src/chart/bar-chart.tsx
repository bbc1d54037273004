import type { JSX } from 'preact';
import { formatCount } from '../format/number.ts';
import { round } from './line-path.ts';
import type { ChartData, Series } from './series.ts';
import { countTicks } from './ticks.ts';
import { TimeChart } from './time-chart.tsx';
import type { Scale } from './time-chart.tsx';

export interface BarChartProps {
  readonly title: string;
  readonly unit: string;
  readonly data: ChartData;
}

/** Counts over time, one on top of the other. */
export function BarChart({ title, unit, data }: BarChartProps): JSX.Element {
  const { times, series } = data;
  const max = Math.max(0, ...times.map((_, at) => sumBelow(series, series.length, at)));
  return (
    <TimeChart
      title={title}
      unit={unit}
      data={data}
      ticks={countTicks(max, 4)}
      format={formatCount}
      legend={(index) => formatCount(sum(series[index]?.values ?? []))}
      marks={(scale) =>
        series.map(({ name, tone }, index) => (
          <path key={name} class={`bars series-${tone}`} d={barsPath(series, index, scale)} />
        ))
      }
    />
  );
}

/** All bars of one layer as one path. */
function barsPath(series: readonly Series[], index: number, { x, y, step }: Scale): string {
  const wide = Math.max(1, step - Math.max(1, step * 0.22));
  let path = '';
  series[index]?.values.forEach((value, at) => {
    if (value === null || value === 0) return;
    const below = sumBelow(series, index, at);
    const top = y(below + value);
    path += `M${round(x(at) - wide / 2)} ${round(top)}h${round(wide)}v${round(y(below) - top)}h${-round(wide)}z`;
  });
  return path;
}

function sumBelow(series: readonly Series[], index: number, at: number): number {
  return sum(series.slice(0, index).map(({ values }) => values[at] ?? 0));
}

function sum(values: readonly (number | null)[]): number {
  return values.reduce<number>((total, value) => total + (value ?? 0), 0);
}
