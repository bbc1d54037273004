import { join } from 'node:path';
import { CannotInstallError } from '../install/agent-installer.ts';
import type { InstallContext } from '../install/agent-installer.ts';
import { readJson } from '../install/edit-json.ts';
import { whyUnread } from '../install/why-unread.ts';

/** Where Codex looks for the hooks of a user or a project. */
export function hooksPath(context: InstallContext): string {
  const { scope, project } = context;
  return join(scope === 'project' ? join(project, '.codex') : codexHome(context), 'hooks.json');
}

/** Where the user's own settings are, with whom they trust. */
export function configPath(context: InstallContext): string {
  return join(codexHome(context), 'config.toml');
}

/** The settings next to the hooks, in which there may be hooks too. */
export function neighbourPath(context: InstallContext): string {
  return context.scope === 'user'
    ? configPath(context)
    : join(context.project, '.codex', 'config.toml');
}

function codexHome({ home, env }: InstallContext): string {
  const moved = env['CODEX_HOME'];
  return moved === undefined || moved === '' ? join(home, '.codex') : moved;
}

/** What the file with the hooks says. Codex reads JSON and nothing more: a comment, and none of the hooks runs. */
export function readHooksFile(text: string, path: string): Readonly<Record<string, unknown>> {
  const read = readJson(text, path);
  const why = whyUnread(text, path, { title: 'Codex', reads: [] });
  if (why !== undefined) throw new CannotInstallError(why);
  return read;
}
