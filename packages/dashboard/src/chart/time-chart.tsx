import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { formatMinute, formatTime } from '../format/time.ts';
import { Icon } from '../parts/icon.tsx';
import { ChartTable } from './chart-table.tsx';
import { FRAME_HEIGHT, frameOf } from './series.ts';
import type { ChartData, Frame } from './series.ts';
import { timeTicks } from './ticks.ts';
import { useWidth } from './use-width.ts';

export interface Scale {
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
  /** The width that belongs to one time. */
  readonly step: number;
  readonly frame: Frame;
}

export interface TimeChartProps {
  readonly title: string;
  /** What the vertical axis counts: `per 10 s`; '' where its labels say it. */
  readonly unit: string;
  readonly data: ChartData;
  readonly ticks: readonly number[];
  readonly format: (value: number) => string;
  /** What is beside the name of each series. */
  readonly legend: (index: number) => string;
  readonly marks: (scale: Scale) => ComponentChildren;
}

/** That of `23:59`, in the size of labels. */
const MINUTE_WIDTH = 34;

/** Axes, a grid, a legend, and what is at the pointer; what is drawn in it is up to `marks`. */
export function TimeChart(props: TimeChartProps): JSX.Element {
  const { title, unit, data, ticks, format, legend, marks } = props;
  const { ref, width } = useWidth<HTMLDivElement>();
  const pointed = useSignal<number | undefined>(undefined);
  const isTable = useSignal(false);
  const { times, series } = data;
  const labels = ticks.map(format);
  const frame = frameOf(width, Math.max(...labels.map((label) => label.length)) * 6.6);
  const scale = scaleOf(frame, times.length, ticks.at(-1) ?? 1);
  const point = (event: PointerEvent & { readonly currentTarget: Element }): void => {
    const { left } = event.currentTarget.getBoundingClientRect();
    const at = Math.floor((event.clientX - left - frame.left) / scale.step);
    pointed.value = at >= 0 && at < times.length ? at : undefined;
  };
  const summary = series.map(({ name }, index) => `${name} ${legend(index)}`).join(', ');
  return (
    <figure class="chart">
      <figcaption class="chart-head">
        <h3 class="chart-title">
          {title} {unit !== '' && <span class="chart-unit">{unit}</span>}
        </h3>
        <ul class="legend">
          {series.map(({ name, tone }, index) => (
            <li key={name} class="legend-item">
              <span class={`legend-mark series-${tone}`} />
              {name} <b>{legend(index)}</b>
            </li>
          ))}
        </ul>
        <button
          type="button"
          class="icon-button"
          aria-pressed={isTable.value}
          aria-label={`${title} as a table`}
          title={isTable.value ? 'Show the chart' : 'Show the numbers'}
          onClick={() => (isTable.value = !isTable.value)}
        >
          <Icon name={isTable.value ? 'chart' : 'table'} />
        </button>
      </figcaption>
      <div ref={ref} class="chart-plot">
        {isTable.value && <ChartTable title={title} data={data} format={format} />}
        {!isTable.value && width > 0 && (
          <svg
            width={width}
            height={FRAME_HEIGHT}
            role="img"
            aria-label={`${title}${unit === '' ? '' : ` ${unit}`}: ${summary}`}
            onPointerMove={point}
            onPointerLeave={() => (pointed.value = undefined)}
          >
            <Axes frame={frame} scale={scale} ticks={ticks} labels={labels} times={times} />
            {pointed.value !== undefined && (
              <path
                class="chart-cross"
                d={`M${scale.x(pointed.value)} ${frame.top}V${frame.height - frame.bottom}`}
              />
            )}
            {marks(scale)}
          </svg>
        )}
        {!isTable.value && pointed.value !== undefined && (
          <Readout
            at={pointed.value}
            x={scale.x(pointed.value)}
            data={data}
            format={format}
            frame={frame}
          />
        )}
      </div>
    </figure>
  );
}

function scaleOf(frame: Frame, count: number, max: number): Scale {
  const { width, height, left, right, top, bottom } = frame;
  const step = (width - left - right) / Math.max(1, count);
  return {
    x: (at) => left + (at + 0.5) * step,
    y: (value) => height - bottom - (value / max) * (height - top - bottom),
    step,
    frame,
  };
}

interface AxesProps {
  readonly frame: Frame;
  readonly scale: Scale;
  readonly ticks: readonly number[];
  readonly labels: readonly string[];
  readonly times: readonly number[];
}

function Axes({ frame, scale, ticks, labels, times }: AxesProps): JSX.Element {
  const { width, height, left, right, bottom } = frame;
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? first;
  const atTime = (time: number): number =>
    scale.x(last === first ? 0 : ((time - first) / (last - first)) * (times.length - 1));
  return (
    <g>
      {ticks.map((tick, at) => (
        <g key={tick}>
          <path
            class={tick === 0 ? 'chart-base' : 'chart-grid'}
            d={`M${left} ${scale.y(tick)}H${width - right}`}
          />
          <text class="chart-label" x={left - 8} y={scale.y(tick) + 4} text-anchor="end">
            {labels[at]}
          </text>
        </g>
      ))}
      {timeTicks(first, last, Math.max(2, Math.floor(width / 90))).map((time) => (
        <text
          key={time}
          class="chart-label"
          x={Math.min(atTime(time), width - MINUTE_WIDTH / 2)}
          y={height - bottom + 18}
          text-anchor="middle"
        >
          {formatMinute(time)}
        </text>
      ))}
    </g>
  );
}

interface ReadoutProps {
  readonly at: number;
  readonly x: number;
  readonly data: ChartData;
  readonly format: (value: number) => string;
  readonly frame: Frame;
}

/** What is at the pointer, on the side where there is room. */
function Readout({ at, x, data, format, frame }: ReadoutProps): JSX.Element {
  const time = data.times[at] ?? 0;
  const isLeft = x > frame.width / 2;
  const place = isLeft ? { right: `${frame.width - x + 10}px` } : { left: `${x + 10}px` };
  return (
    <div class="readout" style={place}>
      <p class="readout-time">{formatTime(time, time)}</p>
      {data.series.map(({ name, tone, values }) => {
        const value = values[at] ?? null;
        return (
          <p key={name} class="readout-line">
            <span class={`legend-mark series-${tone}`} />
            {name} <b>{value === null ? '–' : format(value)}</b>
          </p>
        );
      })}
    </div>
  );
}
