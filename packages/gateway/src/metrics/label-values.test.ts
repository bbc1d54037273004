import { describe, expect, test } from 'vitest';
import { LABEL_LIMITS, LabelBook } from './label-book.ts';
import { MetricRegistry } from './metric-registry.ts';
import { MOST_SERIES } from './series-table.ts';
import type { MetricFamily } from './metric-family.ts';

const valuesOf = ({ series }: MetricFamily, index: number): readonly (string | undefined)[] =>
  series.map(({ values }) => values[index]);

describe('label values', () => {
  test('beyond the limit are told as other, and none is lost', () => {
    const book = new LabelBook();
    const calls = new MetricRegistry(book).counter({
      name: 'calls_total',
      help: 'Calls.',
      labels: ['tool'],
    });
    for (let at = 0; at < 10_000; at++) calls.add({ tool: `invented_${at}` });
    const family = calls.collect();
    expect(family.series).toHaveLength(LABEL_LIMITS.tool + 1);
    const other = family.series.find(({ values }) => values[0] === 'other');
    expect(other?.value).toBe(10_000 - LABEL_LIMITS.tool);
    expect(book.folded().get('tool')).toBe(10_000 - LABEL_LIMITS.tool);
    // Whoever was there first keeps a name.
    calls.add({ tool: 'invented_0' });
    expect(calls.collect().series[0]).toEqual({ values: ['invented_0'], value: 2 });
  });

  test('are the same for labels that name the same things', () => {
    const registry = new MetricRegistry(new LabelBook());
    const ours = registry.counter({ name: 'ours_total', help: 'Ours.', labels: ['tool'] });
    const theirs = registry.counter({
      name: 'theirs_total',
      help: 'Theirs.',
      labels: ['gen_ai_tool_name'],
    });
    for (let at = 0; at < LABEL_LIMITS.tool; at++) ours.add({ tool: `tool_${at}` });
    theirs.add({ gen_ai_tool_name: 'tool_1' });
    theirs.add({ gen_ai_tool_name: 'one_more' });
    expect(valuesOf(theirs.collect(), 0)).toEqual(['tool_1', 'other']);
  });

  test('cannot be combined to more series than a metric may have', () => {
    const registry = new MetricRegistry(new LabelBook());
    const calls = registry.counter({
      name: 'calls_total',
      help: 'Calls.',
      labels: ['tool', 'model', 'end'],
    });
    for (let tool = 0; tool < 400; tool++) {
      for (let model = 0; model < 120; model++) {
        calls.add({ tool: `t${tool}`, model: `m${model}`, end: tool % 2 === 0 ? 'ok' : 'failed' });
      }
    }
    const { series } = calls.collect();
    expect(series).toHaveLength(MOST_SERIES + 2);
    const total = series.reduce((sum, { value }) => sum + (value as number), 0);
    expect(total).toBe(400 * 120);
  });

  test('are cleaned once, are one line, and are never endless', () => {
    let cleaned = 0;
    const book = new LabelBook((value) => {
      cleaned++;
      return value.replace('CANARY', '***');
    });
    const calls = new MetricRegistry(book).counter({
      name: 'calls_total',
      help: 'Calls.',
      labels: ['tool'],
    });
    calls.add({ tool: 'with CANARY\nand\u202emore' });
    calls.add({ tool: 'with CANARY\nand\u202emore' });
    calls.add({ tool: 'x'.repeat(1_000_000) });
    expect(valuesOf(calls.collect(), 0)).toEqual(['with *** and more', 'other']);
    expect(cleaned).toBe(1);
  });

  test('of what is read when asked are added up, or the worst of them is told', () => {
    const registry = new MetricRegistry(new LabelBook());
    const read = (): (readonly [{ readonly circuit: string }, number])[] =>
      Array.from({ length: 1000 }, (_, at) => [{ circuit: `c${at}` }, at === 999 ? 2 : 1]);
    const info = { help: 'Circuits.', labels: ['circuit'] } as const;
    const sum = registry.reading({ name: 'sum', ...info }, { type: 'gauge', read });
    const max = registry.reading({ name: 'max', ...info }, { type: 'gauge', read, fold: 'max' });
    const left = 1000 - LABEL_LIMITS.circuit;
    expect(sum.collect().series.at(-1)).toEqual({ values: ['other'], value: left + 1 });
    expect(max.collect().series.at(-1)).toEqual({ values: ['other'], value: 2 });
  });
});
