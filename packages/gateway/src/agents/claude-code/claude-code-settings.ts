import { join } from 'node:path';
import type { InstallContext } from '../install/agent-installer.ts';

/** Where Claude Code looks for the settings of a user or a project. */
export function settingsPath({ scope, project, home, env }: InstallContext): string {
  if (scope === 'project') return join(project, '.claude', 'settings.json');
  const moved = env['CLAUDE_CONFIG_DIR'];
  const folder = moved === undefined || moved === '' ? join(home, '.claude') : moved;
  return join(folder, 'settings.json');
}
