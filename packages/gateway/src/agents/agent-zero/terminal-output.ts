/** What the terminal of agent-zero showed, without what is there after every command. */
export interface TerminalOutput {
  readonly output: string;
  /** Where the command ended its shell. Of others, agent-zero keeps it to itself. */
  readonly exitCode?: number;
}

/**
 * Agent-zero returns what was on its terminal: the echo of the command, its output, and the prompt that comes behind
 * it. The first and the last line tell whether a command failed, so the prompt must be neither.
 */
export function readTerminalOutput(text: string): TerminalOutput {
  const exit = SHELL_EXIT.exec(text.slice(-400));
  const shown = exit === null ? text : text.slice(0, text.length - exit[0].length);
  const lines = shown.split(/\r?\n/);
  let end = lines.length;
  while (end > 0 && isNothing(lines[end - 1] ?? '', PROMPT)) end--;
  let start = 0;
  while (start < end && isNothing(lines[start] ?? '', ECHO)) start++;
  const output = lines.slice(start, end).join('\n');
  return exit === null ? { output } : { output, exitCode: Number(exit[1]) };
}

/** `(venv) root@3f2a:/a0# `, `me@host:~/work$`, `PS C:\work>`. */
const PROMPT =
  /^(?:\([\w.-]{1,40}\) )?(?:[\w.-]{1,64}@[\w.-]{1,64}:[^#$\n]{1,200}[#$]|PS [A-Z]:[^>\n]{0,200}>) ?$/;

/** The same with a command behind it. */
const ECHO =
  /^(?:\([\w.-]{1,40}\) )?(?:[\w.-]{1,64}@[\w.-]{1,64}:[^#$\n]{1,200}[#$]|PS [A-Z]:[^>\n]{0,200}>)(?: |$)/;

const SHELL_EXIT =
  /\[SYSTEM: Terminal shell exited with exit code (\d{1,3})\.[^\]\n]{0,200}\]\s{0,9}$/;

function isNothing(line: string, prompt: RegExp): boolean {
  return line.trim() === '' || prompt.test(line.slice(0, 500));
}
