import { readPage } from './markdown.ts';
import { readText } from './repository.ts';

/** The rows of the table with this header line, as cells without their padding. */
export function tableRows(page: string, header: string): string[][] {
  const lines = readPage(readText(page)).prose;
  const at = lines.indexOf(header);
  if (at < 0) throw new Error(`${page} has no table ${header}`);
  const end = lines.findIndex((line, index) => index > at && !line.startsWith('|'));
  return lines.slice(at + 2, end < 0 ? undefined : end).map((line) =>
    line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}

/** What a cell in code says: fences of backticks, and one space inside them, taken off. */
export function code(cell: string): string {
  const fence = /^`+/.exec(cell)?.[0].length ?? 0;
  const inner = cell.slice(fence, cell.indexOf('`'.repeat(fence), cell.length - fence));
  return inner.startsWith(' `') ? inner.slice(1, -1) : inner;
}

/** `1_048_576`, `Infinity`, `'text'` and `false` as the values they are in code. */
export function literal(text: string): unknown {
  if (/^'[^']*'$/.test(text)) return text.slice(1, -1);
  if (text === 'Infinity') return Infinity;
  return JSON.parse(text.replaceAll('_', '')) as unknown;
}

/** Names and values of the first two columns. */
export function defaultsIn(page: string, header: string): Record<string, unknown> {
  const rows = tableRows(page, header);
  return Object.fromEntries(
    rows.map(([name, value]) => [code(name!), literal(value!.replaceAll('`', ''))]),
  );
}
