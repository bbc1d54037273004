/**
 * One measured number with a name: what plots are drawn from, and what two builds are compared by. `of` says
 * whose it is; a figure of a peer does not change between two builds, so it tells how far to trust those of
 * ours. `p90` is what nine of ten batches, or turns, beat.
 */
export function figure(name, of, unit, best, p90 = best) {
  return { name, of, unit, best, p90 };
}

/** Of what `alternate` measured: microseconds by the clock. */
export const clockFigure = (name, of, { min, p90 }) => figure(name, of, 'µs', min, p90);

/** Of what `alternateAsync` measured: microseconds of the processor. */
export const cpuFigure = (name, of, { cpu, cpuP90 }) => figure(name, of, 'CPU µs', cpu, cpuP90);

/** Rates grow when things get better; everything else shrinks. */
export const isRate = ({ unit }) => unit.endsWith('/s');

export const OURS = 'holdfast';
