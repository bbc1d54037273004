/** A ```ts block of a page. */
export interface CodeBlock {
  readonly page: string;
  /** Of the first line of code, counted from 1. */
  readonly line: number;
  readonly code: string;
  /** From `<!-- not run: reason -->` directly above the fence. */
  readonly notRun: string | undefined;
}

interface Fence {
  readonly line: number;
  readonly language: string;
  readonly above: string;
  readonly body: readonly string[];
}

/** Splits a page into its fenced blocks and the prose around them (fenced lines left empty). */
export function readPage(text: string): { fences: Fence[]; prose: string[] } {
  const lines = text.split(/\r?\n/);
  const fences: Fence[] = [];
  const prose: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!;
    const open = /^ *(?:`{3,}|~{3,})/.exec(line);
    if (open === null) {
      prose.push(line);
      continue;
    }
    const mark = open[0].trim();
    const indent = ' '.repeat(open[0].length - mark.length);
    const body: string[] = [];
    const first = at + 2;
    const above = lines[at - 1] ?? '';
    prose.push('');
    for (at += 1; at < lines.length && !closes(lines[at]!, mark); at += 1) {
      // A block in a list is indented; its code is not.
      body.push(lines[at]!.startsWith(indent) ? lines[at]!.slice(indent.length) : lines[at]!);
      prose.push('');
    }
    prose.push('');
    fences.push({
      line: first,
      language: line.slice(open[0].length).trim(),
      above: above.trim(),
      body,
    });
  }
  return { fences, prose };
}

const closes = (line: string, mark: string): boolean => {
  const text = line.trim();
  return text.length >= mark.length && text === mark[0]!.repeat(text.length);
};

export function codeBlocks(page: string, text: string): CodeBlock[] {
  return readPage(text)
    .fences.filter(({ language }) => language === 'ts')
    .map(({ line, above, body }) => ({
      page,
      line,
      code: body.join('\n') + '\n',
      notRun: /^<!-- not run: (\S.*) -->$/.exec(above)?.[1],
    }));
}

/**
 * `…; // → text` becomes a call that compares `text` with what was printed last. The line stays
 * one line, so that errors keep their place.
 */
export function withOutputChecks(block: CodeBlock): string {
  return block.code
    .split('\n')
    .map((line, index) => {
      const [before, expected] = splitOnce(line, '// → ');
      if (expected === undefined) return line;
      const place = `${block.page}:${block.line + index}`;
      return `${before};docsPrinted(${JSON.stringify(place)}, ${JSON.stringify(expected.trim())});`;
    })
    .join('\n');
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}
