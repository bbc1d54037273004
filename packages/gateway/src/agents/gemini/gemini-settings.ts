import { join } from 'node:path';
import type { InstallContext } from '../install/agent-installer.ts';
import { whyUnread } from '../install/why-unread.ts';

/** Where Gemini CLI looks for the settings of a user or a project. */
export function settingsPath({ scope, project, home, env }: InstallContext): string {
  const moved = env['GEMINI_CLI_HOME'];
  const own = moved === undefined || moved === '' ? home : moved;
  return join(scope === 'project' ? project : own, '.gemini', 'settings.json');
}

/** Why Gemini CLI reads nothing of its settings: it does not even start with them. */
export function whySettingsUnread(text: string, path: string): string | undefined {
  return whyUnread(text, path, { title: 'Gemini CLI', reads: ['comments'] });
}
