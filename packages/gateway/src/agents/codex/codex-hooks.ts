import { createHash } from 'node:crypto';
import type { InstallContext } from '../install/agent-installer.ts';

/** The events that a hook of ours is in, with the names they have where Codex keeps whom it trusts. */
export const CODEX_EVENTS = [
  { event: 'PreToolUse', label: 'pre_tool_use' },
  { event: 'PostToolUse', label: 'post_tool_use' },
  { event: 'UserPromptSubmit', label: 'user_prompt_submit' },
] as const;

export type CodexEvent = (typeof CODEX_EVENTS)[number];

/** Codex counts seconds. */
const TIMEOUT_SECONDS = 5;

/** A hook as it stands in the file. */
export interface CodexHook {
  readonly type: 'command';
  readonly command: string;
  readonly timeout: number;
}

export function codexHook(context: InstallContext): CodexHook {
  return { type: 'command', command: hookCommand(context), timeout: TIMEOUT_SECONDS };
}

/** What the hook is run with, by the user's shell or `cmd.exe`. */
export function hookCommand(
  { node, script, veto }: InstallContext,
  platform: NodeJS.Platform = process.platform,
): string {
  const quote = platform === 'win32' ? forCmd : forShell;
  const words = [quote(node), quote(script), 'hook', 'codex'];
  return (veto ? [...words, '--veto'] : words).join(' ');
}

const forShell = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Quoted only where it has to be: what hands the command to `cmd.exe` may quote it once more. */
const forCmd = (word: string): string => (/^[\w:\\/.@~+-]+$/.test(word) ? word : `"${word}"`);

/** Other programs may have a `hook codex` too: it has to be a Holdfast, wherever it is. */
export function isOurCommand(command: string): boolean {
  return /holdfast/i.test(command) && /\shook codex(?:\s--veto)?\s*$/.test(command);
}

/** The files that a command of ours runs. */
export function filesOf(command: string): readonly string[] {
  const words = command.match(/'(?:[^']|'\\'')*'|"[^"]*"|\S+/g) ?? [];
  return words
    .slice(0, 2)
    .map((word) => word.replace(/^(['"])(.*)\1$/s, '$2').replaceAll(String.raw`'\''`, "'"));
}

/** What Codex writes down when the user trusts a hook: another definition of it is not trusted. */
export function trustHash({ label }: CodexEvent, { command, timeout }: CodexHook): string {
  // The keys are in the order of the alphabet.
  const hook = { async: false, command, timeout, type: 'command' };
  const identity = JSON.stringify({ event_name: label, hooks: [hook] });
  return `sha256:${createHash('sha256').update(identity).digest('hex')}`;
}
