/** Milliseconds of a Retry-After header, in seconds or as a date; undefined for anything else. */
export function parseRetryAfter(value: string, wallTime: number): number | undefined {
  const text = value.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - wallTime);
}
