import type { HistogramValue, MetricFamily, Series } from './metric-family.ts';

/** The two texts in which metrics are scraped: Prometheus' own, and OpenMetrics. */
export type MetricsFormat = 'text' | 'openmetrics';

export const CONTENT_TYPES: Readonly<Record<MetricsFormat, string>> = Object.freeze({
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
});

/** Metrics as text. */
export function writeMetrics(families: readonly MetricFamily[], format: MetricsFormat): string {
  const lines: string[] = [];
  for (const family of families) {
    writeHead(family, format, lines);
    for (const series of family.series) writeSeries(family, series, format, lines);
  }
  if (format === 'openmetrics') lines.push('# EOF');
  return `${lines.join('\n')}\n`;
}

function writeHead(
  { info: { name, help }, type }: MetricFamily,
  format: MetricsFormat,
  lines: string[],
): void {
  // In OpenMetrics `_total` belongs to the sample, not to the name of the family.
  const family = format === 'openmetrics' && type === 'counter' ? without(name, '_total') : name;
  const said = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  lines.push(`# HELP ${family} ${format === 'openmetrics' ? said.replaceAll('"', '\\"') : said}`);
  lines.push(`# TYPE ${family} ${type}`);
  if (format !== 'openmetrics') return;
  const unit = UNITS.find((each) => family.endsWith(`_${each}`));
  if (unit !== undefined) lines.push(`# UNIT ${family} ${unit}`);
}

const UNITS = ['seconds', 'bytes'] as const;

function writeSeries(
  { info: { name, labels = [] }, bounds = [] }: MetricFamily,
  { values, value }: Series,
  format: MetricsFormat,
  lines: string[],
): void {
  const pairs = labels.flatMap((label, index) => {
    const told = values[index] ?? '';
    return told === '' ? [] : [`${label}="${escapeValue(told)}"`];
  });
  if (typeof value === 'number') {
    lines.push(`${name}${braces(pairs)} ${formatNumber(value)}`);
    return;
  }
  const total = writeBuckets(name, pairs, bounds, value, format, lines);
  lines.push(`${name}_sum${braces(pairs)} ${formatNumber(value.sum)}`);
  lines.push(`${name}_count${braces(pairs)} ${total}`);
}

/** Each bucket counts those below it too. Returns how many there are in all. */
function writeBuckets(
  name: string,
  pairs: readonly string[],
  bounds: readonly number[],
  { counts }: HistogramValue,
  format: MetricsFormat,
  lines: string[],
): number {
  let total = 0;
  counts.forEach((count, index) => {
    total += count;
    const bound = formatBound(bounds[index] ?? Infinity, format);
    lines.push(`${name}_bucket${braces([...pairs, `le="${bound}"`])} ${total}`);
  });
  return total;
}

function braces(pairs: readonly string[]): string {
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeValue(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function formatNumber(value: number): string {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}

/** OpenMetrics wants to see that it is no integer. */
function formatBound(bound: number, format: MetricsFormat): string {
  const text = formatNumber(bound);
  return format === 'openmetrics' && Number.isInteger(bound) ? `${text}.0` : text;
}

function without(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, -end.length) : text;
}
