import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InstallContext } from '../install/agent-installer.ts';

/** Where Claude Code looks for the settings of a user or a project. */
export function settingsPath({ scope, project, home, env }: InstallContext): string {
  if (scope === 'project') return join(project, '.claude', 'settings.json');
  const moved = env['CLAUDE_CONFIG_DIR'];
  const folder = moved === undefined || moved === '' ? join(home, '.claude') : moved;
  return join(folder, 'settings.json');
}

/** Undefined where there is no file. */
export async function readSettings(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
