import { describe, expect, test } from 'vitest';
import { LabelBook } from './label-book.ts';
import { MetricRegistry } from './metric-registry.ts';
import { writeMetrics } from './write-metrics.ts';

const registry = (): MetricRegistry => new MetricRegistry(new LabelBook());

describe('metrics as text', () => {
  test('has counters, gauges and histograms as Prometheus reads them', () => {
    const metrics = registry();
    const calls = metrics.counter({ name: 'calls_total', help: 'Calls.', labels: ['tool', 'end'] });
    metrics.reading(
      { name: 'up', help: 'Whether it is up.' },
      { type: 'gauge', read: () => [[{}, 1]] },
    );
    const took = metrics.histogram(
      { name: 'took_seconds', help: 'How long it took.', labels: ['tool'] },
      [0.5, 1],
    );
    calls.add({ tool: 'a', end: 'ok' });
    calls.add({ tool: 'a', end: 'ok' }, 2);
    calls.add({ tool: 'a', end: undefined });
    for (const seconds of [0.5, 0.75, 2]) took.observe({ tool: 'a' }, seconds);

    expect(writeMetrics(metrics.collect(), 'text')).toBe(
      [
        '# HELP calls_total Calls.',
        '# TYPE calls_total counter',
        'calls_total{tool="a",end="ok"} 3',
        'calls_total{tool="a"} 1',
        '# HELP up Whether it is up.',
        '# TYPE up gauge',
        'up 1',
        '# HELP took_seconds How long it took.',
        '# TYPE took_seconds histogram',
        'took_seconds_bucket{tool="a",le="0.5"} 1',
        'took_seconds_bucket{tool="a",le="1"} 2',
        'took_seconds_bucket{tool="a",le="+Inf"} 3',
        'took_seconds_sum{tool="a"} 3.25',
        'took_seconds_count{tool="a"} 3',
        '',
      ].join('\n'),
    );
  });

  test('is OpenMetrics where that is asked for', () => {
    const metrics = registry();
    metrics.counter({ name: 'calls_total', help: 'Calls, "all" of them.' });
    metrics
      .histogram({ name: 'took_seconds', help: 'How long it took.', labels: [] }, [1])
      .observe({}, 1);

    expect(writeMetrics(metrics.collect(), 'openmetrics')).toBe(
      [
        '# HELP calls Calls, \\"all\\" of them.',
        '# TYPE calls counter',
        'calls_total 0',
        '# HELP took_seconds How long it took.',
        '# TYPE took_seconds histogram',
        '# UNIT took_seconds seconds',
        'took_seconds_bucket{le="1.0"} 1',
        'took_seconds_bucket{le="+Inf"} 1',
        'took_seconds_sum 1',
        'took_seconds_count 1',
        '# EOF',
        '',
      ].join('\n'),
    );
  });

  test('escapes what would end a value or a line', () => {
    const family = {
      info: { name: 'odd_total', help: 'a\\b\nc "d"', labels: ['tool'] },
      type: 'counter' as const,
      series: [{ values: ['a\\b"c\nd'], value: 1 }],
    };
    expect(writeMetrics([family], 'text')).toBe(
      '# HELP odd_total a\\\\b\\nc "d"\n# TYPE odd_total counter\nodd_total{tool="a\\\\b\\"c\\nd"} 1\n',
    );
  });

  test('has words for numbers that are none', () => {
    const metrics = registry();
    const values = [NaN, Infinity, -Infinity, 1e21, 1e-7];
    metrics.reading(
      { name: 'odd', help: 'Odd.', labels: ['at'] },
      {
        type: 'gauge',
        read: () => values.map((value, at) => [{ at: String(at) }, value] as const),
      },
    );
    const lines = writeMetrics(metrics.collect(), 'text').trim().split('\n').slice(2);
    expect(lines.map((line) => line.split(' ')[1])).toEqual([
      'NaN',
      '+Inf',
      '-Inf',
      '1e+21',
      '1e-7',
    ]);
  });
});

describe('the registry', () => {
  test('has each name once', () => {
    const metrics = registry();
    metrics.counter({ name: 'calls_total', help: 'Calls.' });
    expect(() => metrics.counter({ name: 'calls_total', help: 'Again.' })).toThrow(
      'there is a metric calls_total already',
    );
  });

  test('leaves out times that cannot be', () => {
    const metrics = registry();
    const took = metrics.histogram({ name: 'took_seconds', help: 'How long.', labels: [] }, [1]);
    for (const odd of [-1, NaN, Infinity]) took.observe({}, odd);
    expect(metrics.collect()[0]?.series).toEqual([]);
  });
});
