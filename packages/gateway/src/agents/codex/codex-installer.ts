import type { AgentInstaller, InstallContext, InstallPlan } from '../install/agent-installer.ts';
import { readJson } from '../install/edit-json.ts';
import { editSettings } from '../install/edit-settings.ts';
import { readText } from '../install/target-file.ts';
import { checkCodex } from './check-codex.ts';
import { readCodexConfig } from './codex-config.ts';
import { configPath, hooksPath, neighbourPath, readHooksFile } from './codex-files.ts';
import { codexGroups } from './codex-groups.ts';
import { CODEX_EVENTS, codexHook } from './codex-hooks.ts';

/** Builds the hooks into the file that Codex has for them. */
export const codexInstaller: AgentInstaller = {
  name: 'codex',
  title: 'Codex',
  install,
  uninstall,
  check: checkCodex,
};

const APPROVE =
  'Codex runs none of the hooks before you trust them: start `codex` and choose so where it says ' +
  '"Hooks need review", or use /hooks. `codex exec` does not ask, and leaves them out.';

async function install(context: InstallContext): Promise<InstallPlan> {
  const path = hooksPath(context);
  const before = await readText(path);
  const groups = codexGroups(readHooksFile(before ?? '', path), path);
  const hook = codexHook(context);
  const additions = CODEX_EVENTS.flatMap(({ event }) => groups.put(event, hook));
  const edits = editSettings(path, before, additions);
  const approve = edits.length === 0 ? [] : [APPROVE];
  return { edits, notes: [...approve, ...(await surroundings(context))] };
}

/** What keeps hooks from running, or makes Codex warn, however they are written. */
async function surroundings(context: InstallContext): Promise<readonly string[]> {
  const config = readCodexConfig((await readText(configPath(context))) ?? '');
  const neighbour = neighbourPath(context);
  const notes: string[] = [];
  if (config.isOff) {
    notes.push(
      `Hooks are off: take \`hooks = false\` out of [features] in ${configPath(context)}.`,
    );
  }
  if (readCodexConfig((await readText(neighbour)) ?? '').hasHooks) {
    notes.push(`${neighbour} has hooks too: Codex runs both, and warns at every start.`);
  }
  if (context.scope === 'project') {
    notes.push(
      'The hooks of the project name paths of this machine: others who use them install too.',
      'Codex runs hooks of a project only when its folder is trusted.',
    );
  }
  return notes;
}

async function uninstall(context: InstallContext): Promise<InstallPlan> {
  const path = hooksPath(context);
  const before = await readText(path);
  // Whether Codex can read it does not matter any more.
  const groups = codexGroups(readJson(before ?? '', path), path);
  const removals = CODEX_EVENTS.flatMap(({ event }) => groups.remove(event));
  const moves = CODEX_EVENTS.some(({ event }) =>
    groups.ours(event).some(({ at }) => at[0] < groups.count(event) - 1),
  );
  const notes = moves
    ? [
        'Hooks behind ours moved up, and Codex knows them by their place: trust them again (/hooks).',
      ]
    : [];
  return { edits: editSettings(path, before, removals), notes };
}
