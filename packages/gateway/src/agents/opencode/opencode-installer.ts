import type { AgentInstaller, InstallContext, InstallPlan } from '../install/agent-installer.ts';
import { CannotInstallError } from '../install/agent-installer.ts';
import { readText } from '../install/target-file.ts';
import { checkPlugin } from './check-plugin.ts';
import { pluginPath } from './plugin-path.ts';
import { isOurPlugin, pluginSource } from './plugin-source.ts';

/** opencode loads every file in its folders of plugins: ours is one of them, and nothing else is touched. */
export const openCodeInstaller: AgentInstaller = {
  name: 'opencode',
  title: 'opencode',
  ownsFiles: true,
  install,
  uninstall,
  check: checkPlugin,
};

async function install(context: InstallContext): Promise<InstallPlan> {
  const path = pluginPath(context);
  const before = await readText(path);
  if (before !== undefined && !isOurPlugin(before))
    throw new CannotInstallError(
      `${path} is there and was not written by Holdfast; move it away, then install again`,
    );
  const after = pluginSource(context);
  if (after === before) return { edits: [], notes: [] };
  const notes = ['Restart opencode: it loads plugins when it starts.'];
  if (context.scope === 'project')
    notes.push(
      'The file names Node and Holdfast as they are on this machine; where they are not, it does nothing.',
    );
  return { edits: [{ path, before, after }], notes };
}

async function uninstall(context: InstallContext): Promise<InstallPlan> {
  const path = pluginPath(context);
  const before = await readText(path);
  if (before === undefined) return { edits: [], notes: [] };
  if (!isOurPlugin(before))
    return { edits: [], notes: [`${path} was not written by Holdfast and stays.`] };
  const notes = ['Restart opencode: a running one keeps the plugin it has loaded.'];
  return { edits: [{ path, before, after: undefined }], notes };
}
