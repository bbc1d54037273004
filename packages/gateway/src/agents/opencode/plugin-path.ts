import { join } from 'node:path';
import type { InstallContext } from '../install/agent-installer.ts';

/** Where opencode looks for plugins, of those who use this machine and of those who work on this project. */
export function pluginPath({ scope, project, home, env }: InstallContext): string {
  return join(
    scope === 'project' ? join(project, '.opencode') : userFolder(home, env),
    'plugins',
    'holdfast.js',
  );
}

function userFolder(home: string, env: InstallContext['env']): string {
  const own = env['OPENCODE_CONFIG_DIR'];
  if (own !== undefined && own !== '') return own;
  const config = env['XDG_CONFIG_HOME'];
  return join(config === undefined || config === '' ? join(home, '.config') : config, 'opencode');
}
