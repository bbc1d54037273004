import type { AgentInstaller, InstallContext, InstallPlan } from '../install/agent-installer.ts';
import { editJson } from '../install/edit-json.ts';
import { checkCodex } from './check-codex.ts';
import { readCodexConfig } from './codex-config.ts';
import { configPath, hooksPath, neighbourPath, readHooksFile, readText } from './codex-files.ts';
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
  const edits = CODEX_EVENTS.flatMap(({ event }) => groups.put(event, hook));
  const after = edits.length === 0 ? before : editJson(before ?? '', edits, path);
  const isSame = before === after;
  return {
    edits: isSame ? [] : [{ path, before, after }],
    notes: [...(isSame ? [] : [APPROVE]), ...(await surroundings(context))],
  };
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
  if (before === undefined) return { edits: [], notes: [] };
  const groups = codexGroups(readHooksFile(before, path), path);
  const edits = CODEX_EVENTS.flatMap(({ event }) => groups.remove(event));
  if (edits.length === 0) return { edits: [], notes: [] };
  const left = editJson(before, edits, path);
  // A file that says nothing is one that we made.
  const after = left.replace(/\s/g, '') === '{}' ? undefined : left;
  const moves = CODEX_EVENTS.some(({ event }) =>
    groups.ours(event).some(({ at }) => at[0] < groups.count(event) - 1),
  );
  const notes = moves
    ? [
        'Hooks behind ours moved up, and Codex knows them by their place: trust them again (/hooks).',
      ]
    : [];
  return { edits: [{ path, before, after }], notes };
}
