import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { root } from '../support/repository.ts';
import type { Agent } from './agent.ts';
import { claudeCode } from './claude-code.ts';
import type { ClaudeCodeAgent } from './claude-code.ts';
import { codex } from './codex.ts';
import type { CodexAgent } from './codex.ts';
import { gemini } from './gemini.ts';
import type { GeminiAgent } from './gemini.ts';
import { openCode } from './opencode.ts';

interface Installed {
  readonly ok: boolean;
  readonly agents: readonly { readonly version: string; readonly program: string }[];
  readonly reason?: string;
}

/** The agents that are tried, fetched unless that was done before. */
export interface Agents {
  readonly claude: ClaudeCodeAgent;
  readonly openCode: Agent;
  readonly codex: CodexAgent;
  readonly gemini: GeminiAgent;
}

/** Fetches the agents; throws where that is not possible. */
export async function installAgents(): Promise<Agents> {
  const child = spawn(process.execPath, ['scripts/install-agents.mjs'], { cwd: root });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  await once(child, 'close');
  const { ok, agents, reason } = JSON.parse(output) as Installed;
  if (!ok) throw new Error(`the agents could not be fetched:\n${String(reason)}`);
  const [claude, open, cdx, gem] = agents;
  return {
    claude: claudeCode(claude!.program, claude!.version),
    openCode: openCode(open!.program, open!.version),
    codex: codex(cdx!.program, cdx!.version),
    gemini: gemini(gem!.program, gem!.version),
  };
}
