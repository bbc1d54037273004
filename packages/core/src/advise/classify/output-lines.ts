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

/** Takes an output apart. Colours are left out, and of a line that was overwritten what was last seen. */
export function readOutputLines(output: string): OutputLines {
  const isLong = output.length > 2 * MAX_END;
  const head = linesOf(isLong ? output.slice(0, MAX_END) : output);
  const tail = isLong ? linesOf(output.slice(-MAX_END)) : head;
  return {
    first: head.slice(0, LINES),
    last: tail.slice(-LINES),
    all: isLong || head.length > MAX_ALL ? undefined : head,
    isOpen: output !== '' && !output.endsWith('\n'),
  };
}

function linesOf(text: string): string[] {
  return text
    .replace(COLOURS, '')
    .split(/\r?\n/)
    .map((line) => line.slice(line.lastIndexOf('\r') + 1).trimEnd())
    .filter((line) => line.trim() !== '');
}
