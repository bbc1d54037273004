import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './agent.ts';
import type { Agent } from './agent.ts';

/** OpenCode, which asks in Chat Completions. */
export const openCode = (program: string, version: string): Agent => ({
  name: 'OpenCode',
  version,
  shellTool: 'bash',
  commandKey: 'command',
  protocol: 'chat',
  run: ({ url, model, prompt, folder, home, hooks = false }) => {
    const provider = {
      npm: '@ai-sdk/openai-compatible',
      name: 'local',
      options: { baseURL: `${url}/v1`, apiKey: 'not-needed' },
      models: { [model]: { name: model } },
    };
    const config = {
      autoupdate: false,
      share: 'disabled',
      permission: { bash: 'allow', edit: 'allow' },
      provider: { local: provider },
    };
    writeFileSync(join(folder, 'opencode.json'), JSON.stringify(config));
    const args = ['run', '--format', 'json', '--title', 'test', '-m', `local/${model}`];
    const plugins = hooks ? [] : ['--pure'];
    return runProgram(program, [...args, ...plugins, prompt], {
      cwd: folder,
      env: {
        HOME: home,
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
        // It would fetch its types for plugins: nothing here leaves this machine.
        npm_config_registry: 'http://127.0.0.1:9',
        npm_config_fetch_retries: '0',
      },
    });
  },
});
