const STEPS = [1, 2, 2.5, 5, 10];

/** Round values from 0 to at least `max`, about `count` of them apart. */
export function niceTicks(max: number, count: number): readonly number[] {
  if (!(max > 0)) return [0, 1];
  const rough = max / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (STEPS.find((each) => each * power >= rough) ?? 10);
  const ticks = [0];
  while ((ticks.at(-1) ?? 0) < max) ticks.push(Number((step * ticks.length).toPrecision(12)));
  return ticks;
}

/** The same for counts, which have no halves. */
export function countTicks(max: number, count: number): readonly number[] {
  return niceTicks(Math.max(max, count), count).filter((tick) => Number.isInteger(tick));
}

const MINUTE_MS = 60_000;
const TIME_STEPS = [1, 2, 5, 10, 15, 30, 60].map((minutes) => minutes * MINUTE_MS);

/** Full minutes between two times, at most `count` of them. */
export function timeTicks(from: number, to: number, count: number): readonly number[] {
  const step = TIME_STEPS.find((each) => (to - from) / each <= count) ?? to - from;
  const ticks: number[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) ticks.push(at);
  return ticks;
}
