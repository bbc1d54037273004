import type { ToolResult } from '@holdfast/core/advise';

type ShellOutput = Pick<ToolResult, 'output' | 'exitCode' | 'isError' | 'notRun'>;

/**
 * What a command printed and how it ended. Gemini CLI has no field for the exit code: it writes `Output: …` and,
 * behind it, a line each for what there is to tell.
 *
 * @param display - what the user is shown: mostly what was printed, and nothing else
 */
export function readShellOutput(content: string, display: string): ShellOutput {
  const text = unwrapped(content);
  if (CANCELLED.test(text)) return { output: text, notRun: 'cancelled' };
  if (TIMED_OUT.test(text)) return { output: text, isError: true };
  if (!text.startsWith(OUTPUT)) return { output: text };
  // A command may print such lines itself: where it is known what it printed, they are looked for behind it.
  const printed = `${OUTPUT}${display}`;
  const from = display !== '' && text.startsWith(printed) ? printed.length : OUTPUT.length;
  const { fields, start } = readFields(text, from);
  const output = text.slice(OUTPUT.length, start);
  return { output: output === EMPTY ? '' : output, ...exitOf(fields) };
}

const OUTPUT = 'Output: ';
/** Written where nothing was printed. */
const EMPTY = '(empty)';
const CANCELLED = /^Command was cancelled by user\b/;
const TIMED_OUT = /^Command was automatically cancelled because it exceeded the timeout\b/;
const WRAPPED = /^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>\s*$/;

function unwrapped(content: string): string {
  return WRAPPED.exec(content)?.[1] ?? content;
}

const FIELD = /^(Exit Code|Signal|Background PIDs|Process Group PGID): (.*)$/;

interface Fields {
  readonly fields: ReadonlyMap<string, string>;
  /** Where the first of them begins, with the line's end before it. */
  readonly start: number;
}

/** The last lines that are fields, each once; they are short, so that a long output is not looked through. */
function readFields(text: string, from: number): Fields {
  const fields = new Map<string, string>();
  let start = text.length;
  for (;;) {
    const lineEnd = text.lastIndexOf('\n', start - 1);
    if (lineEnd < from) break;
    const [, name = '', value = ''] = FIELD.exec(text.slice(lineEnd + 1, start)) ?? [];
    if (name === '' || fields.has(name)) break;
    fields.set(name, value);
    start = lineEnd;
  }
  return { fields, start };
}

function exitOf(fields: ReadonlyMap<string, string>): Pick<ToolResult, 'exitCode'> {
  const code = Number(fields.get('Exit Code') ?? NaN);
  if (Number.isInteger(code)) return { exitCode: code };
  // As shells tell of signals.
  const signal = Number(fields.get('Signal') ?? NaN);
  if (Number.isInteger(signal)) return { exitCode: 128 + signal };
  // Only of what ended well nothing is told but that it ran.
  return fields.has('Process Group PGID') && !fields.has('Signal') ? { exitCode: 0 } : {};
}
