import { readPage } from './markdown.ts';
import { readText } from './repository.ts';

/** A row of a table that says `measured`: its last column is the group of the benchmark. */
export interface Measured {
  readonly node: string;
  readonly what: string;
  readonly group: string;
  readonly figures: readonly string[];
}

export const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split(' | ')
    .map((cell) => cell.trim());

/** The results of benchmarks that a page names. */
export const resultsNamedOn = (page: string): readonly string[] => [
  ...new Set(
    [...readText(page).matchAll(/`(bench\/results\/[\d-]+-node\d+\.md)`/g)].map(
      ([, file = '']) => file,
    ),
  ),
];

/** The rows of all tables of a page that say `measured`. Who a figure is of may stand behind it: `4.53, them`. */
export function measuredRows(page: string): Measured[] {
  const rows: Measured[] = [];
  let node: string | undefined;
  for (const line of readPage(readText(page)).prose) {
    if (!line.startsWith('|')) node = undefined;
    else if (/^\| what \(measured, /.test(line)) node = /Node \d+/.exec(line)?.[0];
    else if (node !== undefined && !line.startsWith('| ---')) {
      const [what = '', ...rest] = cellsOf(line);
      const figures = rest
        .slice(0, -1)
        .flatMap((cell) => cell.split('; '))
        .map((said) => said.split(', ', 1)[0] ?? '')
        .filter((figure) => figure !== '–');
      rows.push({ node, what, group: rest.at(-1) ?? '', figures });
    }
  }
  return rows;
}

/** What the results in a file say of one group. */
export function sectionOf(file: string, group: string): string {
  const [, section = ''] = readText(file).split(`\n## ${group}\n`);
  return section.split('\n## ', 1)[0] ?? '';
}

/** The same on a Node, of the results that a page names. Runs on a newer one stand in the file of the older one. */
export function sectionOnNode(page: string, group: string, node: string): string {
  const isOf = (file: string): boolean =>
    file.endsWith(`-${node.replace(' ', '').toLowerCase()}.md`);
  return resultsNamedOn(page)
    .map((file) => sectionOf(file, isOf(file) ? group : `${group}, ${node}`))
    .join('\n');
}

/** The figures of a row that its group in the results does not have. */
export function notMeasured({ node, group, figures }: Measured, page: string): string[] {
  const section = sectionOnNode(page, group, node);
  const cells = new Set(section.split('\n').flatMap((line) => cellsOf(line)));
  return figures.filter((figure) => !cells.has(figure));
}
