/** `  File "a.py", line 3, in load`: a frame of a stack trace. */
const FRAME = /^\s{1,8}File "[^"\n]{1,300}", line \d/;

/** Frames of code that a host ran, which is in no file: `File "<input>", line 1`. */
const INTERPRETED =
  /^\s{1,8}File "<(?:input|string|stdin|console|ipython-input[^">]{0,40})>", line \d/;

const TRACEBACK = /^Traceback \(most recent call last\):/;

/** `django.db.utils.DataError: too long`; the class may stand alone. */
const RAISED = /^[A-Za-z_]\w{0,80}(?:\.\w{1,80}){0,8}(?:: |$)/;

/** Whether the last line is a Python exception of any class: it follows the frames of a stack trace. */
export function endsWithException(lines: readonly string[]): boolean {
  if (!RAISED.test(lines.at(-1) ?? '')) return false;
  const before = lines.slice(0, -1);
  // What is indented after a frame is its source.
  const outer = before.findLastIndex((line) => !/^\s/.test(line));
  return before.slice(outer + 1).some((line) => FRAME.test(line));
}

/**
 * Whether an output is only the stack trace of code that a host ran for the call. A stack trace of files occurs in
 * logs too.
 */
export function isInterpreterError(all: readonly string[]): boolean {
  const frames = TRACEBACK.test(all[0] ?? '') ? all.slice(1) : all;
  return INTERPRETED.test(frames[0] ?? '') && endsWithException(frames);
}
