/** Breaks text into lines of at most `width` characters: at spaces where there are any, else anywhere. */
export function wrapText(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(Array.from(line), width));
}

function wrapLine(line: readonly string[], width: number): string[] {
  const lines: string[] = [];
  let start = 0;
  while (line.length - start > width) {
    // A space right behind the last column is a place to break, too.
    const space = line.lastIndexOf(' ', start + width);
    const end = space > start ? space : start + width;
    lines.push(line.slice(start, end).join(''));
    start = space > start ? end + 1 : end;
  }
  lines.push(line.slice(start).join(''));
  return lines;
}
