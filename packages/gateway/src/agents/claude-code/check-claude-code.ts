import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CannotInstallError } from '../install/agent-installer.ts';
import type { HostCheck, InstallContext } from '../install/agent-installer.ts';
import { readJson } from '../install/edit-json.ts';
import type { FoundHook } from '../install/hook-groups.ts';
import { ok, problem, warning } from '../install/host-check.ts';
import { readText } from '../install/target-file.ts';
import { claudeCodeGroups } from './claude-code-groups.ts';
import {
  CLAUDE_CODE_EVENTS,
  claudeCodeHook,
  isMatched,
  isWanted,
  OLDEST_CLAUDE_CODE,
} from './claude-code-hooks.ts';
import type { ClaudeCodeEvent } from './claude-code-hooks.ts';
import { settingsPath, whySettingsUnread } from './claude-code-settings.ts';
import { claudeCodeVersion } from './claude-code-version.ts';

const AGAIN = 'run `holdfast install claude-code`';

/** Whether the hooks are in the settings, and can work. */
export async function checkClaudeCode(context: InstallContext): Promise<readonly HostCheck[]> {
  return [...(await checkSettings(context)), ...(await checkVersion(context))];
}

async function checkSettings(context: InstallContext): Promise<readonly HostCheck[]> {
  const path = settingsPath(context);
  try {
    const text = await readText(path);
    if (text === undefined) return [problem(`${path} is not there: ${AGAIN}`)];
    const groups = claudeCodeGroups(readJson(text, path), path);
    const hooks = CLAUDE_CODE_EVENTS.flatMap((event) =>
      checkHook(event, groups.ours(event), context),
    );
    const unread = whySettingsUnread(text, path);
    const settings = unread === undefined ? ok(`${path} can be read`) : problem(unread);
    return [settings, ...hooks, ...(await checkEnabled(context))];
  } catch (error) {
    if (error instanceof CannotInstallError) return [problem(error.message)];
    throw error;
  }
}

function checkHook(
  event: ClaudeCodeEvent,
  found: readonly FoundHook[],
  context: InstallContext,
): readonly HostCheck[] {
  const [first] = found;
  if (first === undefined) {
    return isWanted(event, context) ? [problem(`${event} has no hook of ours: ${AGAIN}`)] : [];
  }
  if (found.length > 1) {
    return [problem(`${event} has ${found.length} hooks of ours instead of one: ${AGAIN}`)];
  }
  const checks = [...checkProgram(event, first, context)];
  if (isMatched(event) && !ALL_TOOLS.has(first.matcher)) {
    checks.push(warning(`the hook of ${event} hears of some tools only: ${String(first.matcher)}`));
  }
  return checks.length > 0 ? checks : [ok(`${event} has its hook, once`)];
}

const ALL_TOOLS: ReadonlySet<unknown> = new Set([undefined, '', '*', '.*']);

function checkProgram(
  event: ClaudeCodeEvent,
  { hook }: FoundHook,
  context: InstallContext,
): readonly HostCheck[] {
  const { command, args } = hook;
  const [script] = Array.isArray(args) ? (args as readonly unknown[]) : [];
  const missing = [command, script].filter((path) => typeof path !== 'string' || !existsSync(path));
  if (missing.length > 0) {
    return missing.map((path) =>
      problem(`the hook of ${event} runs ${String(path)}, which is not there: ${AGAIN}`),
    );
  }
  const own = claudeCodeHook(context);
  return command === own.command && script === own.args[0]
    ? []
    : [warning(`the hook of ${event} runs another Holdfast than this: ${AGAIN}`)];
}

/** Hooks may be turned off in any of the files that Claude Code reads. */
async function checkEnabled(context: InstallContext): Promise<readonly HostCheck[]> {
  const paths = [
    settingsPath({ ...context, scope: 'user' }),
    settingsPath({ ...context, scope: 'project' }),
    join(context.project, '.claude', 'settings.local.json'),
  ];
  const checks: HostCheck[] = [];
  for (const path of new Set(paths)) {
    if (readJson((await readText(path)) ?? '', path)['disableAllHooks'] === true) {
      checks.push(problem(`hooks are off: disableAllHooks is true in ${path}`));
    }
  }
  return checks;
}

async function checkVersion({ env }: InstallContext): Promise<readonly HostCheck[]> {
  const version = await claudeCodeVersion(env);
  if (version === undefined) {
    return [
      warning(`there is no \`claude\` on the PATH; it has to be ${OLDEST_CLAUDE_CODE} or newer`),
    ];
  }
  return isOlder(version, OLDEST_CLAUDE_CODE)
    ? [
        problem(
          `Claude Code ${version} is too old: ${OLDEST_CLAUDE_CODE} is the first to run the hooks`,
        ),
      ]
    : [ok(`Claude Code ${version} runs the hooks`)];
}

function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) < 0;
}
