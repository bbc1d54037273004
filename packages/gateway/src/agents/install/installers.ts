import type { HostName } from '../host-name.ts';
import type { AgentInstaller } from './agent-installer.ts';

const INSTALLERS: Readonly<Record<HostName, () => Promise<AgentInstaller>>> = {
  'claude-code': async () =>
    (await import('../claude-code/claude-code-installer.ts')).claudeCodeInstaller,
  codex: async () => (await import('../codex/codex-installer.ts')).codexInstaller,
  gemini: async () => (await import('../gemini/gemini-installer.ts')).geminiInstaller,
  opencode: async () => (await import('../opencode/opencode-installer.ts')).openCodeInstaller,
  'agent-zero': async () =>
    (await import('../agent-zero/agent-zero-installer.ts')).agentZeroInstaller,
};

export function loadInstaller(name: HostName): Promise<AgentInstaller> {
  return INSTALLERS[name]();
}
