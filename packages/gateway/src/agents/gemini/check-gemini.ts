import { existsSync } from 'node:fs';
import { isObject, textOf } from '../../proxy/json/json-fields.ts';
import { CannotInstallError } from '../install/agent-installer.ts';
import type { HostCheck, InstallContext } from '../install/agent-installer.ts';
import { readJson } from '../install/edit-json.ts';
import type { FoundHook } from '../install/hook-groups.ts';
import { ok, problem, warning } from '../install/host-check.ts';
import { readText } from '../install/target-file.ts';
import { geminiGroups } from './gemini-groups.ts';
import { endsWell, GEMINI_HOOKS, hookCommand, mayVeto, TIMEOUT_MS } from './gemini-hooks.ts';
import { settingsPath, whySettingsUnread } from './gemini-settings.ts';
import { isTrustedFolder } from './gemini-trust.ts';

const AGAIN = 'run `holdfast install gemini`';

/** Less is surely meant as seconds: Node alone takes longer to start. */
const LEAST_TIMEOUT_MS = 1000;

/** Whether the hooks are in the settings, and can work. */
export async function checkGemini(context: InstallContext): Promise<readonly HostCheck[]> {
  const path = settingsPath(context);
  try {
    const text = await readText(path);
    if (text === undefined) return [problem(`${path} is not there: ${AGAIN}`)];
    const groups = geminiGroups(readJson(text, path), path);
    const hooks = GEMINI_HOOKS.flatMap(({ event }) => {
      const others = groups.others(event).map(({ command }) => textOf(command));
      return [
        ...checkHook(event, groups.ours(event), context),
        ...checkOthers(event, others, context),
      ];
    });
    const unread = whySettingsUnread(text, path);
    return [
      unread === undefined ? ok(`${path} can be read`) : problem(unread),
      ...hooks,
      ...checkPaths(context),
      ...(await checkEnabled(context)),
      ...(await checkTrust(context)),
    ];
  } catch (error) {
    if (error instanceof CannotInstallError) return [problem(error.message)];
    throw error;
  }
}

function checkHook(
  event: string,
  found: readonly FoundHook[],
  context: InstallContext,
): readonly HostCheck[] {
  const [first] = found;
  if (first === undefined) return [problem(`${event} has no hook of Holdfast: ${AGAIN}`)];
  if (found.length > 1) {
    return [problem(`${event} has ${found.length} hooks of Holdfast instead of one: ${AGAIN}`)];
  }
  const { command, timeout, type } = first.hook;
  const checks: HostCheck[] = [];
  if (type !== 'command' || typeof command !== 'string') {
    checks.push(problem(`the hook of ${event} has no command: ${AGAIN}`));
  } else if (!endsWell(command)) {
    const why = 'should it fail, Gemini CLI denies every call';
    checks.push(problem(`the hook of ${event} may end with an error, and ${why}: ${AGAIN}`));
  } else if (command !== hookCommand({ ...context, veto: mayVeto(command) })) {
    checks.push(warning(`the hook of ${event} runs another Holdfast than this: ${AGAIN}`));
  }
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout >= LEAST_TIMEOUT_MS)) {
    const has = `the hook of ${event} has ${JSON.stringify(timeout)} milliseconds`;
    checks.push(
      problem(`${has}; Gemini CLI does not count seconds. ${TIMEOUT_MS} are right: ${AGAIN}`),
    );
  }
  if (event !== 'BeforeAgent' && !ALL_TOOLS.has(first.matcher)) {
    checks.push(warning(`the hook of ${event} hears of some tools only: ${String(first.matcher)}`));
  }
  return checks.length > 0 ? checks : [ok(`${event} has its hook, once`)];
}

const ALL_TOOLS: ReadonlySet<unknown> = new Set([undefined, '', '*', '.*']);

/** `gemini hooks migrate` copies those of Claude Code without their arguments, and takes seconds for milliseconds. */
function checkOthers(
  event: string,
  commands: readonly string[],
  { node, script }: InstallContext,
): readonly HostCheck[] {
  return commands
    .filter((command) => command.includes(script) || command.replace(/^['"]|['"]$/g, '') === node)
    .map((command) => {
      const what = `${event} has a hook that was installed for another agent: ${command}`;
      return warning(`${what}. Remove it from the settings.`);
    });
}

function checkPaths({ node, script }: InstallContext): readonly HostCheck[] {
  return [node, script]
    .filter((path) => !existsSync(path))
    .map((path) => problem(`${path}, which the hook runs, is not there`));
}

/** Hooks may be turned off for a user and for a project. */
async function checkEnabled(context: InstallContext): Promise<readonly HostCheck[]> {
  const checks: HostCheck[] = [];
  for (const scope of ['user', 'project'] as const) {
    const path = settingsPath({ ...context, scope });
    const { hooksConfig } = readJson((await readText(path)) ?? '', path);
    if (!isObject(hooksConfig)) continue;
    if (hooksConfig['enabled'] === false) {
      checks.push(problem(`hooks are off: hooksConfig.enabled is false in ${path}`));
    }
    const disabled: unknown = hooksConfig['disabled'];
    for (const { name } of GEMINI_HOOKS) {
      if (Array.isArray(disabled) && disabled.includes(name)) {
        checks.push(problem(`${name} is off: hooksConfig.disabled in ${path} has its name`));
      }
    }
  }
  return checks;
}

/** Not even hooks of the user run in a folder that is not trusted. */
async function checkTrust(context: InstallContext): Promise<readonly HostCheck[]> {
  if (await isTrustedFolder(context)) return [];
  const what = `Gemini CLI does not trust ${context.project}, and runs no hooks there`;
  return [warning(`${what}: trust it with /permissions in Gemini CLI`)];
}
