import { safeJson, safeLine } from '../cli/safe-text.ts';

/** A line of the log for a person at a terminal: time, level, message, then `name=value`. */
export function formatLogLine(line: string): string {
  const { time, level, msg, ...fields } = parseLine(line);
  const clock = typeof time === 'string' ? safeLine(time.slice(11, 23)) : '';
  const named = Object.entries(fields).map(([name, value]) => `${safeLine(name)}=${show(value)}`);
  const label = typeof level === 'string' ? safeLine(level) : '';
  const message = typeof msg === 'string' ? safeLine(msg) : '';
  return [clock, label.padEnd(5), message, ...named].join(' ');
}

/** The logger writes one JSON object a line. */
function parseLine(line: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(line);
  return typeof value === 'object' && value !== null ? { ...value } : { msg: line };
}

function show(value: unknown): string {
  if (typeof value !== 'string') return safeJson(value);
  return /^[\w./:@*-]+$/.test(value) ? value : safeJson(value);
}
