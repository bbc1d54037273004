import { cutLine } from './cut-line.ts';
import { displayWidth } from './display-width.ts';
import type { Style } from './style.ts';

export interface TableColumn {
  readonly title: string;
  /** Default: left. */
  readonly align?: 'right';
  /** Where the terminal is too narrow, texts are cut to so many characters. Default: they are not. */
  readonly least?: number;
}

export interface TableCell {
  /** Safe to show. */
  readonly text: string;
  readonly style?: Style;
}

const GAP = '  ';

/** Rows under titles, a line each, none longer than `width`. */
export function formatTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly TableCell[])[],
  { width, title }: { readonly width: number; readonly title: Style },
): readonly string[] {
  const widths = widthsOf(columns, rows, width);
  const head = columns.map((column) => ({ text: column.title, style: title }));
  return [head, ...rows].map((row) => formatRow(columns, row, widths, width));
}

function widthsOf(
  columns: readonly TableColumn[],
  rows: readonly (readonly TableCell[])[],
  width: number,
): readonly number[] {
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...rows.map((row) => displayWidth(row[index]?.text ?? ''))),
  );
  const least = columns.map((column, index) =>
    Math.min(column.least ?? Infinity, widths[index] ?? 0),
  );
  const isNarrow = (): boolean =>
    widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1)) > width;
  while (isNarrow()) {
    // From the column that is furthest above its least, so that all give a part.
    const room = widths.map((each, index) => each - (least[index] ?? 0));
    const widest = room.indexOf(Math.max(...room));
    if ((room[widest] ?? 0) <= 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function formatRow(
  columns: readonly TableColumn[],
  row: readonly TableCell[],
  widths: readonly number[],
  width: number,
): string {
  let line = '';
  let used = 0;
  for (const [index, { align }] of columns.entries()) {
    const gap = index === 0 ? '' : GAP;
    const room = Math.min(widths[index] ?? 0, width - used - gap.length);
    if (room <= 0) break;
    const { text = '', style = (plain: string) => plain } = row[index] ?? {};
    const cut = cutLine(text, room);
    const padding = ' '.repeat(room - displayWidth(cut));
    const isLast = index === columns.length - 1;
    const left = align === 'right' ? padding : '';
    const right = align === 'right' || isLast ? '' : padding;
    line += `${gap}${left}${style(cut)}${right}`;
    used += gap.length + room;
  }
  return line.trimEnd();
}
