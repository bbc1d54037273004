export const yesNo = (is: boolean): string => (is ? 'yes' : 'no');

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Code in a cell: a fence longer than any inside it, and bars that end no cell. */
export function inCode(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(1 + Math.max(0, ...runs.map(({ length }) => length)));
  const space = runs.length > 0 ? ' ' : '';
  return `${fence}${space}${text.replaceAll('|', '\\|')}${space}${fence}`;
}
