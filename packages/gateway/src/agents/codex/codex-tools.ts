/** What hooks call the tools that run a command, whatever the model calls them. */
export const SHELL_TOOL = 'Bash';

/** Names by which models are offered it. */
export const SHELL_NAMES: ReadonlySet<string> = new Set([
  'exec_command',
  'shell_command',
  'shell',
  'local_shell',
]);

export const PATCH_TOOL = 'apply_patch';

/** Runs a script that calls tools, of which hooks are told one by one. */
export const SCRIPT_TOOL = 'exec';

/** Waits for more of what a running command prints: its end is told as the end of that command. */
export const WAITING_TOOLS: ReadonlySet<string> = new Set(['write_stdin', 'wait']);
