import { join } from 'node:path';
import { readHookSettings } from '../agents/hook/hook-settings.ts';
import { stateFolder } from '../agents/hook/state-folder.ts';
import { CannotInstallError } from '../agents/install/agent-installer.ts';
import type { HostCheck, InstallContext } from '../agents/install/agent-installer.ts';
import { checkHook } from '../agents/install/check-hook.ts';
import { loadInstaller } from '../agents/install/installers.ts';
import type { Arguments } from './command.ts';
import { EXIT } from './exit-codes.ts';
import type { Io } from './io.ts';
import { withProgress } from './progress.ts';
import { readHostName, readInstallContext } from './read-install-context.ts';
import { safeJson, safeLine } from './safe-text.ts';
import type { Styles } from './style.ts';
import { stylesFor } from './style.ts';
import { isTemporaryScript } from './temporary-script.ts';

/** `holdfast doctor <agent>`: whether the hooks are there, and what they answer. */
export async function doctorHost(given: Arguments, io: Io): Promise<number> {
  const name = readHostName(given);
  const context = readInstallContext(name, given, io);
  const installer = await loadInstaller(name);
  const built = await installer.check(context).catch((error: unknown): readonly HostCheck[] => {
    if (!(error instanceof CannotInstallError)) throw error;
    return [{ status: 'problem', text: error.message }];
  });
  const temporary: readonly HostCheck[] = isTemporaryScript(context.script)
    ? [
        {
          status: 'warning',
          text: `${context.script} will be gone some day: npm install -g holdfast`,
        },
      ]
    : [];
  const hook = await withProgress(io, 'running the hook', checkHook(name, context));
  const checks = [...built, ...temporary, ...(await checkSettings(context)), ...hook];
  const isWell = checks.every(({ status }) => status !== 'problem');
  if (given.flags.has('json')) {
    io.stdout.write(`${safeJson({ agent: name, ok: isWell, checks }, 2)}\n`);
    return isWell ? EXIT.ok : EXIT.failed;
  }
  const styles = stylesFor(io);
  io.stdout.write(`${styles.bold(installer.title)}\n`);
  for (const check of checks) io.stdout.write(formatCheck(check, styles));
  const isWarned = checks.some(({ status }) => status === 'warning');
  const next = !isWell
    ? 'Something is wrong: do what is said above, then run this again.'
    : isWarned
      ? 'The hook works; the warnings tell what may keep the agent from running it.'
      : 'All is well: the model gets advice when its calls keep failing.';
  io.stdout.write(`\n${next}\n`);
  return isWell ? EXIT.ok : EXIT.failed;
}

/** What the user's `holdfast.yaml` says of the advisor, which hooks read at each call. */
async function checkSettings({ env }: InstallContext): Promise<readonly HostCheck[]> {
  try {
    const folder = join(stateFolder(env, process.platform), 'hooks');
    const { file, read } = await readHookSettings(folder, env);
    if (file === undefined) return [];
    return [
      read.ok
        ? { status: 'ok', text: `the advisor is set by ${file}` }
        : { status: 'problem', text: `${read.problem}; until then the defaults hold` },
    ];
  } catch (error) {
    return [{ status: 'problem', text: `the settings cannot be read: ${String(error)}` }];
  }
}

function formatCheck({ status, text }: HostCheck, styles: Styles): string {
  const [mark, style] = {
    ok: ['ok      ', styles.green] as const,
    warning: ['warning ', styles.yellow] as const,
    problem: ['problem ', styles.red] as const,
  }[status];
  return `  ${style(mark)} ${safeLine(text)}\n`;
}
