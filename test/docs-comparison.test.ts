import { describe, expect, it } from 'vitest';
import { createDefaultRegistry } from '@holdfast/core/parse';
import { readPage } from './support/markdown.ts';
import {
  cellsOf,
  measuredRows,
  notMeasured,
  resultsNamedOn,
  sectionOnNode,
} from './support/measured-tables.ts';
import { readText } from './support/repository.ts';

const PAGE = 'docs/comparison.md';

describe(PAGE, () => {
  it.each(measuredRows(PAGE))('has figures that were measured: $what', (row) => {
    expect(row.figures.length).toBeGreaterThan(1);
    expect(notMeasured(row, PAGE)).toEqual([]);
  });

  it('has the shares of mended documents that were measured', () => {
    const lines = readPage(readText(PAGE)).prose;
    const from = lines.findIndex((line) => line.startsWith('| library | exact |'));
    const rows = lines
      .slice(from + 2, lines.indexOf('', from))
      .map((line) => cellsOf(line).map((cell) => cell.replace(/ \d+\.\d+\.\d+$/, '')));
    const section = sectionOnNode(PAGE, 'repair-quality', 'Node 20');

    expect(rows.length).toBeGreaterThan(3);
    const [, ofOwnSet = ''] = section.split('### Own set');
    const [, ofValid = ''] = section.split('### Valid documents');
    const rowIn = (text: string, name: string): string[] =>
      cellsOf(text.split('\n').find((line) => line.startsWith(`| ${name} |`)) ?? '');
    for (const [name = '', exact, wrong, changed] of rows) {
      const [, own, , silently] = rowIn(ofOwnSet, name);
      expect([own, silently]).toEqual([exact, wrong]);
      const [, documents = '', broken = '', refused = ''] = rowIn(ofValid, name);
      expect(`${Number(broken) + Number(refused)} of ${documents}`).toBe(changed);
    }
  });

  it('names the versions that were measured', () => {
    const page = readText(PAGE);
    const [, peers = ''] = /^Peers: (.*)\.$/m.exec(
      resultsNamedOn(PAGE).map(readText).join('\n'),
    ) ?? [''];
    // `cockatiel 3.2.1 and 4.0.0` are two of them.
    const measured = peers.split(', ').flatMap((said) => {
      const [, name, versions = ''] = /^(\S+) (.*)$/.exec(said) ?? [];
      return versions.split(' and ').map((version) => `${name} ${version}`);
    });
    for (const peer of [
      '@ai-sdk-tool/parser 4.1.26',
      'cockatiel 4.0.0',
      'opossum 10.0.0',
      'mollitia 0.1.1',
      'jsonrepair 3.15.0',
      'partial-json 0.1.7',
      'mcp-proxy 6.7.19',
    ]) {
      expect(measured).toContain(peer);
      expect(page).toContain(peer);
    }
  });

  it('counts our dialects', () => {
    const ours = createDefaultRegistry()
      .list()
      .filter(({ name }) => name !== 'custom' && name !== 'fallback');
    expect(readText(PAGE)).toContain(`| dialects | ${ours.length}, and your own |`);
  });
});
