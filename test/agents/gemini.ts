import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './agent.ts';
import type { AgentTask } from './agent.ts';

/** Gemini CLI. It asks in Google's own protocol only, so that the gateway's tests have no use for it. */
export interface GeminiAgent {
  readonly version: string;
  /** Works on a prompt, with hooks that were installed for the user, and gives what it printed. */
  run(task: AgentTask): Promise<string>;
}

export const gemini = (program: string, version: string): GeminiAgent => ({
  version,
  run: ({ url, model, prompt, folder, home }) => {
    const own = join(home, '.gemini');
    mkdirSync(own, { recursive: true });
    const file = join(own, 'settings.json');
    // What was installed for it stays.
    const installed = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {};
    const settings = {
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      // Else an address of our own is taken for a gateway, which nobody can log in to without a terminal.
      security: { auth: { selectedType: 'gemini-api-key' } },
    };
    writeFileSync(file, JSON.stringify({ ...installed, ...settings }));
    const unasked = ['--yolo', '--skip-trust'];
    return runProgram(process.execPath, [program, '-p', prompt, '-m', model, ...unasked], {
      cwd: folder,
      env: {
        HOME: home,
        GOOGLE_GEMINI_BASE_URL: url,
        GEMINI_API_KEY: 'not-needed',
        // It starts itself once more, for more memory.
        GEMINI_CLI_NO_RELAUNCH: 'true',
      },
    });
  },
});
