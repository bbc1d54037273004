/** What is looked at of an output: its beginning and its end. */
export interface OutputLines {
  /** The first lines, at most five, that are not blank. */
  readonly first: readonly string[];
  /** The last lines, at most five, that are not blank. Those of a short output are in `first` as well. */
  readonly last: readonly string[];
  /** All lines that are not blank; undefined when there are more than are looked at. */
  readonly all: readonly string[] | undefined;
  /** Whether the output ends in the middle of a line, as a prompt does. */
  readonly isOpen: boolean;
}

/** Output is not ours and may be of any size: only so much of each end is read. */
const MAX_END = 8 * 1024;

/** More lines than this are content with an error in it, never just an error. */
const MAX_ALL = 40;

const LINES = 5;

const COLOURS = /\x1b\[[\d;?]*[A-Za-z]/g;

/**
 * Splits an output into lines. Colors are removed, an overwritten line is what was last seen of it, and a line that
 * repeats the one before it is omitted.
 */
export function readOutputLines(output: string): OutputLines {
  const isLong = output.length > 2 * MAX_END;
  const isOpen = output !== '' && !output.endsWith('\n');
  const head = firstLines(output, isLong ? LINES : MAX_ALL + 1, isLong ? MAX_END : output.length);
  if (!isLong && head.length <= MAX_ALL)
    return { first: head.slice(0, LINES), last: head.slice(-LINES), all: head, isOpen };
  const last = lastLines(output, LINES, isLong ? output.length - MAX_END : 0);
  return { first: head.slice(0, LINES), last, all: undefined, isOpen };
}

/** The first lines that are neither blank nor repeated, at most so many. Nothing from `end` on is looked at. */
function firstLines(text: string, most: number, end: number): string[] {
  const lines: string[] = [];
  for (let from = 0; from <= end && lines.length < most;) {
    const at = text.indexOf('\n', from);
    const isEnded = at >= 0 && at < end;
    const to = isEnded ? at : end;
    const line = plainLine(text.slice(from, to));
    if (line !== '' && line !== lines.at(-1)) lines.push(line);
    from = to + 1;
  }
  return lines;
}

/** The last lines that are neither blank nor repeated, in their order. Nothing before `start` is looked at. */
function lastLines(text: string, most: number, start: number): string[] {
  const lines: string[] = [];
  for (let to = text.length; to >= start && lines.length < most;) {
    const at = to === 0 ? -1 : text.lastIndexOf('\n', to - 1);
    const from = Math.max(at + 1, start);
    const line = plainLine(text.slice(from, to));
    if (line !== '' && line !== lines[0]) lines.unshift(line);
    to = from - 1;
  }
  return lines;
}

/** A line as it was seen; '' where nothing was. */
function plainLine(line: string): string {
  const plain = line.includes('\x1b') ? line.replace(COLOURS, '') : line;
  if (!plain.includes('\r')) return plain.trimEnd();
  // What goes back at the end, as lines of Windows and of terminals do, has overwritten nothing.
  const own = plain.trimEnd();
  return own.slice(own.lastIndexOf('\r') + 1);
}
