/** A duration as it is read at a glance: `3 ms`, `420 ms`, `1.2 s`, `14 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1) return ms <= 0 ? '0 ms' : '<1 ms';
  if (ms < 999.5) return `${ms < 9.95 ? trimmed(ms) : Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 9.95) return `${trimmed(seconds)} s`;
  return formatSeconds(Math.round(seconds));
}

/** Whole seconds in words of two units: what a countdown and an age show. */
export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return joined(seconds, 60, 'min', 's');
  if (seconds < 86_400) return joined(Math.floor(seconds / 60), 60, 'h', 'min');
  return joined(Math.floor(seconds / 3600), 24, 'd', 'h');
}

/** The same in a form that a screen reader says and `datetime` holds. */
export function isoDuration(seconds: number): string {
  return `PT${Math.max(0, Math.round(seconds))}S`;
}

function joined(count: number, size: number, large: string, small: string): string {
  const rest = count % size;
  return `${Math.floor(count / size)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}

function trimmed(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}
