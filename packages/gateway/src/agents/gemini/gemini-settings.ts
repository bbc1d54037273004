import { join } from 'node:path';
import type { InstallContext } from '../install/agent-installer.ts';

/** Where Gemini CLI looks for the settings of a user or a project. */
export function settingsPath({ scope, project, home, env }: InstallContext): string {
  const moved = env['GEMINI_CLI_HOME'];
  const own = moved === undefined || moved === '' ? home : moved;
  return join(scope === 'project' ? project : own, '.gemini', 'settings.json');
}
