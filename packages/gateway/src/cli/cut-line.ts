import { displayWidth } from './display-width.ts';

/** A line cut to `columns` columns of a terminal, with an ellipsis where something was cut off. */
export function cutLine(line: string, columns: number): string {
  let width = 0;
  let fits = '';
  for (const character of line) {
    width += displayWidth(character);
    // The ellipsis needs a column, too.
    if (width < columns) fits += character;
    if (width > columns) return `${fits}…`;
  }
  return line;
}
