import { HookGroups } from '../install/hook-groups.ts';
import { GEMINI_HOOKS } from './gemini-hooks.ts';

const NAMES: ReadonlySet<unknown> = new Set(GEMINI_HOOKS.map(({ name }) => name));

/** The hooks in the settings of Gemini CLI. */
export function geminiGroups(
  settings: Readonly<Record<string, unknown>>,
  path: string,
): HookGroups {
  return new HookGroups(settings, {
    path,
    title: 'Gemini CLI',
    isOurs: ({ name }) => NAMES.has(name),
  });
}
