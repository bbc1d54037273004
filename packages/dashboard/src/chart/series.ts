import type { Value } from './line-path.ts';

/** One line, or one layer of bars. */
export interface Series {
  readonly name: string;
  /** Its class in the styles: `series-<tone>`. */
  readonly tone: string;
  readonly values: readonly Value[];
}

export interface ChartData {
  /** When each value is of, in milliseconds since 1970. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
}

/** How a chart is drawn in the space it has. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export const FRAME_HEIGHT = 208;

export function frameOf(width: number, labelWidth: number): Frame {
  return { width, height: FRAME_HEIGHT, left: labelWidth + 10, right: 6, top: 8, bottom: 24 };
}
