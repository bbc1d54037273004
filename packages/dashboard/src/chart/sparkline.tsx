import { useMemo } from 'preact/hooks';
import type { JSX } from 'preact';
import { areaPath, linePath } from './line-path.ts';
import type { Value } from './line-path.ts';

const WIDTH = 120;
const HEIGHT = 32;

/** The shape of a number over time, beside the number that says it. */
export function Sparkline({
  values,
  tone,
}: {
  readonly values: readonly Value[];
  readonly tone: string;
}): JSX.Element {
  const key = values.join();
  return useMemo(() => {
    const max = Math.max(1e-9, ...values.map((value) => value ?? 0));
    const x = (at: number): number => (at / Math.max(1, values.length - 1)) * WIDTH;
    const y = (value: number): number => HEIGHT - 2 - (value / max) * (HEIGHT - 4);
    return (
      <svg
        class="spark"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path class={`area series-${tone}`} d={areaPath(values, x, y, HEIGHT)} />
        <path class={`line series-${tone}`} d={linePath(values, x, y)} />
      </svg>
    );
    // The values by what they are: they come anew with every answer.
  }, [key, tone]);
}
