import { readPage } from './markdown.ts';
import { readText } from './repository.ts';

/** A command of a page, with what it says is printed. */
export interface ConsoleCommand {
  readonly command: string;
  readonly printed: string;
  /** Of the block it is in, counted from 1. */
  readonly line: number;
  /** What stands on the line above the block, such as `<!-- needs: curl -->`. */
  readonly above: string;
}

/** The commands in the `console` blocks of a page: they begin with `$ `, and what is printed follows. */
export function commandsOf(page: string): ConsoleCommand[] {
  return readPage(readText(page))
    .fences.filter(({ language }) => language === 'console')
    .flatMap(({ body, line, above }) =>
      body
        .join('\n')
        .split(/^\$ /m)
        .slice(1)
        .map((block) => {
          const [command = '', ...printed] = block.trimEnd().split('\n');
          return { command, printed: printed.join('\n'), line, above };
        }),
    );
}

/**
 * Whether a page tells an output: its lines with nothing but an ellipsis stand for any lines, and an ellipsis at the
 * end of a line for any end of it.
 */
export function tells(page: readonly string[], output: readonly string[]): boolean {
  const gap = page.indexOf('…');
  const before = gap < 0 ? page : page.slice(0, gap);
  if (before.some((line, at) => !tellsLine(line, output[at]))) return false;
  if (gap < 0) return page.length === output.length;
  const after = page.slice(gap + 1);
  return after.length === 0 || output.some((_, at) => at >= gap && tells(after, output.slice(at)));
}

const tellsLine = (page: string, line: string | undefined): boolean =>
  line === page || (page.endsWith('…') && line?.startsWith(page.slice(0, -1)) === true);
