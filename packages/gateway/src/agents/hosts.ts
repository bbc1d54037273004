import type { HookHost } from './hook/hook-host.ts';
import { HOST_NAMES } from './host-name.ts';
import type { HostName } from './host-name.ts';

/** Each is loaded where it is asked for: a run of the hook is one of thousands, and pays for what it loads. */
const HOSTS: Readonly<Record<HostName, () => Promise<HookHost>>> = {
  'claude-code': async () => (await import('./claude-code/claude-code-host.ts')).claudeCodeHost,
  codex: async () => (await import('./codex/codex-host.ts')).codexHost,
  gemini: async () => (await import('./gemini/gemini-host.ts')).geminiHost,
  opencode: async () => (await import('./opencode/opencode-host.ts')).openCodeHost,
  'agent-zero': async () => (await import('./agent-zero/agent-zero-host.ts')).agentZeroHost,
};

export function loadHost(name: HostName): Promise<HookHost> {
  return HOSTS[name]();
}

export function isHostName(name: string): name is HostName {
  return HOST_NAMES.some((known) => known === name);
}
