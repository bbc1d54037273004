import { HookGroups } from '../install/hook-groups.ts';
import { isOurCommand } from './codex-hooks.ts';

/** The hooks in the file of Codex. */
export function codexGroups(file: Readonly<Record<string, unknown>>, path: string): HookGroups {
  const isOurs = ({ command }: { readonly command?: unknown }): boolean =>
    typeof command === 'string' && isOurCommand(command);
  return new HookGroups(file, { path, title: 'Codex', isOurs });
}
