import { runProgram } from './agent.ts';
import type { Agent } from './agent.ts';

/** Claude Code, which asks in Anthropic's protocol. */
export interface ClaudeCodeAgent extends Agent {
  /** Where it is. */
  readonly program: string;
}

export const claudeCode = (program: string, version: string): ClaudeCodeAgent => ({
  name: 'Claude Code',
  version,
  program,
  shellTool: 'Bash',
  commandKey: 'command',
  protocol: 'messages',
  run: ({ url, model, prompt, folder, home, mcp }) => {
    const allowed = ['Bash', 'Read', 'Edit', 'Agent', ...(mcp?.allowed ?? [])].join(',');
    const flags = ['--output-format', 'json', '--allowedTools', allowed, '--max-turns', '12'];
    const servers = mcp === undefined ? [] : ['--mcp-config', mcp.file, '--strict-mcp-config'];
    return runProgram(program, ['-p', prompt, ...flags, ...servers], {
      cwd: folder,
      env: {
        HOME: home,
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_AUTH_TOKEN: 'not-needed',
        ANTHROPIC_MODEL: model,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        CLAUDE_CODE_MAX_RETRIES: '1',
        // Else it shows tools of servers only when the model searches for them.
        ENABLE_TOOL_SEARCH: 'false',
      },
    });
  },
});
