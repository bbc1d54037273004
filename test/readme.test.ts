import { describe, expect, it } from 'vitest';
import { createDefaultRegistry, parseToolCalls } from '@holdfast/core/parse';
import { readPage } from './support/markdown.ts';
import { measuredRows, notMeasured } from './support/measured-tables.ts';
import { readText } from './support/repository.ts';

const readme = readText('README.md');
const lines = readme.split('\n');
const firstScreen = lines.slice(
  0,
  lines.findIndex((line) => line.startsWith('## ')),
);

const fence = (language: string): string =>
  readPage(readme)
    .fences.find((one) => one.language === language)!
    .body.join('\n') + '\n';

describe('README', () => {
  it('says what matters in 45 lines', () => {
    expect(firstScreen.length).toBeGreaterThan(20);
    expect(firstScreen.length).toBeLessThanOrEqual(45);
  });

  it('counts no more dialects than there are', () => {
    expect(firstScreen.join('\n')).toContain('over forty');
    const dialects = createDefaultRegistry()
      .list()
      .filter(({ name }) => !['custom', 'fallback'].includes(name));
    expect(dialects.length).toBeGreaterThan(40);
  });

  it('shows the quick start that is run as an example', () => {
    const example = readText('examples/quick-start/main.ts');

    expect(fence('ts')).toBe(example);
    expect(example.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
  });

  it('shows an answer of the corpus, and what it is read as', () => {
    const answer = fence('text');
    expect(answer).toBe(readText('corpus/demo/5-broken-json.txt'));

    const [call] = parseToolCalls(answer).calls;
    const sentence = firstScreen.find((line) => line.startsWith('It reads as '));
    const codes = [...(sentence ?? '').matchAll(/`([^`]+)`/g)].map(([, code]) => code);
    expect(codes).toEqual([call?.name, JSON.stringify(call?.arguments), ...(call?.repairs ?? [])]);
    expect(call).toMatchObject({ complete: true, lossy: false });
  });

  it('has a table of figures', () => {
    expect(measuredRows('README.md').length).toBeGreaterThan(4);
  });

  it.each(measuredRows('README.md'))('has figures that were measured: $what', (row) => {
    expect(row.figures.length).toBeGreaterThan(1);
    expect(notMeasured(row, 'README.md')).toEqual([]);
  });

  it('can be skimmed: no long paragraph, and not many lines', () => {
    const paragraphs = readPage(readme).prose.filter((line) => !/^[|#!]/.test(line));
    expect(paragraphs.filter((line) => line.length > 330)).toEqual([]);
    expect(lines.length).toBeLessThanOrEqual(200);
  });
});

describe('ARCHITECTURE', () => {
  it('can be read in one sitting', () => {
    expect(readText('ARCHITECTURE.md').trimEnd().split('\n').length).toBeLessThanOrEqual(200);
  });
});
