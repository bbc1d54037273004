import type { MetricsFormat } from './write-metrics.ts';

/** The text that a scraper likes best, by its `Accept`. One that says nothing gets Prometheus' own. */
export function negotiateFormat(accept: string | undefined): MetricsFormat {
  const wanted = (accept ?? '').split(',').map(readRange);
  const best = (types: readonly string[]): number =>
    Math.max(0, ...wanted.filter(({ type }) => types.includes(type)).map(({ quality }) => quality));
  const openmetrics = best(['application/openmetrics-text']);
  return openmetrics > 0 && openmetrics >= best(['text/plain']) ? 'openmetrics' : 'text';
}

function readRange(range: string): { readonly type: string; readonly quality: number } {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const quality = given === undefined ? 1 : Number(given);
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}
