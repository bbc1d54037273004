import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentInstaller, InstallContext, InstallPlan } from './agent-installer.ts';
import { editJson, readJson } from './edit-json.ts';

export const settingsOf = ({ home }: InstallContext): string =>
  join(home, '.agent', 'settings.json');
export const pluginOf = ({ home }: InstallContext): string =>
  join(home, '.agent', 'plugins', 'ours.js');

/** An agent with one file that the user writes and one that is ours alone. */
export const standInInstaller: AgentInstaller = {
  name: 'gemini',
  title: 'Stand-in',
  install: (context) => plan(context, `run ${context.script}`, 'ours\n'),
  uninstall: (context) => plan(context, undefined, undefined),
  check: () => Promise.resolve([]),
};

async function plan(
  context: InstallContext,
  hook: string | undefined,
  plugin: string | undefined,
): Promise<InstallPlan> {
  const path = settingsOf(context);
  const before = await read(path);
  const isThere = Object.hasOwn(readJson(before ?? '', path), 'hooks');
  const isNeeded = hook !== undefined || isThere;
  const after = isNeeded
    ? editJson(before ?? '', [{ path: ['hooks', 0], value: hook }], path)
    : before;
  const edits = [
    { path, before, after },
    { path: pluginOf(context), before: await read(pluginOf(context)), after: plugin },
  ];
  return { edits: edits.filter((edit) => edit.before !== edit.after), notes: ['Restart it.'] };
}

function read(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}
