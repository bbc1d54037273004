import { formatSeconds } from './duration.ts';

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const minute = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'long' });

/** `14:03:59`, with the day where it is another one. */
export function formatTime(at: number, now: number): string {
  return isSameDay(at, now) ? clock.format(at) : `${day.format(at)}, ${minute.format(at)}`;
}

/** `14:03`, for axes. */
export function formatMinute(at: number): string {
  return minute.format(at);
}

export function formatFull(at: number): string {
  return full.format(at);
}

/** `now`, `12 s ago`, `3 min ago`; one unit, as the second changes faster than it matters. */
export function formatAge(at: number, now: number): string {
  const seconds = Math.floor((now - at) / 1000);
  if (seconds < 5) return 'now';
  const [count = '', unit = ''] = formatSeconds(seconds).split(' ');
  return `${count} ${unit} ago`;
}

function isSameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}
