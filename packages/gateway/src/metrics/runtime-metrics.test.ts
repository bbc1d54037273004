import { ManualClock } from '@holdfast/core/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LabelBook } from './label-book.ts';
import { MetricRegistry } from './metric-registry.ts';
import { runtimeMetrics } from './runtime-metrics.ts';

test('a process that is out of files tells all but its memory', () => {
  const registry = new MetricRegistry(new LabelBook());
  onTestFinished(runtimeMetrics(registry, { version: '1.2.3', clock: new ManualClock() }));
  const outOfFiles = (): never => {
    throw new Error('EMFILE: too many open files, uv_resident_set_memory');
  };
  const names = (): string[] =>
    registry.collect().flatMap(({ info, series }) => (series.length === 0 ? [] : [info.name]));
  const all = names();
  const memory = vi.spyOn(process.memoryUsage, 'rss').mockImplementation(outOfFiles);
  onTestFinished(() => memory.mockRestore());

  expect(all).toContain('process_resident_memory_bytes');
  expect(names()).toEqual(all.filter((name) => name !== 'process_resident_memory_bytes'));
});
