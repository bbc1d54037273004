import { join } from 'node:path';
import type { InstallContext } from '../install/agent-installer.ts';
import { whyUnread } from '../install/why-unread.ts';

/** Where Claude Code looks for the settings of a user or a project. */
export function settingsPath({ scope, project, home, env }: InstallContext): string {
  if (scope === 'project') return join(project, '.claude', 'settings.json');
  const moved = env['CLAUDE_CONFIG_DIR'];
  const folder = moved === undefined || moved === '' ? join(home, '.claude') : moved;
  return join(folder, 'settings.json');
}

/** Why Claude Code reads nothing of its settings: with a comment in them it goes on without them, and says nothing. */
export function whySettingsUnread(text: string, path: string): string | undefined {
  return whyUnread(text, path, { title: 'Claude Code', reads: ['a byte order mark'] });
}
