import type { AgentInstaller, InstallContext, InstallPlan } from '../install/agent-installer.ts';
import { readJson } from '../install/edit-json.ts';
import { editSettings } from '../install/edit-settings.ts';
import { readText } from '../install/target-file.ts';
import { checkClaudeCode } from './check-claude-code.ts';
import { claudeCodeGroups } from './claude-code-groups.ts';
import { CLAUDE_CODE_EVENTS, claudeCodeHook, isMatched, isWanted } from './claude-code-hooks.ts';
import { settingsPath, whySettingsUnread } from './claude-code-settings.ts';

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
  const before = await readText(path);
  const settings = readJson(before ?? '', path);
  const hook = claudeCodeHook(context);
  const groups = claudeCodeGroups(settings, path);
  const edits = CLAUDE_CODE_EVENTS.flatMap((event) =>
    isWanted(event, context)
      ? groups.put(event, hook, isMatched(event) ? { matcher: '*' } : {})
      : groups.remove(event),
  );
  const unread = whySettingsUnread(before ?? '', path);
  return {
    edits: editSettings(path, before, edits),
    notes: [
      ...(unread === undefined ? [] : [`${unread}. Take them out.`]),
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
  const before = await readText(path);
  const groups = claudeCodeGroups(readJson(before ?? '', path), path);
  const removals = CLAUDE_CODE_EVENTS.flatMap((event) => groups.remove(event));
  if (removals.length === 0) return { edits: [], notes: [] };
  return {
    edits: editSettings(path, before, removals),
    notes: ['Sessions that are open may go on with the hooks: start Claude Code anew.'],
  };
}
