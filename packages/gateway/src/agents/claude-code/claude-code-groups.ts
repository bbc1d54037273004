import { HookGroups } from '../install/hook-groups.ts';

type Settings = Readonly<Record<string, unknown>>;

/** The hooks in the settings of Claude Code. */
export function claudeCodeGroups(settings: Settings, path: string): HookGroups {
  return new HookGroups(settings, { path, title: 'Claude Code', isOurs });
}

/** Other programs have a `hook claude-code` too: it has to be a Holdfast, wherever it is. */
function isOurs(hook: Settings): boolean {
  const args: unknown = hook['args'];
  if (!Array.isArray(args)) return false;
  const [script, command, host] = args as readonly unknown[];
  return (
    typeof script === 'string' &&
    /holdfast/i.test(script) &&
    command === 'hook' &&
    host === 'claude-code'
  );
}
