import { expect, test } from 'vitest';
import { negotiateFormat } from './negotiate-format.ts';

test.each([
  [undefined, 'text'],
  ['', 'text'],
  ['*/*', 'text'],
  ['text/html,application/xhtml+xml,*/*;q=0.8', 'text'],
  ['text/plain;version=0.0.4;q=0.5,*/*;q=0.1', 'text'],
  [
    'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
    'openmetrics',
  ],
  ['text/plain, application/openmetrics-text; q=0.5', 'text'],
  ['application/openmetrics-text;q=0', 'text'],
  ['application/openmetrics-text;q=nonsense', 'text'],
  ['Application/OpenMetrics-Text', 'openmetrics'],
])('a scraper that accepts %s gets %s', (accept, format) => {
  expect(negotiateFormat(accept)).toBe(format);
});
