/** A text that means itself in the cell of a table. */
export function markdownCell(text: string): string {
  return text.replace(/[|*<]/g, '\\$&').replaceAll('\n', ' ');
}
