import { readTerminalOutput } from './terminal-output.ts';

/** How a host wrapped what a tool returned. */
export interface Envelope {
  /** The exit code that the host wrote into the text. */
  readonly exitCode?: number;
  /** The host wrote that it is an error. */
  readonly isError?: boolean;
  /** The output without the wrapping. */
  readonly output: string;
}

/** The first line, by the host that writes it so: Claude Code, Codex and others; AutoGen; mini-swe-agent. */
const FIRST_LINE: readonly RegExp[] = [
  /^exit code:? (-?\d{1,10})$/i,
  /^exitcode: (-?\d{1,10}) \(execution \w+\)$/,
  /^<returncode>(-?\d{1,10})<\/returncode>$/,
  /^(?:error: )?command (?:failed|exited|finished|completed) with (?:exit )?code:? (-?\d{1,10})\b/i,
  /^process exited with code (-?\d{1,10})\b/i,
];

/** What all of them have. */
const MAY_TELL = /code/i;

/** The last line, in brackets: OpenHands, Copilot, Droid. Without them it may be an `echo` of the command. */
const LAST_LINE =
  /^(?:\[|<)(?:the )?(?:command|process)?\s?(?:completed|finished|exited) with (?:exit )?code (-?\d{1,10})\.?(?:\]|>)$/i;

/** Fields that stand around `Exit Code: N` in gemini-cli and its kin. */
const FIELDS = /^(?:signal|background pids|process group pgid|error|directory|output|command): ?/i;

/** What Claude Code writes around an error. */
const TAGGED = /^\s{0,9}(?:error: )?<(tool_use_error)>/i;

/** The same of hosts whose tag may be data: it counts where the output is no content. */
const MAYBE_TAGGED = /^\s{0,9}(?:error: )?<(tool_use_error|tool_error|error)>/i;

const EDGE = 4096;

/** Reads what hosts write around an output, which stands at fixed places only. */
export function readEnvelope(output: string): Envelope {
  return (
    readTag(output, MAYBE_TAGGED) ??
    fromFirstLines(output, output.slice(0, EDGE)) ??
    readTerminalOutput(output) ??
    fromLastLines(output) ?? { output }
  );
}

/** Reads an error in a tag of its own; what a host adds after the tag is not of the tool. */
export function readTag(output: string, tag: RegExp = TAGGED): Envelope | undefined {
  const tagged = tag.exec(output.slice(0, 60));
  if (tagged === null) return undefined;
  const start = tagged[0].length;
  const end = output.indexOf(`</${tagged[1] ?? ''}>`, start);
  return { isError: true, output: output.slice(start, end < 0 ? undefined : end) };
}

function fromFirstLines(output: string, head: string): Envelope | undefined {
  const lines = head.split('\n').slice(0, 6);
  const isCodex = /^(?:chunk id|wall time): /i.test(lines[0] ?? '');
  // Codex writes its own fields first; what follows `Output:` is the tool's.
  const rows = isCodex ? lines : lines.slice(0, 1);
  for (const [at, line] of rows.entries()) {
    if (at > 0 && /^output:/i.test(line)) return undefined;
    if (!MAY_TELL.test(line)) continue;
    const code = FIRST_LINE.map((form) => form.exec(line.trim())?.[1]).find(isText);
    if (code === undefined) continue;
    const marker =
      /^(?:(?:wall time|original token count|total output lines): .{0,60}\n){0,3}output:\n?/i;
    const rest = output.slice(lines.slice(0, at + 1).join('\n').length + 1);
    // Claude Code writes its line only when it has called the call failed: codes that are answers are not told.
    const isError = /^Exit code [1-9]/.test(line);
    return {
      exitCode: Number(code),
      ...(isError && { isError }),
      output: rest.replace(marker, ''),
    };
  }
  return undefined;
}

function fromLastLines(output: string): Envelope | undefined {
  const lines = output.slice(-EDGE).trimEnd().split('\n');
  for (let back = 1; back <= Math.min(6, lines.length); back++) {
    const line = (lines.at(-back) ?? '').trim();
    const code =
      LAST_LINE.exec(line)?.[1] ??
      // Only among the fields of the host: a command may print the same words.
      (back > 1 || FIELDS.test(lines.at(-back - 1) ?? '')
        ? /^exit code: (-?\d{1,10})$/i.exec(line)?.[1]
        : undefined);
    if (code !== undefined) {
      const end = output.trimEnd().length - lines.slice(-back).join('\n').length;
      return { exitCode: Number(code), output: output.slice(0, end).replace(/^output: ?/i, '') };
    }
    const isField = FIELDS.test(line) || /^\[.{1,200}\]$/.test(line);
    if (!isField) return undefined;
  }
  return undefined;
}

function isText(value: string | undefined): value is string {
  return value !== undefined;
}
