/** A table in Markdown that can be read as it is: the first column to the left, the others to the right. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) =>
    Math.max(3, ...all.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const padded = (row: readonly string[]): string =>
    line(
      widths.map((width, column) => {
        const cell = row[column] ?? '';
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      }),
    );
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [padded(head), line(rule), ...rows.map(padded)].join('\n');
}
