import { isObject } from '../../proxy/json/json-fields.ts';
import type { AgentInstaller, InstallContext, InstallPlan } from '../install/agent-installer.ts';
import { readJson } from '../install/edit-json.ts';
import { editSettings } from '../install/edit-settings.ts';
import { readText } from '../install/target-file.ts';
import { checkGemini } from './check-gemini.ts';
import { geminiGroups } from './gemini-groups.ts';
import { GEMINI_HOOKS, geminiHook } from './gemini-hooks.ts';
import { settingsPath, whySettingsUnread } from './gemini-settings.ts';

/** Builds the hooks into the settings of Gemini CLI. */
export const geminiInstaller: AgentInstaller = {
  name: 'gemini',
  title: 'Gemini CLI',
  install,
  uninstall,
  check: checkGemini,
};

async function install(context: InstallContext): Promise<InstallPlan> {
  const path = settingsPath(context);
  const before = await readText(path);
  const settings = readJson(before ?? '', path);
  const groups = geminiGroups(settings, path);
  const edits = GEMINI_HOOKS.flatMap(({ event, name }) =>
    // An event of a prompt has nothing that could match.
    groups.put(event, geminiHook(name, context), event === 'BeforeAgent' ? {} : { matcher: '*' }),
  );
  const isOff = isObject(settings['hooksConfig']) && settings['hooksConfig']['enabled'] === false;
  const unread = whySettingsUnread(before ?? '', path);
  return {
    edits: editSettings(path, before, edits),
    notes: [
      ...(unread === undefined ? [] : [`${unread}. Take them out.`]),
      'Gemini CLI reads its settings when it starts: restart it.',
      'It runs hooks only in folders that it trusts: /permissions in Gemini CLI tells, and changes it.',
      ...(context.scope === 'project'
        ? [
            'The settings of the project name paths of this machine: others who use them install too.',
          ]
        : []),
      ...(isOff ? ['Hooks are off: hooksConfig.enabled in its settings has to be true.'] : []),
    ],
  };
}

async function uninstall(context: InstallContext): Promise<InstallPlan> {
  const path = settingsPath(context);
  const before = await readText(path);
  const groups = geminiGroups(readJson(before ?? '', path), path);
  const removals = GEMINI_HOOKS.flatMap(({ event }) => groups.remove(event));
  if (removals.length === 0) return { edits: [], notes: [] };
  return { edits: editSettings(path, before, removals), notes: ['Restart Gemini CLI.'] };
}
