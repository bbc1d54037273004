const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long something took or takes, in the one unit that tells it best: `812 ms`, `2.1 s`, `42 s`, `3 min`. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return '–';
  if (Math.round(ms) < SECOND_MS) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / SECOND_MS).toFixed(1)} s`;
  if (Math.round(ms / SECOND_MS) < 120) return `${Math.round(ms / SECOND_MS)} s`;
  if (Math.round(ms / MINUTE_MS) < 120) return `${Math.round(ms / MINUTE_MS)} min`;
  if (Math.round(ms / HOUR_MS) < 48) return `${Math.round(ms / HOUR_MS)} h`;
  return `${Math.round(ms / DAY_MS)} days`;
}

/** A count with its thousands apart. */
export function formatCount(count: number): string {
  return Number.isFinite(count) ? Math.round(count).toLocaleString('en-US') : '–';
}

/** `1 retry`, `3 retries`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** The day and the time here, for people: `2026-01-31 14:03:27`. */
export function formatMoment(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  return `${day} ${formatTime(at)}`;
}

/** The time of day here, for people: `14:03:27`. */
export function formatTime(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '--:--:--';
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
