import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { isObject } from '../../proxy/json/json-fields.ts';
import type { InstallContext } from '../install/agent-installer.ts';
import { readJson } from '../install/edit-json.ts';
import { readText } from '../install/target-file.ts';
import { settingsPath } from './gemini-settings.ts';

/** Whether Gemini CLI trusts the folder of the project, as far as its files tell. */
export async function isTrustedFolder(context: InstallContext): Promise<boolean> {
  const { env, project } = context;
  if (env['GEMINI_CLI_TRUST_WORKSPACE'] === 'true') return true;
  const settings = settingsPath({ ...context, scope: 'user' });
  const { security } = readJson((await readText(settings)) ?? '', settings);
  const folderTrust = isObject(security) ? security['folderTrust'] : undefined;
  if (isObject(folderTrust) && folderTrust['enabled'] === false) return true;

  const path =
    env['GEMINI_CLI_TRUSTED_FOLDERS_PATH'] ?? join(dirname(settings), 'trustedFolders.json');
  const rules = readJson((await readText(path)) ?? '', path);
  const folder = await realPath(project);
  let nearest = '';
  let trust: unknown;
  for (const [rule, level] of Object.entries(rules)) {
    const root = await realPath(level === 'TRUST_PARENT' ? dirname(rule) : rule);
    if (rule.length > nearest.length && isInside(folder, root)) {
      nearest = rule;
      trust = level;
    }
  }
  return trust === 'TRUST_FOLDER' || trust === 'TRUST_PARENT';
}

function isInside(folder: string, root: string): boolean {
  const way = relative(root, folder);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return path;
  }
}
