import type { JSX } from 'preact';
import { formatTime } from '../format/time.ts';
import type { ChartData } from './series.ts';

export interface ChartTableProps {
  readonly title: string;
  readonly data: ChartData;
  readonly format: (value: number) => string;
}

/** The numbers of a chart, the newest first, for whom a picture says nothing. */
export function ChartTable({ title, data, format }: ChartTableProps): JSX.Element {
  const { times, series } = data;
  const rows = times
    .map((time, at) => ({ time, values: series.map(({ values }) => values[at] ?? null) }))
    .filter(({ values }) => values.some((value) => value !== null && value !== 0))
    .reverse();
  return (
    // It scrolls by itself, so it has to be reached by keyboard.
    <div class="chart-table" tabIndex={0} role="region" aria-label={title}>
      <table class="table table-small">
        <thead>
          <tr>
            <th scope="col">Time</th>
            {series.map(({ name }) => (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ time, values }) => (
            <tr key={time}>
              <th scope="row">{formatTime(time, time)}</th>
              {values.map((value, at) => (
                <td key={at} class="number">
                  {value === null ? '–' : format(value)}
                </td>
              ))}
            </tr>
          ))}
          {rows.length === 0 && (
            <tr>
              <td colSpan={series.length + 1}>Nothing happened in this time.</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
