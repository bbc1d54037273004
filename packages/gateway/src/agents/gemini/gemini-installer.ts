import { isObject } from '../../proxy/json/json-fields.ts';
import type { AgentInstaller, InstallContext, InstallPlan } from '../install/agent-installer.ts';
import { editJson, readJson } from '../install/edit-json.ts';
import { checkGemini } from './check-gemini.ts';
import { geminiGroups } from './gemini-groups.ts';
import { GEMINI_HOOKS, geminiHook } from './gemini-hooks.ts';
import { readSettings, settingsPath } from './gemini-settings.ts';

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
  const before = await readSettings(path);
  const settings = readJson(before ?? '', path);
  const groups = geminiGroups(settings, path);
  const edits = GEMINI_HOOKS.flatMap(({ event, name }) =>
    // An event of a prompt has nothing that could match.
    groups.put(event, geminiHook(name, context), event === 'BeforeAgent' ? {} : { matcher: '*' }),
  );
  const after = edits.length === 0 ? before : editJson(before ?? '', edits, path);
  const isOff = isObject(settings['hooksConfig']) && settings['hooksConfig']['enabled'] === false;
  return {
    edits: before === after ? [] : [{ path, before, after }],
    notes: [
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
  const before = await readSettings(path);
  if (before === undefined) return { edits: [], notes: [] };
  const groups = geminiGroups(readJson(before, path), path);
  const edits = GEMINI_HOOKS.flatMap(({ event }) => groups.remove(event));
  if (edits.length === 0) return { edits: [], notes: [] };
  const after = editJson(before, edits, path);
  return { edits: [{ path, before, after }], notes: ['Restart Gemini CLI.'] };
}
