import type { InstallContext } from '../install/agent-installer.ts';

/** The events that a hook of ours is in, or was. */
export const CLAUDE_CODE_EVENTS = [
  'PreToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'PermissionDenied',
  'UserPromptSubmit',
] as const;

export type ClaudeCodeEvent = (typeof CLAUDE_CODE_EVENTS)[number];

/** The first Claude Code that knows all of them, and `args`. An older one leaves such hooks out, or their `args`. */
export const OLDEST_CLAUDE_CODE = '2.1.139';

/** Claude Code counts seconds. */
export const TIMEOUT_SECONDS = 5;

/** Before a call there is nothing to do but to stop it. */
export function isWanted(event: ClaudeCodeEvent, { veto }: InstallContext): boolean {
  return event !== 'PreToolUse' || veto;
}

/** Events that are not about one tool have nothing that could match. */
export function isMatched(event: ClaudeCodeEvent): boolean {
  return event !== 'PostToolBatch' && event !== 'UserPromptSubmit';
}

/** A hook as it stands in the settings: run as it is, by no shell. */
export interface ClaudeCodeHook {
  readonly type: 'command';
  readonly command: string;
  readonly args: readonly string[];
  readonly timeout: number;
}

export function claudeCodeHook({ node, script, veto }: InstallContext): ClaudeCodeHook {
  return {
    type: 'command',
    command: node,
    args: [script, 'hook', 'claude-code', ...(veto ? ['--veto'] : [])],
    timeout: TIMEOUT_SECONDS,
  };
}
