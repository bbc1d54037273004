import { runProgram } from './agent.ts';
import type { Agent } from './agent.ts';

/** Claude Code, which asks in Anthropic's protocol. */
export const claudeCode = (program: string, version: string): Agent => ({
  name: 'Claude Code',
  version,
  shellTool: 'Bash',
  commandKey: 'command',
  protocol: 'messages',
  run: ({ url, model, prompt, folder, home }) =>
    runProgram(
      program,
      ['-p', prompt, '--output-format', 'json', '--allowedTools', 'Bash', '--max-turns', '4'],
      {
        cwd: folder,
        env: {
          HOME: home,
          ANTHROPIC_BASE_URL: url,
          ANTHROPIC_AUTH_TOKEN: 'not-needed',
          ANTHROPIC_MODEL: model,
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          CLAUDE_CODE_MAX_RETRIES: '1',
        },
      },
    ),
});
