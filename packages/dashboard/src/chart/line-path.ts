export type Value = number | null;

/** A line through the values that are there, with gaps where there are none; a value on its own is a dot. */
export function linePath(
  values: readonly Value[],
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  let path = '';
  values.forEach((value, at) => {
    if (value === null) return;
    const before = values[at - 1] ?? null;
    const after = values[at + 1] ?? null;
    const point = `${round(x(at))} ${round(y(value))}`;
    if (before !== null) path += `L${point}`;
    else path += after === null ? `M${point}h0` : `M${point}`;
  });
  return path;
}

/** What is below such a line, down to `bottom`. */
export function areaPath(
  values: readonly Value[],
  x: (at: number) => number,
  y: (value: number) => number,
  bottom: number,
): string {
  let path = '';
  let start: number | undefined;
  values.forEach((value, at) => {
    if (value === null) return;
    if (start === undefined) {
      start = at;
      path += `M${round(x(at))} ${round(bottom)}`;
    }
    path += `L${round(x(at))} ${round(y(value))}`;
    if ((values[at + 1] ?? null) === null) {
      path += `L${round(x(at))} ${round(bottom)}Z`;
      start = undefined;
    }
  });
  return path;
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
