/** What a terminal showed, without what is there after every command. */
export interface TerminalOutput {
  readonly output: string;
  /** Where the command ended its shell. Of others, agent-zero keeps it to itself. */
  readonly exitCode?: number;
}

/**
 * Reads what agent-zero and others return of a terminal: the echo of the command, its output, and the prompt after
 * it. The first and the last line decide whether a command failed, so the prompt must be neither. Undefined where
 * neither a prompt nor the end of the shell is last.
 */
export function readTerminalOutput(text: string): TerminalOutput | undefined {
  const exit = SHELL_EXIT.exec(text.slice(-400));
  let shown = text.slice(0, text.length - (exit?.[0].length ?? 0)).trimEnd();
  let isTerminal = exit !== null;
  for (let at = lastLineOf(shown); PROMPT.test(shown.slice(at, at + 500)); at = lastLineOf(shown)) {
    shown = shown.slice(0, at).trimEnd();
    isTerminal = true;
  }
  if (!isTerminal) return undefined;
  for (;;) {
    const end = shown.indexOf('\n');
    const line = shown.slice(0, Math.min(500, end < 0 ? 500 : end)).trimEnd();
    if (line !== '' && !ECHO.test(line)) break;
    if (end < 0) return exit === null ? { output: '' } : { output: '', exitCode: Number(exit[1]) };
    shown = shown.slice(end + 1);
  }
  // It ends with its line: what is open is the prompt.
  const output = `${shown}\n`;
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

function lastLineOf(text: string): number {
  return text.lastIndexOf('\n') + 1;
}
