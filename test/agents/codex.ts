import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './agent.ts';
import type { Agent } from './agent.ts';

/** Codex, which asks in OpenAI's Responses. */
export const codex = (program: string, version: string): Agent => ({
  name: 'Codex',
  version,
  shellTool: 'exec_command',
  commandKey: 'cmd',
  protocol: 'responses',
  run: ({ url, model, prompt, folder, home }) => {
    const own = join(home, '.codex');
    mkdirSync(own, { recursive: true });
    const config = [
      `model = ${JSON.stringify(model)}`,
      'model_provider = "local"',
      'check_for_update_on_startup = false',
      '[analytics]',
      'enabled = false',
      '[model_providers.local]',
      'name = "local"',
      `base_url = ${JSON.stringify(`${url}/v1`)}`,
      'wire_api = "responses"',
      'env_key = "LOCAL_KEY"',
      'request_max_retries = 1',
      'stream_max_retries = 1',
    ];
    writeFileSync(join(own, 'config.toml'), `${config.join('\n')}\n`);
    const unasked = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
    return runProgram(program, ['exec', ...unasked, prompt], {
      cwd: folder,
      env: { HOME: home, LOCAL_KEY: 'not-needed' },
    });
  },
});
