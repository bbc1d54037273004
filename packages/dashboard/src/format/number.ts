const whole = new Intl.NumberFormat('en-US');

/** `1,234`, `12.3k`, `4.5M`: exact where it fits, short where it would not. */
export function formatCount(count: number): string {
  if (count < 10_000) return whole.format(count);
  if (count < 999_500) return `${short(count / 1000)}k`;
  return `${short(count / 1_000_000)}M`;
}

/** A share of 0..1 as `0 %`, `0.4 %`, `12 %`, `100 %`; never rounded to all or nothing. */
export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent === 0 || percent === 100) return `${percent} %`;
  if (percent < 0.1) return '<0.1 %';
  if (percent > 99.9) return '>99.9 %';
  return `${percent < 9.95 || percent > 99 ? percent.toFixed(1) : Math.round(percent)} %`;
}

/** `1 call`, `3 calls`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

function short(value: number): string {
  return value < 99.95 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value));
}
