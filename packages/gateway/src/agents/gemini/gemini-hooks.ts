import { CannotInstallError } from '../install/agent-installer.ts';
import type { InstallContext } from '../install/agent-installer.ts';

/** The hooks we have, each under a name by which it is found again, and by which users may turn it off. */
export const GEMINI_HOOKS = [
  { event: 'BeforeTool', name: 'holdfast-before' },
  { event: 'AfterTool', name: 'holdfast-after' },
  { event: 'BeforeAgent', name: 'holdfast-prompt' },
] as const;

/** Gemini CLI counts milliseconds. */
export const TIMEOUT_MS = 5000;

/** A hook as it stands in the settings. */
export interface GeminiHook {
  readonly name: string;
  readonly type: 'command';
  readonly command: string;
  readonly timeout: number;
}

export function geminiHook(name: string, context: InstallContext): GeminiHook {
  return { name, type: 'command', command: hookCommand(context), timeout: TIMEOUT_MS };
}

/**
 * What the hook is run with, by bash or PowerShell. A command that ends with 2 or more, as one does that is not
 * found (127), denies every call of every tool: whatever comes of ours, it ends with 0.
 */
export function hookCommand(
  { node, script, veto }: InstallContext,
  platform: NodeJS.Platform = process.platform,
): string {
  const words = [node, script];
  for (const word of words) {
    if (/\$[\w{]/.test(word)) {
      const why = 'Gemini CLI reads $ in its settings as a variable, which cannot be helped';
      throw new CannotInstallError(`${word}: ${why}. Install Holdfast under another path.`);
    }
  }
  const rest = veto ? 'hook gemini --veto' : 'hook gemini';
  return platform === 'win32'
    ? `& ${words.map((word) => `'${word.replaceAll("'", "''")}'`).join(' ')} ${rest}; exit 0`
    : `${words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ')} ${rest} || true`;
}

/** Whether a command of ours stops calls. */
export function mayVeto(command: string): boolean {
  return command.includes(' hook gemini --veto');
}

/** Whether a command ends well whatever happens. */
export function endsWell(command: string): boolean {
  return /(?:\|\| true|; exit 0)\s*$/.test(command);
}
