import { Misuse } from './misuse.ts';

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** A duration such as `90s`, `10m`, `2h` or `1d`, in seconds. */
export function readDuration(option: string, written: string): number {
  const [, number, unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)([smhd])$/.exec(written) ?? [];
  const seconds = Number(number) * (UNITS[unit] ?? Number.NaN);
  if (seconds > 0) return seconds;
  throw new Misuse(`--${option}: expected a duration such as 90s, 10m, 2h or 1d, got "${written}"`);
}
