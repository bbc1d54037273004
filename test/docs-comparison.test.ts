import { describe, expect, it } from 'vitest';
import { createDefaultRegistry } from '@holdfast/core/parse';
import { readPage } from './support/markdown.ts';
import { readText } from './support/repository.ts';

const PAGE = 'docs/comparison.md';
/** The results that the page names, by Node. */
const RESULTS: Readonly<Record<string, string>> = Object.fromEntries(
  [...readText(PAGE).matchAll(/`(bench\/results\/[\d-]+-node(\d+)\.md)`/g)].map(
    ([, file = '', node = '']) => [`Node ${node}`, file],
  ),
);

interface Measured {
  readonly node: string;
  readonly what: string;
  readonly group: string;
  readonly figures: readonly string[];
}

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split(' | ')
    .map((cell) => cell.trim());

/** The rows of all tables that say `measured`, whose last column is the group of the benchmark. */
function measuredRows(): Measured[] {
  const rows: Measured[] = [];
  let node: string | undefined;
  for (const line of readPage(readText(PAGE)).prose) {
    if (!line.startsWith('|')) node = undefined;
    else if (/^\| what \(measured, /.test(line)) node = /Node \d+/.exec(line)?.[0];
    else if (node !== undefined && !line.startsWith('| ---')) {
      const [what = '', ...rest] = cellsOf(line);
      const figures = rest.slice(0, -1).filter((cell) => cell !== '–');
      rows.push({ node, what, group: rest.at(-1) ?? '', figures });
    }
  }
  return rows;
}

/** What the results say of one group. */
function sectionOf(file: string, group: string): string {
  const [, section = ''] = readText(file).split(`\n## ${group}\n`);
  return section.split('\n## ', 1)[0] ?? '';
}

describe(PAGE, () => {
  it.each(measuredRows())('has figures that were measured: $what', ({ node, group, figures }) => {
    const section = sectionOf(RESULTS[node] ?? '', group);
    const cells = new Set(section.split('\n').flatMap((line) => cellsOf(line)));

    expect(figures.length).toBeGreaterThan(1);
    expect(figures.filter((figure) => !cells.has(figure))).toEqual([]);
  });

  it('has the shares of mended documents that were measured', () => {
    const lines = readPage(readText(PAGE)).prose;
    const from = lines.findIndex((line) => line.startsWith('| library | exact |'));
    const rows = lines
      .slice(from + 2, lines.indexOf('', from))
      .map((line) => cellsOf(line).map((cell) => cell.replace(/ \d+\.\d+\.\d+$/, '')));
    const section = sectionOf(RESULTS['Node 20'] ?? '', 'repair-quality');

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
    const { 'Node 20': older = '', 'Node 24': newer = '' } = RESULTS;
    const peers = /^Peers: .*$/m;
    const measured = `${peers.exec(readText(older))?.[0]} ${peers.exec(readText(newer))?.[0]}`;
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
