import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Where what is remembered between two runs of Holdfast belongs on this system. It may not be there yet.
 *
 * @throws where the user has no home, and nothing else says where
 */
export function stateFolder(env: Environment, platform: NodeJS.Platform): string {
  const own = env['HOLDFAST_STATE_DIR'] ?? '';
  if (own !== '') return own;
  if (platform === 'win32') {
    const local = env['LOCALAPPDATA'] ?? '';
    return join(local === '' ? join(homeOf(env), 'AppData', 'Local') : local, 'Holdfast', 'State');
  }
  // A path that is not absolute is to be ignored, as the specification of these variables says.
  const state = env['XDG_STATE_HOME'] ?? '';
  if (isAbsolute(state)) return join(state, 'holdfast');
  return platform === 'darwin'
    ? join(homeOf(env), 'Library', 'Application Support', 'Holdfast')
    : join(homeOf(env), '.local', 'state', 'holdfast');
}

/**
 * The `holdfast.yaml` of the user, in which hooks find the settings of the advisor: agents run them in any folder. It
 * may not be there.
 *
 * @throws where the user has no home, and nothing else says where
 */
export function configFile(env: Environment, platform: NodeJS.Platform): string {
  const own = env['HOLDFAST_CONFIG'] ?? '';
  return own === '' ? join(configFolder(env, platform), 'holdfast.yaml') : own;
}

function configFolder(env: Environment, platform: NodeJS.Platform): string {
  if (platform === 'win32') {
    const roaming = env['APPDATA'] ?? '';
    return join(roaming === '' ? join(homeOf(env), 'AppData', 'Roaming') : roaming, 'Holdfast');
  }
  const config = env['XDG_CONFIG_HOME'] ?? '';
  if (isAbsolute(config)) return join(config, 'holdfast');
  return platform === 'darwin'
    ? join(homeOf(env), 'Library', 'Application Support', 'Holdfast')
    : join(homeOf(env), '.config', 'holdfast');
}

function homeOf(env: Environment): string {
  const home = env['HOME'] ?? '';
  return isAbsolute(home) ? home : homedir();
}
