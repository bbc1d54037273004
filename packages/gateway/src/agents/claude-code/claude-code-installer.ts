import type { AgentInstaller, InstallContext, InstallPlan } from '../install/agent-installer.ts';
import { editJson, readJson } from '../install/edit-json.ts';
import { checkClaudeCode } from './check-claude-code.ts';
import { claudeCodeGroups } from './claude-code-groups.ts';
import { CLAUDE_CODE_EVENTS, claudeCodeHook, isMatched, isWanted } from './claude-code-hooks.ts';
import { readSettings, settingsPath } from './claude-code-settings.ts';

/** Builds the hooks into the settings of Claude Code. */
export const claudeCodeInstaller: AgentInstaller = {
  name: 'claude-code',
  title: 'Claude Code',
  install,
  uninstall,
  check: checkClaudeCode,
};

async function install(context: InstallContext): Promise<InstallPlan> {
  const path = settingsPath(context);
  const before = await readSettings(path);
  const settings = readJson(before ?? '', path);
  const hook = claudeCodeHook(context);
  const groups = claudeCodeGroups(settings, path);
  const edits = CLAUDE_CODE_EVENTS.flatMap((event) =>
    isWanted(event, context)
      ? groups.put(event, hook, isMatched(event) ? { matcher: '*' } : {})
      : groups.remove(event),
  );
  const after = edits.length === 0 ? before : editJson(before ?? '', edits, path);
  return {
    edits: before === after ? [] : [{ path, before, after }],
    notes: [
      'Sessions that are open may go on without the hooks: start Claude Code anew.',
      ...(context.scope === 'project'
        ? [
            'The settings of the project name paths of this machine: others who use them install too.',
            'Claude Code runs hooks of a project only when its folder is trusted.',
          ]
        : []),
      ...(settings['disableAllHooks'] === true
        ? [`Hooks are off: take disableAllHooks out of ${path}.`]
        : []),
    ],
  };
}

async function uninstall(context: InstallContext): Promise<InstallPlan> {
  const path = settingsPath(context);
  const before = await readSettings(path);
  if (before === undefined) return { edits: [], notes: [] };
  const groups = claudeCodeGroups(readJson(before, path), path);
  const edits = CLAUDE_CODE_EVENTS.flatMap((event) => groups.remove(event));
  if (edits.length === 0) return { edits: [], notes: [] };
  const left = editJson(before, edits, path);
  // A file that says nothing is one that we made.
  const after = left.replace(/\s/g, '') === '{}' ? undefined : left;
  const notes = ['Sessions that are open may go on with the hooks: start Claude Code anew.'];
  return { edits: [{ path, before, after }], notes };
}
