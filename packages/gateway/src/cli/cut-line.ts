/** Characters that take two columns: those of East Asian scripts and their full-width forms, and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** A line cut to `columns` columns of a terminal, with an ellipsis where something was cut off. */
export function cutLine(line: string, columns: number): string {
  let width = 0;
  let fits = '';
  for (const character of line) {
    width += WIDE.test(character) ? 2 : 1;
    // The ellipsis needs a column, too.
    if (width < columns) fits += character;
    if (width > columns) return `${fits}…`;
  }
  return line;
}
