/** One line of a difference: kept, taken out or put in. */
interface DiffLine {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** How many lines around a change are shown. */
const CONTEXT = 3;

/** What is compared line by line has at most this many pairs; more is shown as all out, all in. */
const MAX_PAIRS = 4_000_000;

/** The lines of a difference between two texts as `diff -u` shows it, without the names. None: they are the same. */
export function unifiedDiff(before: string, after: string): readonly string[] {
  const lines = compare(linesOf(before), linesOf(after));
  const shown: string[] = [];
  let beforeAt = 1;
  let afterAt = 1;
  for (let at = 0; at < lines.length;) {
    const next = nextChange(lines, at);
    if (next < 0) break;
    const start = Math.max(at, next - CONTEXT);
    beforeAt += start - at;
    afterAt += start - at;
    const end = hunkEnd(lines, next);
    const hunk = lines.slice(start, end);
    const beforeCount = hunk.filter(({ mark }) => mark !== '+').length;
    const afterCount = hunk.filter(({ mark }) => mark !== '-').length;
    shown.push(`@@ -${range(beforeAt, beforeCount)} +${range(afterAt, afterCount)} @@`);
    shown.push(...hunk.flatMap(({ mark, text }) => printed(mark, text)));
    beforeAt += beforeCount;
    afterAt += afterCount;
    at = end;
  }
  return shown;
}

function range(start: number, count: number): string {
  // A range of no lines is named by the line before it.
  return count === 1 ? String(start) : `${count === 0 ? start - 1 : start},${count}`;
}

function printed(mark: string, line: string): readonly string[] {
  if (line.endsWith('\n')) return [mark + line.slice(0, -1)];
  return [mark + line, '\\ No newline at end of file'];
}

function nextChange(lines: readonly DiffLine[], from: number): number {
  return lines.findIndex(({ mark }, index) => index >= from && mark !== ' ');
}

/** Behind the last change that is near, and what is shown around it. */
function hunkEnd(lines: readonly DiffLine[], change: number): number {
  let last = change;
  for (;;) {
    const next = nextChange(lines, last + 1);
    if (next < 0 || next - last > 2 * CONTEXT) return Math.min(lines.length, last + 1 + CONTEXT);
    last = next;
  }
}

/** With their line ends, so that a line end that changes is seen. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function compare(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++;
  const kept = (lines: readonly string[]): readonly DiffLine[] =>
    lines.map((text) => ({ mark: ' ', text }));
  return [
    ...kept(before.slice(0, start)),
    ...longestCommon(
      before.slice(start, before.length - end),
      after.slice(start, after.length - end),
    ),
    ...kept(before.slice(before.length - end)),
  ];
}

/** By the longest common subsequence, from a table of its lengths. */
function longestCommon(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const width = after.length + 1;
  const isTooBig = before.length * after.length > MAX_PAIRS;
  const lengths = new Uint32Array(isTooBig ? 0 : (before.length + 1) * width);
  if (!isTooBig) {
    for (let row = before.length - 1; row >= 0; row--) {
      for (let column = after.length - 1; column >= 0; column--) {
        lengths[row * width + column] =
          before[row] === after[column]
            ? (lengths[(row + 1) * width + column + 1] ?? 0) + 1
            : Math.max(
                lengths[(row + 1) * width + column] ?? 0,
                lengths[row * width + column + 1] ?? 0,
              );
      }
    }
  }
  const lines: DiffLine[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length || column < after.length) {
    const out = before[row];
    const into = after[column];
    const down = lengths[(row + 1) * width + column] ?? 0;
    const right = lengths[row * width + column + 1] ?? 0;
    if (out !== undefined && out === into && !isTooBig) {
      lines.push({ mark: ' ', text: out });
      row++;
      column++;
    } else if (out !== undefined && (into === undefined || down >= right)) {
      lines.push({ mark: '-', text: out });
      row++;
    } else if (into !== undefined) {
      lines.push({ mark: '+', text: into });
      column++;
    }
  }
  return lines;
}
