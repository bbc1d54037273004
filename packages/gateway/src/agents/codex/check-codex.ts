import { existsSync, realpathSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { textOf } from '../../proxy/json/json-fields.ts';
import { CannotInstallError } from '../install/agent-installer.ts';
import type { HostCheck, InstallContext } from '../install/agent-installer.ts';
import type { FoundHook } from '../install/hook-groups.ts';
import { ok, problem, warning } from '../install/host-check.ts';
import { readText } from '../install/target-file.ts';
import type { CodexConfig } from './codex-config.ts';
import { readCodexConfig } from './codex-config.ts';
import { configPath, hooksPath, neighbourPath, readHooksFile } from './codex-files.ts';
import { codexGroups } from './codex-groups.ts';
import { CODEX_EVENTS, codexHook, filesOf, trustHash } from './codex-hooks.ts';
import type { CodexEvent } from './codex-hooks.ts';

const AGAIN = 'run `holdfast install codex`';
const TRUST = 'start `codex` and trust it in /hooks';

/** Whether the hooks are in the file, and can work. */
export async function checkCodex(context: InstallContext): Promise<readonly HostCheck[]> {
  const path = hooksPath(context);
  try {
    const text = await readText(path);
    if (text === undefined) return [problem(`${path} is not there: ${AGAIN}`)];
    const groups = codexGroups(readHooksFile(text, path), path);
    const config = readCodexConfig((await readText(configPath(context))) ?? '');
    const hooks = CODEX_EVENTS.flatMap((event) =>
      checkHook(event, groups.ours(event.event), { path, config, context }),
    );
    return [ok(`${path} can be read`), ...hooks, ...(await checkConfig(config, context))];
  } catch (error) {
    if (error instanceof CannotInstallError) return [problem(error.message)];
    throw error;
  }
}

interface Surroundings {
  readonly path: string;
  readonly config: CodexConfig;
  readonly context: InstallContext;
}

function checkHook(
  event: CodexEvent,
  found: readonly FoundHook[],
  { path, config, context }: Surroundings,
): readonly HostCheck[] {
  const { event: name } = event;
  const [first] = found;
  if (first === undefined) return [problem(`${name} has no hook of ours: ${AGAIN}`)];
  if (found.length > 1) {
    return [problem(`${name} has ${found.length} hooks of ours instead of one: ${AGAIN}`)];
  }
  const command = textOf(first.hook['command']);
  const missing = filesOf(command).filter((file) => !existsSync(file));
  if (missing.length > 0) {
    return missing.map((file) =>
      problem(`the hook of ${name} runs ${file}, which is not there: ${AGAIN}`),
    );
  }
  const checks = [checkTrust(event, first, path, config)];
  if (!ALL_TOOLS.has(first.matcher)) {
    checks.push(warning(`the hook of ${name} hears of some tools only: ${String(first.matcher)}`));
  }
  const withVeto = codexHook({ ...context, veto: command.endsWith(' --veto') });
  if (!isDeepStrictEqual(first.hook, withVeto)) {
    checks.push(warning(`the hook of ${name} is not as this Holdfast writes it: ${AGAIN}`));
  }
  return checks;
}

const ALL_TOOLS: ReadonlySet<unknown> = new Set([undefined, null, '', '*', '.*']);

function checkTrust(
  event: CodexEvent,
  { at: [outer, inner], hook }: FoundHook,
  path: string,
  { trusted, disabled }: CodexConfig,
): HostCheck {
  const { event: name, label } = event;
  const places = [path, realpathSync(path)].map((file) => `${file}:${label}:${outer}:${inner}`);
  if (places.some((place) => disabled.has(place))) {
    return problem(`the hook of ${name} is turned off: turn it on in /hooks of \`codex\``);
  }
  const hashes = places.flatMap((place) => trusted.get(place) ?? []);
  if (hashes.length === 0) {
    return problem(`the hook of ${name} is not trusted, and Codex leaves it out: ${TRUST}`);
  }
  const { command, timeout, type: _, ...more } = hook;
  // Of a hook that somebody added to, nobody but Codex knows.
  const isOurs = typeof timeout === 'number' && Object.keys(more).length === 0;
  const own = isOurs
    ? trustHash(event, { type: 'command', command: textOf(command), timeout })
    : undefined;
  return own === undefined || hashes.includes(own)
    ? ok(`${name} has its hook, once, and it is trusted`)
    : problem(`the hook of ${name} is not what was trusted, and Codex leaves it out: ${TRUST}`);
}

async function checkConfig(
  config: CodexConfig,
  context: InstallContext,
): Promise<readonly HostCheck[]> {
  const checks: HostCheck[] = [];
  if (config.isOff) {
    checks.push(problem(`hooks are off: [features] hooks is false in ${configPath(context)}`));
  }
  const neighbour = neighbourPath(context);
  if (readCodexConfig((await readText(neighbour)) ?? '').hasHooks) {
    checks.push(
      warning(`${neighbour} has hooks too: Codex warns of the two places at every start`),
    );
  }
  if (context.scope === 'project' && !config.projects.has(context.project)) {
    checks.push(
      warning(`${context.project} may not be trusted: Codex runs its hooks only when it is`),
    );
  }
  return checks;
}
