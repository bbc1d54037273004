import { stat } from 'node:fs/promises';
import type { HostCheck, InstallContext } from '../install/agent-installer.ts';
import { ok, problem, warning } from '../install/host-check.ts';
import { readText } from '../install/target-file.ts';
import { pluginPath } from './plugin-path.ts';
import { isOurPlugin, pluginSource } from './plugin-source.ts';

/** Whether the plugin is where opencode looks for it, is ours, and has something to run. */
export async function checkPlugin(context: InstallContext): Promise<readonly HostCheck[]> {
  const path = pluginPath(context);
  const text = await readText(path);
  if (text === undefined)
    return [problem(`${path} is not there; "holdfast install opencode" writes it`)];
  if (!isOurPlugin(text))
    return [problem(`${path} was not written by Holdfast; move it away, then install again`)];
  const checks: HostCheck[] = [
    // With or without stopping calls: both are ours, and up to date.
    [true, false].some((veto) => text === pluginSource({ ...context, veto }))
      ? ok(`the plugin is in ${path}`)
      : warning(
          `${path} is of another version or names other paths; "holdfast install opencode" updates it`,
        ),
  ];
  for (const program of commandIn(text)) {
    if (!(await isFile(program)))
      checks.push(
        problem(
          `${path} runs ${program}, which is not there; "holdfast install opencode" mends it`,
        ),
      );
  }
  const other = pluginPath({ ...context, scope: context.scope === 'user' ? 'project' : 'user' });
  if (other !== path && isOurPlugin((await readText(other)) ?? ''))
    checks.push(
      warning(`the plugin is in ${other} as well; each call is told twice, and counted once`),
    );
  return checks;
}

/** Node and our script, as the plugin runs them. */
function commandIn(plugin: string): readonly string[] {
  const line = /^const COMMAND = (\[.*\]);$/m.exec(plugin)?.[1];
  try {
    const command = JSON.parse(line ?? '[]') as readonly unknown[];
    return command.slice(0, 2).filter((each) => typeof each === 'string');
  } catch {
    return [];
  }
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
